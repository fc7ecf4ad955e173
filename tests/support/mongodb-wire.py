"""Starts secantusdb for tests, with five changes.

1. Its $$NOW has a time zone and stored dates have none, so that every comparison of the two goes wrong: `$lte` always holds and
   `$lt` never does, where MongoDB compares the times. Here $$NOW is a date like every other.
2. $$NOW and $currentDate go by the file that MONGODB_WIRE_CLOCK names, while it holds a time (milliseconds since 1970), so that tests can
   turn the database's clock (F23). TTL goes by the system's clock.
3. Of two findAndModify upserts of one new _id at once, it answers the second with null as if nothing were there, where MongoDB gives
   the document after the change. Here upserts by findAndModify come one after another.
4. It reads a whole collection for every filter that has an operator beside its fields (`{_id: 1, $or: [...]}`), and so for every findAndModify,
   where MongoDB goes by the index of the fields. Here it does so too; what it then returns it still compares with the whole filter.
5. When its storage engine has panicked (the disk is full), it answers everything with an internal error until somebody ends it. MongoDB ends by itself
   before it answers; so does this.
"""

import datetime
import logging
import os
import sys
import threading

from secantus import commands, update
from secantus.cli import main
from secantus.storage import Storage

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


by_index = Storage._try_index_id_keys


def fields_of(filter):
    """The conditions on fields that every match fulfils."""
    found = {}
    for name, wanted in filter.items():
        if name == "$and":
            for part in wanted:
                found = {**fields_of(part), **found}
        elif not name.startswith("$"):
            found[name] = wanted
    return found


def by_index_of_fields(self, db, coll, filter, *, collation=None):
    fields = fields_of(filter or {})
    if "_id" in fields:
        found = by_index(self, db, coll, {"_id": fields["_id"]}, collation=collation)
        if found is not None:
            return found
    return by_index(self, db, coll, fields, collation=collation)


class EndOnPanic(logging.Handler):
    def emit(self, record):
        if record.exc_info and "WT_PANIC" in str(record.exc_info[1]):
            os._exit(14)


logging.getLogger("secantus.commands").addHandler(EndOnPanic())
Storage._try_index_id_keys = by_index_of_fields
commands._find_and_modify_impl = find_and_modify_in_turn
commands._resolve_let_vars = resolve_with_our_now
update._apply_op = apply_with_our_now
sys.exit(main())
