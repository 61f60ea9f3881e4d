"""`function.__annotations__` of a function that existed before the call: handed on, but not looked into."""

from __future__ import annotations

from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break


class AnnotationsValue(DictValue):
    """The annotations of a function. Whoever only passes them on, as `functools.wraps` does, needs no guard."""

    __slots__ = ("function",)

    def __init__(self, function: Value) -> None:
        super().__init__()
        self.function = function

    def entries(self, tracer: Tracer) -> Any:
        raise Break(UNKNOWN_OPERATION, "the annotations of a function")

    def get(self, tracer: Tracer, key: Any) -> Value | None:
        raise Break(UNKNOWN_OPERATION, "the annotations of a function")
