"""Models of `sys`: the exception being handled."""

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
