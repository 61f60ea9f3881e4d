"""Locks. Taking and giving one back is replayed with the other effects, so that these happen under it as they should.

Nothing needs to be known about the lock: the real one waits when it has to.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.getter import GetterValue
from framelift.values.known import NONE, TRUE, Known
from framelift.values.reasons import UNKNOWN_CALL, UNKNOWN_OPERATION, Break

_KINDS: tuple[Any, ...] = (type(threading.Lock()), type(threading.RLock()))


def _lock(kind: Any) -> None:
    @model(kind.__enter__)
    def enter(m: Tracer, self: Value, /) -> Value:
        m.effects.add(kind.acquire, self)
        return TRUE

    @model(kind.acquire)
    def acquire(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
        if args or kwargs:
            raise Break(UNKNOWN_OPERATION, "a lock that may not be got")
        return enter(m, self)

    @model(kind.release)
    def release(m: Tracer, self: Value, /) -> Value:
        m.effects.add(kind.release, self)
        return NONE

    @model(kind.__exit__)
    def leave(m: Tracer, self: Value, /, *args: Value) -> Value:
        return release(m, self)


for _kind in _KINDS:
    _lock(_kind)


@model(type(threading.RLock()))
def make_lock(m: Tracer, /) -> Value:
    return GetterValue(type(threading.RLock()), [], {})


@model(threading.get_ident)
def get_ident(m: Tracer, /) -> Value:
    """Assumed to stay the same: most functions are called by one thread."""
    number = threading.get_ident()
    m.assume(Break(UNKNOWN_CALL, threading.get_ident), holds=functools.partial(_runs_in, number))
    return Known(number)


def _runs_in(thread: int) -> bool:
    return threading.get_ident() == thread
