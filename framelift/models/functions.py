"""Models of the attributes of functions and bound methods."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


def _seen(m: Tracer, function: Value) -> Observed:
    assert isinstance(function, Known)
    if function.seen is not None:
        return function.seen
    return Observed(m.ledger.paths.start("object", function.obj), function.obj, m.ledger)


def _attribute(name: str, accessor: str, created: Any) -> None:
    @model(FunctionType.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, FunctionValue):
            found: Value | None = created(m, self)
            return NONE if found is None else found
        return m.lift(_seen(m, self).child(accessor))


_attribute("__code__", "code", lambda m, function: Known(function.code))
_attribute("__defaults__", "defaults", lambda m, function: function.defaults)
_attribute("__kwdefaults__", "kwdefaults", lambda m, function: function.kwdefaults)
_attribute(
    "__closure__",
    "func_closure",
    lambda m, function: TupleValue(list(function.closure), tuple) if function.closure else None,
)


def _name(name: str, created: Any) -> None:
    @model(FunctionType.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, FunctionValue):
            written = self.attributes.written.get(name)
            return Known(created(self)) if written is None else written
        assert isinstance(self, Known)
        return Known(FunctionType.__dict__[name].__get__(self.obj))


_name("__name__", lambda function: function.name)
_name("__qualname__", lambda function: function.qualname)


@model(FunctionType.__dict__["__globals__"])
def get_globals(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, Known):
        raise Break(UNKNOWN_OPERATION, "the globals of a function made during the call")
    return m.lift(_seen(m, self).child("func_globals"))


@model(FunctionType.__dict__["__dict__"])
def get_dict(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, FunctionValue):
        made = DictValue()
        for name, value in self.attributes.written.items():
            made.put(m, Known(name), value)
        return made
    return m.lift(_seen(m, self).child("func_dict"))


@model(FunctionType.__dict__["__annotations__"])  # noqa: RUF063
def get_annotations(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, FunctionValue):
        return DictValue() if self.annotations is None else self.annotations
    raise Break(UNKNOWN_OPERATION, "the annotations of a function")


@model(MethodType.__dict__["__func__"])
def method_function(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, MethodValue)
    return self.function


@model(MethodType.__dict__["__self__"])
def method_receiver(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, MethodValue)
    return self.receiver
