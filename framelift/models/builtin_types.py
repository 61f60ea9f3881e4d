"""Models of the constructors of built-in types that have no contents of their own to model."""

from __future__ import annotations

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, Known, boolean
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.sets import SetValue
from framelift.values.slices import SliceValue
from framelift.values.tensor import TensorValue


@model(bool)
def make_bool(m: Tracer, obj: Value | None = None, /) -> Value:
    return boolean(obj is not None and m.truth(obj))


@model(slice)
def make_slice(m: Tracer, *parts: Value) -> Value:
    if len(parts) == 1:
        return SliceValue([NONE, parts[0], NONE])
    return SliceValue([*parts, NONE][:3])


@model(frozenset)
def make_frozenset(m: Tracer, items: Value | None = None, /) -> Value:
    made = SetValue(frozenset)
    if items is not None:
        for item in m.unpack(items):
            made.add(m, item)
    return made


@model(str)
def make_str(m: Tracer, obj: Value | None = None, /) -> Value:
    return Known("") if obj is None else m.text(obj, "str")


@model(repr)
def make_repr(m: Tracer, obj: Value, /) -> Value:
    return m.text(obj, "repr")


def _number(kind: type, name: str) -> None:
    @model(kind)
    def make(m: Tracer, *args: Value) -> Value:
        if args and isinstance(args[0], TensorValue):
            raise Break(DATA_DEPENDENT, f"{kind.__name__}() of a tensor")
        folded = m.fold(kind, list(args))
        if folded is not None:
            result: Value = folded
            return result
        return m.call_method(args[0], name, [])


for _kind, _name in ((int, "__int__"), (float, "__float__")):
    _number(_kind, _name)
