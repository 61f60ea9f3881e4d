"""Models of ranges; of one with symbolic parts the methods are Python code that is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.models.contents import NOT_AN_INTEGER, as_index, as_slice
from framelift.models.registry import model
from framelift.models.symbols import takes_symbols
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.range_iterator import RangeIterator
from framelift.values.ranges import RangeValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue


@model(range.__new__)
def new_range(m: Tracer, cls: Value, /, *args: Value) -> Value:
    numbers = [_number(m, arg) for arg in args]
    if 1 <= len(numbers) <= len(_PARTS) and any(isinstance(number, SymbolValue) for number in numbers):
        first = [Known(0)] if len(numbers) == 1 else []
        parts = [*first, *numbers, Known(1)][: len(_PARTS)]
        if m.truth(m.compare("==", parts[2], Known(0))):
            m.throw(ValueError, "range() arg 3 must not be zero")
        return RangeValue(parts)
    done = m.fold(range, numbers)
    if done is None:
        raise Break(UNKNOWN_OPERATION, "range() of other things than numbers")
    return done


def _number(m: Tracer, value: Value) -> Value:
    if (isinstance(value, Known) and value.literal) or (isinstance(value, SymbolValue) and value.cls is int):
        return value
    return Known(as_index(m, value, NOT_AN_INTEGER))


_PARTS = ("start", "stop", "step")


def _part(number: int, name: str) -> None:
    @model(vars(range)[name])
    def get(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, RangeValue):
            return self.parts[number]
        if not isinstance(self, Known):
            raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a {self.cls.__name__}")
        return m.constant(getattr(self.obj, name))


for _number_of_part, _name in enumerate(_PARTS):
    _part(_number_of_part, _name)


@model(range.__iter__)
def iterate(m: Tracer, self: Value, /) -> Value:
    return RangeIterator(self) if isinstance(self, RangeValue) else m.iterator(self)


def _length(self: range) -> int:
    if self.step > 0:
        return (self.stop - self.start + self.step - 1) // self.step if self.start < self.stop else 0
    return (self.start - self.stop - self.step - 1) // -self.step if self.start > self.stop else 0


def _item(self: range, index: Any) -> Any:
    length = len(self)
    if isinstance(index, slice):
        first, last, step = index.indices(length)
        return range(self.start + first * self.step, self.start + last * self.step, self.step * step)
    if index < 0:
        index = index + length
    if index < 0 or index >= length:
        raise IndexError("range object index out of range")
    return self.start + index * self.step


def _contains(self: range, obj: Any) -> bool:
    if type(obj) is not int and type(obj) is not bool:
        return any(item is obj or item == obj for item in self)
    inside = self.start <= obj < self.stop if self.step > 0 else self.stop < obj <= self.start
    return inside and (obj - self.start) % self.step == 0


def _index(self: range, obj: Any) -> int:
    if type(obj) is not int and type(obj) is not bool:
        for place, item in enumerate(self):
            if item is obj or item == obj:
                return place
        raise ValueError("sequence.index(x): x not in sequence")
    if obj not in self:
        raise ValueError(f"{obj!r} is not in range")
    return (obj - self.start) // self.step


def _count(self: range, obj: Any) -> int:
    if type(obj) is not int and type(obj) is not bool:
        return sum(item is obj or item == obj for item in self)
    return 1 if obj in self else 0


def _equal(self: range, other: Any) -> Any:
    if not isinstance(other, range):
        return NotImplemented
    length = len(self)
    if length != len(other):
        return False
    if length == 0:
        return True
    return self.start == other.start and (length == 1 or self.step == other.step)


def _unequal(self: range, other: Any) -> Any:
    return not _equal(self, other) if isinstance(other, range) else NotImplemented


def _truth(self: range) -> bool:
    return len(self) != 0


def _backwards(self: range) -> Any:
    return iter(self[::-1])


def _method(name: str, traced: Callable[..., Any]) -> None:
    method = vars(range)[name]

    @model(method)
    def call(m: Tracer, self: Value, /, *args: Value) -> Any:
        symbolic = any(isinstance(arg, RangeValue | SymbolValue) for arg in (self, *args))
        if symbolic and issubclass(self.cls, range):
            return m.entered(Known(traced), [self, *(_settled(m, arg, name) for arg in args)], {})
        folded = m.fold(method, [self, *(_settled(m, arg, name) for arg in args)])
        if folded is None:
            raise Break(UNKNOWN_OPERATION, f"{name} of a range with other things than numbers")
        return folded


def _settled(m: Tracer, value: Value, name: str) -> Value:
    """An index as a number or a slice of numbers."""
    if name != "__getitem__" or (isinstance(value, SymbolValue) and value.cls is int):
        return value
    if isinstance(value, SliceValue) and any(isinstance(part, SymbolValue) for part in value.parts):
        return value
    if isinstance(value, SliceValue):
        real = as_slice(m, value)
        return SliceValue([Known(real.start), Known(real.stop), Known(real.step)])
    return Known(as_index(m, value, "range indices must be integers or slices, not {}"))


_METHODS: dict[str, Callable[..., Any]] = {
    "__len__": _length,
    "__getitem__": _item,
    "__contains__": _contains,
    "__eq__": _equal,
    "__ne__": _unequal,
    "__bool__": _truth,
    "__reversed__": _backwards,
    "index": _index,
    "count": _count,
}
for _name, _traced in _METHODS.items():
    _method(_name, _traced)

takes_symbols(range.__new__, range.__iter__, *(vars(range)[name] for name in (*_PARTS, *_METHODS)))
takes_symbols(zip.__new__, map.__new__, filter.__new__, reversed.__new__, len, slice.indices)
