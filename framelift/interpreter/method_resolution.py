"""Method resolution: what a class has under a name, with what was assigned during the call laid over it."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import TYPE_CHECKING

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.interpreter import lifting
from framelift.models import class_facts
from framelift.paths.reach import ABSENT
from framelift.paths.reach import class_attribute as find_class_attribute
from framelift.values.base import NULL, Value
from framelift.values.known import PINNED, Known

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

IMMUTABLE_TYPE = 1 << 8

_order = type.__dict__["__mro__"].__get__
_own = type.__dict__["__dict__"].__get__


def class_attribute(m: Machine, cls: type, name: str) -> Value | None:
    """What method resolution finds for a name, unbound; None if nothing."""
    if m.class_writes and _written(m, _order(cls), name):
        return resolve(m, class_facts.order(m, cls), name)
    try:
        return m.class_attributes[cls, name]
    except KeyError:
        found = m.class_attributes[cls, name] = _looked_up(m, cls, name)
        return found


def _looked_up(m: Machine, cls: type, name: str) -> Value | None:
    if cls.__flags__ & IMMUTABLE_TYPE:
        found = find_class_attribute(cls, name)
        return None if found is ABSENT else Known(found)
    seen = Observed(m.ledger.paths.start("object", cls), cls, m.ledger)
    if not _is_number(seen, name) and seen.learn(facts.class_attribute, name) is ABSENT:
        return None
    return _lifted(m, seen, name)


def _is_number(cls: Observed, name: str) -> bool:
    """Whether it may be a counter: the object found would be another one each time."""
    return type(cls.convert(lambda kind: find_class_attribute(kind, name))) in (int, float)


def _lifted(m: Machine, cls: Observed, name: str) -> Value:
    child = cls.child("type_attr", name)
    if _is_number(cls, name):
        return lifting.lift(m, child)
    found = cls.learn(facts.class_attribute, name)
    if isinstance(found, PINNED) and not isinstance(found, type):
        return Known(found, child)  # the look-up itself pins it
    return lifting.lift(m, child)


def _written(m: Machine, order: Iterable[type], name: str) -> bool:
    return any(base in m.made_classes or name in m.class_writes.get(base, ()) for base in order)


def resolve(m: Machine, order: Iterable[type], name: str) -> Value | None:
    """What the first class of `order` that has the name has under it; None if none does."""
    for base in order:
        written = m.class_writes.get(base, {}).get(name)
        if written is NULL:
            continue
        if written is not None:
            return written
        if base in m.made_classes or base.__flags__ & IMMUTABLE_TYPE:
            if name in _own(base):
                return Known(_own(base)[name])
            continue
        seen = Observed(m.ledger.paths.start("object", base), base, m.ledger)
        if name in _own(base):
            return _lifted(m, seen, name)
        if _is_number(seen, name):
            seen.child("class_dict").learn(facts.has_key, name)
        else:
            seen.learn(facts.class_attribute, name)
    return None


def is_in_python(function: object) -> bool:
    return isinstance(function, types.FunctionType)
