"""Models of the built-in iterators: `enumerate`, `zip`, `map`, `filter`, `reversed`, `iter`, `next`."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

from framelift.models.contents import NOT_AN_INTEGER, as_index, content, known_class, said_by
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.builtin_iterators import (
    CallIterator,
    EnumerateIterator,
    FilterIterator,
    MapIterator,
    ZipIterator,
)
from framelift.values.collection_iterators import DictIterator, ReverseIterator
from framelift.values.iterators import ConstantIterator, IteratorValue
from framelift.values.known import FALSE, Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.symbol import SymbolValue


def _exactly(cls: Value, kind: type) -> None:
    if known_class(cls) is not kind:
        raise Break(UNKNOWN_OPERATION, f"a subclass of {kind.__name__}")


@model(enumerate.__new__)
def make_enumerate(m: Tracer, cls: Value, /, iterable: Value, start: Value | None = None) -> Value:
    _exactly(cls, enumerate)
    first: Value = Known(0) if start is None else start
    if not isinstance(first, SymbolValue):
        first = Known(as_index(m, first, NOT_AN_INTEGER))
    return EnumerateIterator(m.iterator(iterable), first)


@model(zip.__new__)
def make_zip(m: Tracer, cls: Value, /, *iterables: Value, strict: Value = FALSE) -> Value:
    _exactly(cls, zip)
    sources = []
    for number, iterable in enumerate(iterables, 1):
        _check_iterable(m, iterable, "'{}' object is not iterable", number)
        sources.append(m.iterator(iterable))
    return ZipIterator(sources, m.truth(strict))


def _check_iterable(m: Tracer, iterable: Value, message: str, number: int) -> None:
    if all(m.class_attribute(iterable.cls, name) is None for name in ("__iter__", "__getitem__")):
        m.throw(TypeError, message.format(iterable.cls.__name__))


@model(map.__new__)
def make_map(m: Tracer, cls: Value, function: Value, iterable: Value, /, *iterables: Value) -> Value:
    _exactly(cls, map)
    return MapIterator(function, [m.iterator(source) for source in (iterable, *iterables)])


@model(filter.__new__)
def make_filter(m: Tracer, cls: Value, function: Value, iterable: Value, /) -> Value:
    _exactly(cls, filter)
    return FilterIterator(function, m.iterator(iterable))


@model(reversed.__new__)
def make_reversed(m: Tracer, cls: Value, sequence: Value, /) -> Value:
    _exactly(cls, reversed)
    if isinstance(sequence, Known) and sequence.literal and hasattr(type(sequence.obj), "__getitem__"):
        return ConstantIterator(sequence.obj, reversed)
    found = m.class_attribute(sequence.cls, "__reversed__")
    if isinstance(found, Known) and found.obj is None:
        m.throw(TypeError, f"{sequence.cls.__name__!r} object is not reversible")
    if found is not None:
        return m.call_method(sequence, "__reversed__", [])
    if isinstance(sequence, TupleValue):
        return ReverseIterator(sequence, sequence)
    if any(m.class_attribute(sequence.cls, name) is None for name in ("__getitem__", "__len__")):
        m.throw(TypeError, f"{sequence.cls.__name__!r} object is not reversible")
    if isinstance(content(sequence), DictValue):
        m.throw(TypeError, f"{sequence.cls.__name__!r} object is not reversible")
    length = m.call(Known(len), [sequence])
    return m.call(Known(_backwards), [sequence, length])


def _backwards(sequence: Any, length: int) -> Any:
    """Over what has `__len__` and `__getitem__` only (traced)."""
    for index in range(length - 1, -1, -1):
        try:
            item = sequence[index]
        except (IndexError, StopIteration):
            return
        yield item


@model(list.__reversed__)
def reversed_list(m: Tracer, self: Value, /) -> Value:
    sequence = content(self)
    assert isinstance(sequence, ListValue)
    return ReverseIterator(self, sequence)


@model(dict.__reversed__)
def reversed_dict(m: Tracer, self: Value, /) -> Value:
    return DictIterator(m, self, content(self), "keys", backwards=True)


@model(str.__iter__, bytes.__iter__)
def iterate_text(m: Tracer, self: Value, /) -> Value:
    held = content(self)
    if not isinstance(held, Known) or not isinstance(held.obj, str | bytes):
        raise Break(UNKNOWN_OPERATION, f"iterating over a {self.cls.__name__}")
    return ConstantIterator(held.obj)


@model(iter)
def iterate(m: Tracer, obj: Value, sentinel: Value | None = None, /) -> Value:
    if sentinel is None:
        return m.iterator(obj)
    if m.class_attribute(obj.cls, "__call__") is None:
        m.throw(TypeError, said_by(lambda: iter(5, 6)))  # type: ignore[call-overload]
    return CallIterator(obj, sentinel)


@model(next)
def advance(m: Tracer, iterator: Value, default: Value | None = None, /) -> Value:
    if m.class_attribute(iterator.cls, "__next__") is None:
        m.throw(TypeError, f"{iterator.cls.__name__!r} object is not an iterator")
    if isinstance(iterator, IteratorValue):
        item = m.next(iterator)
        if item is None and default is None:
            m.throw(StopIteration)
        return default if item is None else item  # type: ignore[return-value]
    try:
        if issubclass(iterator.cls, GeneratorType):
            return m.call(m.getattr(iterator, "send"), [Known(None)])
        return m.call_method(iterator, "__next__", [])
    except Raised as raised:
        if default is None or not issubclass(raised.value.cls, StopIteration):
            raise
        return default


def _methods_of(kind: type) -> None:
    @model(kind.__dict__["__iter__"])
    def itself(m: Tracer, self: Value, /) -> Value:
        return self

    @model(kind.__dict__["__next__"])
    def step(m: Tracer, self: Value, /) -> Value:
        if not isinstance(self, IteratorValue):
            raise Break(UNKNOWN_OPERATION, f"the next item of a {self.cls.__name__} that existed before")
        item = m.next(self)
        if item is None:
            m.throw(StopIteration)
        return item


_SAMPLES: tuple[Any, ...] = (
    iter([]), iter(()), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(""), iter("é"), iter(b""),
    iter(range(0)), iter(range(1 << 70)), reversed([]), reversed(()), reversed({}), reversed({}.values()),
    reversed({}.items()), enumerate([]), zip([]), map(int, []), filter(int, []), iter(int, 1), iter(bytearray()),
)  # fmt: skip

for _kind in {type(_sample) for _sample in _SAMPLES}:
    _methods_of(_kind)
