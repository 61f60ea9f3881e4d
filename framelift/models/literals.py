"""Operators of numbers and texts whose other operand is no literal. Literals alone are folded."""

from __future__ import annotations

from typing import Any

from framelift.models.contents import as_index, as_slice, content
from framelift.models.deferred_texts import joined
from framelift.models.registry import model
from framelift.values.arrays import NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.identity_number import IdentityNumber
from framelift.values.known import NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import LIFETIME, UNKNOWN_OPERATION, Break
from framelift.values.slices import SliceValue

_NUMBERS: tuple[Any, ...] = (int, float, complex)
_TEXTS: tuple[Any, ...] = (str, bytes)
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_SIGNS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor")


def _is_literal(value: Value) -> bool:
    return isinstance(content(value), Known)


def _or_not_implemented(method: Any) -> None:
    """Numbers leave it to the other operand, unless that is a number too."""

    @model(method)
    def operate(m: Tracer, self: Value, other: Value, /, *rest: Value) -> Value:
        folded = m.fold(method, [self, other, *rest])
        if folded is not None:
            return folded
        if isinstance(other, NumberValue):
            return NOT_IMPLEMENTED
        if _is_literal(self) and not issubclass(other.cls, (*_NUMBERS, *_TEXTS)):
            return NOT_IMPLEMENTED
        if isinstance(self, IdentityNumber) and isinstance(other, IdentityNumber):
            return _compared(m, method.__name__, self, other)
        raise Break(UNKNOWN_OPERATION, f"{method.__name__} of a {self.cls.__name__} and a {other.cls.__name__}")


def _compared(m: Tracer, name: str, left: IdentityNumber, right: IdentityNumber) -> Value:
    """Of two objects that live at the same time."""
    if name not in ("__eq__", "__ne__"):
        raise Break(UNKNOWN_OPERATION, f"{name} of what id() gave")
    for number in (left, right):
        if number.of.seen is None and not m.is_reachable(number.of):
            raise Break(LIFETIME, "the id() of an object that the program has let go of")
    return boolean(m.same(left.of, right.of) is (name == "__eq__"))


for _kind in _NUMBERS:
    for _name in (*_COMPARISONS, *(f"__{side}{sign}__" for sign in _SIGNS for side in ("", "r"))):
        if _name in vars(_kind):
            _or_not_implemented(vars(_kind)[_name])

for _kind in _TEXTS:
    for _name in _COMPARISONS:
        _or_not_implemented(vars(_kind)[_name])


def _concatenate(kind: Any) -> None:
    @model(kind.__add__)
    def add(m: Tracer, self: Value, other: Value, /) -> Value:
        folded = m.fold(kind.__add__, [self, other])
        if folded is not None:
            return folded
        name = other.cls.__name__
        if issubclass(self.cls, str) and issubclass(other.cls, str):
            return joined(m, [content(self), content(other)])
        if kind is str:
            m.throw(TypeError, f'can only concatenate str (not "{name}") to str')
        m.throw(TypeError, f"can't concat {name} to bytes")

    @model(kind.__mul__, kind.__rmul__)
    def repeat(m: Tracer, self: Value, times: Value, /) -> Value:
        message = "can't multiply sequence by non-int of type '{}'"
        done = m.fold(kind.__mul__, [self, Known(as_index(m, times, message))])
        assert done is not None
        return done

    @model(kind.__getitem__)
    def item(m: Tracer, self: Value, index: Value, /) -> Value:
        if isinstance(index, SliceValue):
            real = as_slice(m, index)
            index = SliceValue([Known(real.start), Known(real.stop), Known(real.step)])
        elif not _is_literal(index):
            kind_name = "string" if kind is str else "byte"
            tail = ", not '{}'" if kind is str else ", not {}"
            index = Known(
                as_index(m, index, f"{kind_name} indices must be integers{' or slices' if kind is bytes else ''}{tail}")
            )
        done = m.fold(kind.__getitem__, [self, index])
        assert done is not None
        return done


for _kind in _TEXTS:
    _concatenate(_kind)


@model(str.__contains__)
def contains(m: Tracer, self: Value, part: Value, /) -> Value:
    folded = m.fold(str.__contains__, [self, part])
    if folded is not None:
        return folded
    m.throw(TypeError, f"'in <string>' requires string as left operand, not {part.cls.__name__}")
