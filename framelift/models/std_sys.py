"""Models of `sys`: the exception being handled, interned strings."""

from __future__ import annotations

import sys

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.sequence import TupleValue


@model(sys.exception)
def exception(m: Tracer, /) -> Value:
    return m.current_exception()


@model(sys.exc_info)
def exc_info(m: Tracer, /) -> Value:
    found = m.current_exception()
    if isinstance(found, Known) and found.obj is None:
        return TupleValue([NONE, NONE, NONE], tuple)
    return TupleValue([Known(found.cls), found, m.getattr(found, "__traceback__")], tuple)


@model(sys.intern)
def intern(m: Tracer, text: Value, /) -> Value:
    if not isinstance(text, Known) or type(text.obj) is not str:
        m.throw(TypeError, f"intern() argument must be str, not {text.cls.__name__}")
    return text
