"""torch.Size: a tuple of sizes with a class of its own, which slices, sums and products keep."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.contents import content, known_class
from framelift.models.registry import model, polyfill
from framelift.models.sequences import get_item, repeat
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.slices import SliceValue


def size_of(items: list[Value]) -> TupleValue:
    return TupleValue(items, torch.Size)


@model(torch.Size.__new__)
def new_size(m: Tracer, cls: Value, items: Value | None = None, /) -> Value:
    if known_class(cls) is not torch.Size:
        raise Break(UNKNOWN_OPERATION, "a subclass of torch.Size")
    parts = [] if items is None else m.unpack(items)
    if any(part.cls not in (int, bool) for part in parts):
        raise Break(UNKNOWN_OPERATION, "a torch.Size of something other than ints")
    return size_of(parts)


@model(torch.Size.__getitem__)
def size_item(m: Tracer, self: Value, index: Value, /) -> Value:
    found = get_item(m, TupleValue(content(self).all(m), tuple), index)
    return size_of(found.all(m)) if isinstance(index, SliceValue) and isinstance(found, TupleValue) else found


def _joined(m: Tracer, left: Value, right: Value, said: str) -> Value:
    parts = [content(left), content(right)]
    for part, value in zip(parts, (left, right), strict=True):
        if not isinstance(part, Sequence) or not issubclass(value.cls, tuple):
            m.throw(TypeError, said.format(value.cls.__name__))
    return size_of([item for part in parts for item in part.all(m)])


@model(torch.Size.__add__)
def add(m: Tracer, self: Value, other: Value, /) -> Value:
    return _joined(m, self, other, 'can only concatenate tuple (not "{}") to tuple')


@model(torch.Size.__radd__)
def add_reflected(m: Tracer, self: Value, other: Value, /) -> Value:
    if not issubclass(other.cls, tuple):
        return Known(NotImplemented)
    return _joined(m, other, self, "")


@model(torch.Size.__mul__, torch.Size.__rmul__)
def multiplied(m: Tracer, self: Value, times: Value, /) -> Value:
    found = repeat(m, TupleValue(content(self).all(m), tuple), times)
    assert isinstance(found, TupleValue)
    return size_of(found.all(m))


@polyfill(torch.Size.numel)
def numel(self: Any, /) -> int:
    total = 1
    for size in self:
        total = total * size
    return total


@polyfill(torch.Size.__repr__)
def shown(self: Any, /) -> str:
    return f"torch.Size([{', '.join([str(size) for size in self])}])"
