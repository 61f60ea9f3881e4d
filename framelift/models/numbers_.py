"""Models of int, float, complex, str and bytes: making them, also instances of their subclasses."""

from __future__ import annotations

from typing import Any

from framelift.models.contents import content, known_class
from framelift.models.deferred_texts import refusal
from framelift.models.registry import model
from framelift.models.torch_scalars import has_number
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_OPERATION, Break
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue
from framelift.values.text import TextValue


def _made(cls: Value, kind: type, value: Value) -> Value:
    """A value of a built-in type, or an instance of a subclass that holds it."""
    made_of = known_class(cls)
    if made_of is kind:
        return value
    made = InstanceValue(made_of)
    made.content = value
    return made


# What a constructor asks an object for, in this order, and what it says of one that has none of these.
_NUMBERS: dict[type, tuple[tuple[str, ...], str]] = {
    int: (
        ("__int__", "__index__", "__trunc__"),
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
    ),
    float: (("__float__", "__index__"), "float() argument must be a string or a real number, not '{}'"),
    complex: (
        ("__complex__", "__float__", "__index__"),
        "complex() first argument must be a string or a number, not '{}'",
    ),
}


def _number(kind: Any) -> None:
    names, message = _NUMBERS[kind]

    @model(kind.__new__)
    def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
        if args and isinstance(args[0], TensorValue) and (kind is complex or not has_number(args[0])):
            raise Break(DATA_DEPENDENT, f"{kind.__name__}() of a tensor")
        return _made(cls, kind, converted(m, args, kwargs))

    def converted(m: Tracer, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
        folded = m.fold(kind, list(args), kwargs)
        if folded is not None:
            return folded
        if len(args) != 1 or kwargs:
            raise Break(UNKNOWN_OPERATION, f"{kind.__name__}() of other things than constants")
        obj = args[0]
        for name in names:
            found = m.class_attribute(obj.cls, name)
            if found is not None and not (isinstance(found, Known) and found.obj is None):
                return _checked(m, kind, obj, name, m.call_method(obj, name, []))
        held = content(obj)
        if isinstance(held, Known) and isinstance(held.obj, str | bytes):
            return converted(m, (held,), {})
        m.throw(TypeError, message.format(obj.cls.__name__))


def _checked(m: Tracer, kind: Any, obj: Value, name: str, result: Value) -> Value:
    """What a conversion method gave, as a number of the kind asked for."""
    wanted = {"__float__": float, "__complex__": complex}.get(name, int)
    if not issubclass(result.cls, wanted):
        shown = {"__float__": f"{obj.cls.__name__}.__float__", "__complex__": "__complex__()"}.get(name, name)
        m.throw(TypeError, f"{shown} returned non-{wanted.__name__} (type {result.cls.__name__})")
    held = content(result)
    if isinstance(held, SymbolValue) and held.cls is kind:
        return held
    if not isinstance(held, Known):
        raise Break(UNKNOWN_OPERATION, f"the number in a {result.cls.__name__}")
    return m.constant(kind(held.obj))


for _number_kind in _NUMBERS:
    _number(_number_kind)


def _part(kind: Any, name: str, of_symbol: Any) -> None:
    """An attribute that is the number itself, or always the same."""

    @model(vars(kind)[name])
    def get(m: Tracer, self: Value, /) -> Value:
        held = content(self)
        if isinstance(held, Known):
            return m.constant(getattr(held.obj, name))
        if not isinstance(held, SymbolValue):
            raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a {self.cls.__name__}")
        return held if of_symbol is None else Known(of_symbol)


for _kind, _name, _always in (
    (int, "real", None),
    (int, "numerator", None),
    (int, "imag", 0),
    (int, "denominator", 1),
    (float, "real", None),
    (float, "imag", 0.0),
):
    _part(_kind, _name, _always)


@model(str.__new__)
def new_str(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if len(args) > 1 or kwargs:
        folded = m.fold(str, list(args), kwargs)
        if folded is None:
            raise Break(UNKNOWN_OPERATION, "str() of other things than constants")
        return _made(cls, str, folded)
    text = m.text(args[0], "str") if args else Known("")
    if known_class(cls) is str:
        return text
    known = specialized(m, text)
    if isinstance(known, TextValue):
        raise refusal()
    return _made(cls, str, known)


@model(bytes.__new__)
def new_bytes(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    folded = m.fold(bytes, list(args), kwargs)
    if folded is None and len(args) == 1 and not kwargs:
        obj = args[0]
        if m.class_attribute(obj.cls, "__bytes__") is not None:
            folded = m.call_method(obj, "__bytes__", [])
        elif m.class_attribute(obj.cls, "__iter__") is not None:
            folded = m.fold(bytes, [m.call(Known(tuple), [obj])])
    if folded is None:
        raise Break(UNKNOWN_OPERATION, "bytes() of other things than constants")
    return _made(cls, bytes, folded)
