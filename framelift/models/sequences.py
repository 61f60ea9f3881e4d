"""Models of what lists and tuples have in common: items, iteration, search, comparison."""

from __future__ import annotations

from typing import Any

from framelift.models.contents import (
    NOT_AN_INTEGER,
    as_index,
    as_slice,
    content,
    equal,
    is_int,
    known_class,
    receiver,
    refuse_keywords,
)
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.iterators import SequenceIterator
from framelift.values.known import NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue


def kind_of(sequence: Any) -> type:
    """`list` or `tuple`, for instances of subclasses too."""
    return list if isinstance(sequence, ListValue) else tuple


def like(sequence: Any, items: list[Value]) -> Value:
    """A new plain list or tuple."""
    return ListValue(items, list) if isinstance(sequence, ListValue) else TupleValue(items, tuple)


@model(list.__getitem__, tuple.__getitem__)
def get_item(m: Tracer, self: Value, index: Value, /) -> Value:
    sequence = content(self)
    kind = kind_of(sequence).__name__
    if isinstance(index, SliceValue):
        wanted = range(len(sequence))[as_slice(m, index)]
        if isinstance(sequence, TupleValue) and self.cls is tuple and len(wanted) == len(sequence) and wanted.step == 1:
            return self
        return like(sequence, [sequence.at(m, position) for position in wanted])
    position = as_index(m, index, f"{kind} indices must be integers or slices, not {{}}")
    if not -len(sequence) <= position < len(sequence):
        m.throw(IndexError, f"{kind} index out of range")
    result: Value = sequence.at(m, position)
    return result


@model(list.__len__, tuple.__len__)
def length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self)))


@model(list.__iter__, tuple.__iter__)
def iterate(m: Tracer, self: Value, /) -> Value:
    if not isinstance(content(self), Sequence):
        raise Break(UNKNOWN_OPERATION, f"iterating over a {self.cls.__name__}")
    return SequenceIterator(content(self), self)


@polyfill(list.__contains__)
def list_contains(self: Any, item: Any, /) -> bool:
    for other in list.__iter__(self):
        if other is item or other == item:
            return True
    return False


@polyfill(tuple.__contains__)
def tuple_contains(self: Any, item: Any, /) -> bool:
    for other in tuple.__iter__(self):
        if other is item or other == item:
            return True
    return False


@polyfill(list.index)
def list_index(self: Any, item: Any, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    for index in range(*slice(start, stop).indices(list.__len__(self))):
        other = list.__getitem__(self, index)
        if other is item or other == item:
            return index
    raise ValueError(f"{item!r} is not in list")


@polyfill(tuple.index)
def tuple_index(self: Any, item: Any, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    for index in range(*slice(start, stop).indices(tuple.__len__(self))):
        other = tuple.__getitem__(self, index)
        if other is item or other == item:
            return index
    raise ValueError("tuple.index(x): x not in tuple")


@polyfill(list.count)
def list_count(self: Any, item: Any, /) -> int:
    total = 0
    for other in list.__iter__(self):
        if other is item or other == item:
            total += 1
    return total


@polyfill(tuple.count)
def tuple_count(self: Any, item: Any, /) -> int:
    total = 0
    for other in tuple.__iter__(self):
        if other is item or other == item:
            total += 1
    return total


@model(list.__add__, tuple.__add__)
def concatenate(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if not isinstance(right, Sequence) or type(left) is not type(right):
        kind = kind_of(left).__name__
        m.throw(TypeError, f'can only concatenate {kind} (not "{other.cls.__name__}") to {kind}')
    return like(left, left.all(m) + right.all(m))


@model(list.__mul__, list.__rmul__, tuple.__mul__, tuple.__rmul__)
def repeat(m: Tracer, self: Value, times: Value, /) -> Value:
    if not is_int(times) and m.class_attribute(times.cls, "__index__") is None:
        m.throw(TypeError, f"can't multiply sequence by non-int of type {times.cls.__name__!r}")
    count = as_index(m, times, NOT_AN_INTEGER)
    if self.cls is tuple and count == 1:
        return self
    return like(content(self), content(self).all(m) * count)


@model(list.__eq__, tuple.__eq__)
def sequence_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if type(left) is not type(right):
        return NOT_IMPLEMENTED
    if left is right:  # still Python compares the items, which are all identical
        return boolean(True)
    if isinstance(left, ListValue) and len(left) != len(right):
        return boolean(False)
    return boolean(_differing(m, left, right) is None and len(left) == len(right))


def _differing(m: Tracer, left: Sequence, right: Sequence) -> tuple[Value, Value] | None:
    """The first two items that differ; none where one of them has ended. Comparing may change the lists."""
    place = 0
    while place < len(left) and place < len(right):
        mine, theirs = left.at(m, place), right.at(m, place)
        if not equal(m, mine, theirs):
            return (mine, theirs) if place < len(left) and place < len(right) else None
        place += 1
    return None


@model(list.__ne__, tuple.__ne__)
def sequence_not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = sequence_equal(m, self, other)
    return result if result is NOT_IMPLEMENTED else boolean(not m.truth(result))


def _ordering(sign: str) -> Any:
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        left, right = content(self), content(other)
        if type(left) is not type(right):
            return NOT_IMPLEMENTED
        differing = _differing(m, left, right)
        if differing is not None:
            return m.compare(sign, *differing)
        return m.compare(sign, Known(len(left)), Known(len(right)))

    return compare


for _sign, _name in (("<", "__lt__"), ("<=", "__le__"), (">", "__gt__"), (">=", "__ge__")):
    model(getattr(list, _name), getattr(tuple, _name))(_ordering(_sign))


@model(tuple.__new__)
def new_tuple(m: Tracer, cls: Value, items: Value | None = None, /, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if kwargs:
        refuse_keywords(m, made_of, tuple, object)
    if items is not None and items.cls is tuple and made_of is tuple:
        return items
    made = TupleValue([] if items is None else m.unpack(items), tuple)
    if made_of is tuple:
        return made
    instance = InstanceValue(made_of)
    instance.content = made
    return instance


@model(tuple.__dict__["__getnewargs__"])
def new_arguments(m: Tracer, self: Value, /) -> Value:
    return TupleValue([TupleValue(receiver(m, self, tuple, "__getnewargs__").all(m), tuple)], tuple)
