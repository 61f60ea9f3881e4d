"""Models of weak references.

Whether a referent still lives at some point of the call is known for objects that existed before, as long as the call
has not let go of anything. Objects made in the call live while the program can get at them; when it no longer can they
may be waiting for the garbage collector, and capture does not guess.
"""

from __future__ import annotations

import weakref
from typing import Any

from framelift.effects.log import nothing
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.known import NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import LIFETIME, UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue
from framelift.values.weak import WeakrefValue

_KEEP_EVERYTHING = frozenset({list.append, list.extend, list.insert, set.add, nothing})


@model(weakref.ref)
def make(m: Tracer, referent: Value, callback: Value | None = None, /) -> Value:
    if isinstance(callback, Known) and callback.obj is None:
        callback = None
    if callback is not None and referent.seen is not None:
        raise Break(UNKNOWN_OPERATION, "a weak reference with a callback")
    if isinstance(referent, WeakrefValue | TensorValue):
        raise Break(UNKNOWN_OPERATION, f"a weak reference to a {referent.cls.__name__}")
    if not referent.cls.__weakrefoffset__:
        raise Break(UNKNOWN_OPERATION, f"a weak reference to a {referent.cls.__name__}")
    note_weakly_held(m, referent)
    return WeakrefValue(referent, callback=callback)


def note_weakly_held(m: Tracer, referent: Value) -> None:
    """There is a weak reference to an object from now on."""
    _check_held(m, referent)
    m.lifetimes = m.lifetimes or (referent.seen is None and not isinstance(referent, Known))


@model(weakref.ref.__call__)
def dereference(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, WeakrefValue) and self.referent is not None:
        return living(m, self.referent)
    if self.seen is None:
        raise Break(UNKNOWN_OPERATION, "a weak reference made during the call")
    return living(m, m.lift(self.seen.child("weakref")))


def living(m: Tracer, referent: Value) -> Value:
    """What a weak reference leads to, if there is no doubt that it still lives."""
    if referent.seen is None:
        if not (isinstance(referent, Known) or m.is_reachable(referent)):
            raise Break(LIFETIME, "a weak reference to an object that the program has let go of")
        return referent
    _check_held(m, referent)
    changed = any(effect.function not in _KEEP_EVERYTHING for effect in m.effects.effects)
    if changed and not m.is_held(referent):
        raise Break(UNKNOWN_OPERATION, "a weak reference used after the call has changed what holds the object")
    return referent


def _check_held(m: Tracer, referent: Value) -> None:
    """Of what a graph break left behind, the frame that broke may have the only reference."""
    if referent.seen is not None and not isinstance(referent, Known) and referent.seen.token() in m.passed:
        raise Break(LIFETIME, "a weak reference to an object that was there when the graph broke")


@polyfill(weakref.WeakKeyDictionary.__setitem__)
def set_weakly(self: Any, key: Any, value: Any) -> None:
    """A key that is there stays, so that no reference with a callback has to be made."""
    reference = weakref.ref(key)
    if reference not in self.data:
        reference = weakref.ref(key, self._remove)
    self.data[reference] = value


@model(weakref.ref.__eq__)
def equal(m: Tracer, self: Value, other: Value, /) -> Value:
    if not issubclass(other.cls, weakref.ref):
        return NOT_IMPLEMENTED
    made = all(isinstance(ref, WeakrefValue) and ref.referent is not None for ref in (self, other))
    if not made and m.same(self, other):
        return boolean(True)
    left, right = dereference(m, self), dereference(m, other)
    for referent in (left, right):
        if isinstance(referent, Known) and referent.obj is None:
            return boolean(False)
    return m.compare("==", left, right)
