"""Models of weak references.

Whether a referent still lives at some point of the call is known for objects that existed before, as long as the call
has not let go of anything. For objects made in the call it is not.
"""

from __future__ import annotations

import weakref

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.weak import WeakrefValue

_KEEP_EVERYTHING = frozenset({list.append, list.extend, list.insert, set.add})


@model(weakref.ref)
def make(m: Tracer, referent: Value, callback: Value | None = None, /) -> Value:
    if callback is not None and not (isinstance(callback, Known) and callback.obj is None):
        raise Break(UNKNOWN_OPERATION, "a weak reference with a callback")
    if referent.seen is None or isinstance(referent, WeakrefValue):
        raise Break(UNKNOWN_OPERATION, "a weak reference to an object made during the call")
    if not referent.cls.__weakrefoffset__:
        raise Break(UNKNOWN_OPERATION, f"a weak reference to a {referent.cls.__name__}")
    return WeakrefValue(referent)


@model(weakref.ref.__call__)
def dereference(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, WeakrefValue) and self.referent is not None:
        referent = self.referent
    elif self.seen is None:
        raise Break(UNKNOWN_OPERATION, "a weak reference made during the call")
    else:
        referent = m.lift(self.seen.child("weakref"))
    changed = any(effect.function not in _KEEP_EVERYTHING for effect in m.effects.effects)
    if changed and not m.is_held(referent):
        raise Break(UNKNOWN_OPERATION, "a weak reference used after the call has changed what holds the object")
    return referent


@model(weakref.ref.__eq__)
def equal(m: Tracer, self: Value, other: Value, /) -> Value:
    if not issubclass(other.cls, weakref.ref):
        return NOT_IMPLEMENTED
    if m.same(self, other):
        return boolean(True)
    left, right = dereference(m, self), dereference(m, other)
    for referent in (left, right):
        if isinstance(referent, Known) and referent.obj is None:
            return boolean(False)
    return m.compare("==", left, right)
