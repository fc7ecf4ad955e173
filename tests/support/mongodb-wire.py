"""Starts secantusdb for tests, with three changes.

1. Its $$NOW has a time zone and stored dates have none, so that every comparison of the two goes wrong: `$lte` always holds and
   `$lt` never does, where MongoDB compares the times. Here $$NOW is a date like every other.
2. $$NOW and $currentDate go by the file that MONGODB_WIRE_CLOCK names, while it holds a time (milliseconds since 1970), so that tests can
   turn the database's clock (F23). TTL goes by the system's clock.
3. Of two findAndModify upserts of one new _id at once, it answers the second with null as if nothing were there, where MongoDB gives
   the document after the change. Here upserts by findAndModify come one after another.
"""

import datetime
import os
import sys
import threading

from secantus import commands, update
from secantus.cli import main

EPOCH = datetime.datetime(1970, 1, 1)
clock_file = os.environ["MONGODB_WIRE_CLOCK"]


def now():
    with open(clock_file, encoding="ascii") as file:
        turned = file.read().strip()
    if turned:
        return EPOCH + datetime.timedelta(milliseconds=int(turned))
    time = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


resolve_let_vars = commands._resolve_let_vars
apply_op = update._apply_op


def resolve_with_our_now(let):
    return {**resolve_let_vars(let), "NOW": now()}


def apply_with_our_now(doc, op, payload, *rest, **named):
    dates = (True, {"$type": "date"})
    if op == "$currentDate" and all(wanted in dates for wanted in payload.values()):
        op, payload = "$set", dict.fromkeys(payload, now())
    return apply_op(doc, op, payload, *rest, **named)


find_and_modify = commands._find_and_modify_impl
upserts = threading.Lock()


def find_and_modify_in_turn(doc, context):
    if not doc.get("upsert"):
        return find_and_modify(doc, context)
    with upserts:
        return find_and_modify(doc, context)


commands._find_and_modify_impl = find_and_modify_in_turn
commands._resolve_let_vars = resolve_with_our_now
update._apply_op = apply_with_our_now
sys.exit(main())
