"""For Schemathesis: sends the session of LATCHKEY_TOKEN, if any, and leaves alone what LATCHKEY_OWN names."""
import os

import schemathesis

TOKEN = os.environ.get("LATCHKEY_TOKEN")
OWN = set(filter(None, os.environ.get("LATCHKEY_OWN", "").split(",")))

if TOKEN:

    @schemathesis.auth()
    class Session:
        # Not a login: what is tried may reset the password, which ends no session.
        def get(self, case, context):
            return TOKEN

        def set(self, case, data, context):
            case.cookies = {**(case.cookies or {}), "access_token": data}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Nobody ends, demotes or deletes the session and the user in whose name everything is tried."""
    parameters = case.path_parameters or {}
    if case.method.upper() != "GET" and str(parameters.get("id")) in OWN:
        case.path_parameters = {**parameters, "id": "404404"}
