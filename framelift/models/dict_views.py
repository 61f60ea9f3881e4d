"""Models of `dict.keys()`, `.values()` and `.items()`, with their set operations."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Set as AbstractSet
from typing import Any

from framelift.models.contents import content, equal
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.collection_iterators import VIEWS, DictIterator, DictView
from framelift.values.keys import key_of
from framelift.values.known import Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


def made_here(view: Value) -> DictView:
    if not isinstance(view, DictView):
        raise Break(UNKNOWN_OPERATION, f"a {view.cls.__name__} that existed before")
    return view


def _view(part: str) -> None:
    view: Any = VIEWS[part]
    ordered: Any = type(getattr(OrderedDict(), part)())
    methods = [cls.__dict__[part] for cls in (dict, OrderedDict) if part in cls.__dict__]

    @model(*methods)
    def make(m: Tracer, self: Value, /) -> Value:
        return DictView(self, content(self), part)

    @model(*{id(iterate): iterate for iterate in (view.__iter__, ordered.__iter__)}.values())
    def iterate(m: Tracer, self: Value, /) -> Value:
        self = made_here(self)
        return DictIterator(m, self.owner, self.entries, part)

    @model(view.__len__)
    def length(m: Tracer, self: Value, /) -> Value:
        self = made_here(self)
        return Known(self.entries.count(m))


for _part in VIEWS:
    _view(_part)

KEYS: Any = VIEWS["keys"]
ITEMS: Any = VIEWS["items"]


@model(KEYS.__contains__)
def keys_contain(m: Tracer, self: Value, name: Value, /) -> Value:
    self = made_here(self)
    return boolean(self.entries.get(m, key_of(m, name)) is not None)


@model(ITEMS.__contains__)
def items_contain(m: Tracer, self: Value, pair: Value, /) -> Value:
    self = made_here(self)
    items = content(pair)
    if not isinstance(items, TupleValue) or len(items) != 2:
        return boolean(False)
    found = self.entries.get(m, key_of(m, items.at(m, 0)))
    return boolean(found is not None and equal(m, found, items.at(m, 1)))


@polyfill(KEYS.__and__, ITEMS.__and__)
def intersection(self: Any, other: Any, /) -> Any:
    made = set()
    if isinstance(other, (type({}.keys()), type({}.items()))) and len(other) > len(self):
        self, other = other, self
    for item in other:
        if item in self:
            made.add(item)
    return made


@polyfill(KEYS.__rand__, ITEMS.__rand__)
def intersection_reflected(self: Any, other: Any, /) -> Any:
    made = set()
    for item in self:
        if item in other:
            made.add(item)
    return made


@polyfill(KEYS.__or__, ITEMS.__or__)
def union(self: Any, other: Any, /) -> Any:
    made = set(self)
    made.update(other)
    return made


@polyfill(KEYS.__ror__, ITEMS.__ror__)
def union_reflected(self: Any, other: Any, /) -> Any:
    made = set(other)
    made.update(self)
    return made


@polyfill(KEYS.__sub__, ITEMS.__sub__)
def difference(self: Any, other: Any, /) -> Any:
    made = set(self)
    made.difference_update(other)
    return made


@polyfill(KEYS.__rsub__, ITEMS.__rsub__)
def difference_reflected(self: Any, other: Any, /) -> Any:
    made = set(other)
    made.difference_update(self)
    return made


@polyfill(KEYS.__xor__, ITEMS.__xor__)
def symmetric_difference(self: Any, other: Any, /) -> Any:
    made = set(self)
    made.symmetric_difference_update(other)
    return made


@polyfill(KEYS.__rxor__, ITEMS.__rxor__)
def symmetric_difference_reflected(self: Any, other: Any, /) -> Any:
    made = set(other)
    made.symmetric_difference_update(self)
    return made


@polyfill(KEYS.isdisjoint, ITEMS.isdisjoint)
def is_disjoint(self: Any, other: Any, /) -> bool:
    for item in other:
        if item in self:
            return False
    return True


def _is_set(other: Any) -> bool:
    return isinstance(other, AbstractSet)


@polyfill(KEYS.__eq__, ITEMS.__eq__)
def view_equal(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return len(self) == len(other) and all(item in other for item in self)


@polyfill(KEYS.__ne__, ITEMS.__ne__)
def view_not_equal(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return not (len(self) == len(other) and all(item in other for item in self))


@polyfill(KEYS.__le__, ITEMS.__le__)
def view_at_most(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return len(self) <= len(other) and all(item in other for item in self)


@polyfill(KEYS.__lt__, ITEMS.__lt__)
def view_less(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return len(self) < len(other) and all(item in other for item in self)


@polyfill(KEYS.__ge__, ITEMS.__ge__)
def view_at_least(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return len(self) >= len(other) and all(item in self for item in other)


@polyfill(KEYS.__gt__, ITEMS.__gt__)
def view_greater(self: Any, other: Any, /) -> Any:
    if not _is_set(other):
        return NotImplemented
    return len(self) > len(other) and all(item in self for item in other)


@model(*(view.__dict__["mapping"] for view in VIEWS.values()))
def mapping(m: Tracer, self: Value, /) -> Value:
    self = made_here(self)
    return m.call(Known(type(type.__dict__)), [self.owner])


_ORDERED = [type(getattr(OrderedDict(), part)()) for part in ("keys", "values", "items")]


@model(*(view.__dict__["__reversed__"] for view in (*VIEWS.values(), *_ORDERED)))
def reversed_view(m: Tracer, self: Value, /) -> Value:
    view = made_here(self)
    return DictIterator(m, view.owner, view.entries, view.part, backwards=True)
