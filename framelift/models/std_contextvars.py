"""Models of `contextvars`. What a variable has is guarded; setting one is left to Python, whose tokens are real."""

from __future__ import annotations

import contextvars

from framelift import _core
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_CALL, Break

_OR_ITS_DEFAULT = 1


@model(contextvars.ContextVar.get)
def get(m: Tracer, self: Value, default: Value | None = None, /) -> Value:
    if self.seen is None:
        raise Break(UNKNOWN_CALL, contextvars.ContextVar.get)
    value = m.lift(self.seen.child("context_value", 0 if default is not None else _OR_ITS_DEFAULT))
    if not isinstance(value, Known) or value.obj is not _core.UNSET:
        return value
    return m.raise_value(LookupError, [self]) if default is None else default
