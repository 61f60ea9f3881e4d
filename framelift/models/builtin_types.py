"""Models of the constructors of built-in types that have no contents of their own to model."""

from __future__ import annotations

import operator
from typing import Any

from framelift.models.contents import NOT_AN_INTEGER, as_index, as_slice
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.sequence import TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue


@model(bool)
def make_bool(m: Tracer, obj: Value | None = None, /) -> Value:
    return boolean(obj is not None and m.truth(obj))


@model(slice.__new__)
def make_slice(m: Tracer, cls: Value, first: Value, stop: Value | None = None, step: Value = NONE, /) -> Value:
    return SliceValue([NONE, first, NONE] if stop is None else [first, stop, step])


def _part(number: int, name: str) -> None:
    @model(slice.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        assert isinstance(self, SliceValue)
        return self.parts[number]


for _number, _name in enumerate(("start", "stop", "step")):
    _part(_number, _name)


@model(slice.indices)
def slice_indices(m: Tracer, self: Value, length: Value, /) -> Value:
    assert isinstance(self, SliceValue)
    if any(isinstance(number, SymbolValue) for number in (length, *self.parts)):
        return m.call(Known(_indices), [*self.parts, length])
    size = as_index(m, length, NOT_AN_INTEGER)
    if size < 0:
        m.throw(ValueError, "length should not be negative")
    real = as_slice(m, self)
    return m.constant(real.indices(size))


def _indices(start: Any, stop: Any, step: Any, length: Any) -> Any:
    """The same with symbolic numbers (traced)."""
    step = 1 if step is None else operator.index(step)
    length = operator.index(length)
    if length < 0:
        raise ValueError("length should not be negative")
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, length) if step > 0 else (-1, length - 1)
    first, last = (low, high) if step > 0 else (high, low)
    return _place(start, first, low, high, length), _place(stop, last, low, high, length), step


def _place(bound: Any, default: Any, low: Any, high: Any, length: Any) -> Any:
    if bound is None:
        return default
    place = operator.index(bound)
    if place < 0:
        place = place + length
        return low if place < low else place  # noqa: FURB136 - a branch says more about sizes
    return high if place > high else place  # noqa: FURB136


def _slice_comparison(sign: str, name: str) -> None:
    @model(getattr(slice, name))
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        if not isinstance(self, SliceValue) or not isinstance(other, SliceValue):
            return NOT_IMPLEMENTED
        return m.compare(sign, TupleValue(self.parts, tuple), TupleValue(other.parts, tuple))


for _sign, _name in (
    ("==", "__eq__"),
    ("!=", "__ne__"),
    ("<", "__lt__"),
    ("<=", "__le__"),
    (">", "__gt__"),
    (">=", "__ge__"),
):
    _slice_comparison(_sign, _name)


@model(slice.__repr__)
def slice_repr(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, SliceValue)
    return m.call(Known(_slice_shown), [TupleValue(self.parts, tuple)])


def _slice_shown(parts: Any) -> str:
    """(traced)"""
    return f"slice{parts!r}"


@model(repr)
def make_repr(m: Tracer, obj: Value, /) -> Value:
    return m.text(obj, "repr")
