"""Functions that were compiled before they are met in a capture: methods bind as those of functions do."""

from __future__ import annotations

from framelift import _core
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.function import MethodValue
from framelift.values.known import Known


@model(_core.Callable.__get__)
def bind(m: Tracer, self: Value, instance: Value, owner: Value | None = None, /) -> Value:
    return self if isinstance(instance, Known) and instance.obj is None else MethodValue(self, instance)
