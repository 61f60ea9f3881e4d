"""`enumerate`, `zip`, `map`, `filter` and `iter(function, sentinel)`: iterators that draw from other iterators."""

from __future__ import annotations

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.known import Known
from framelift.values.sequence import TupleValue

_BY_CALLS = type(iter(int, 1))


class EnumerateIterator(IteratorValue):
    """`enumerate(source, index)`"""

    __slots__ = ("source", "index")

    def __init__(self, source: Value, index: Value) -> None:
        super().__init__()
        self.source = source
        self.index = index

    @property
    def cls(self) -> type:
        return enumerate

    def advance(self, tracer: Tracer) -> Value | None:
        item = tracer.next(self.source)
        if item is None:
            return None
        index, self.index = self.index, tracer.binary("+", self.index, Known(1))
        return TupleValue([index, item], tuple)


class ZipIterator(IteratorValue):
    """`zip(*sources, strict=strict)`"""

    __slots__ = ("sources", "strict")

    def __init__(self, sources: list[Value], strict: bool) -> None:
        super().__init__()
        self.sources = sources
        self.strict = strict

    @property
    def cls(self) -> type:
        return zip

    def advance(self, tracer: Tracer) -> Value | None:
        items: list[Value] = []
        for source in self.sources:
            item = tracer.next(source)
            if item is None:
                if self.strict:
                    self._check_end(tracer, len(items))
                return None
            items.append(item)
        return TupleValue(items, tuple) if items else None

    def _check_end(self, tracer: Tracer, number: int) -> None:
        """One source has ended: with `strict` the others must have ended too."""
        if number:
            tracer.throw(ValueError, f"zip() argument {number + 1} is shorter than argument{_up_to(number)}")
        for index, source in enumerate(self.sources[1:], 1):
            if tracer.next(source) is not None:
                tracer.throw(ValueError, f"zip() argument {index + 1} is longer than argument{_up_to(index)}")


def _up_to(number: int) -> str:
    return f"s 1-{number}" if number > 1 else " 1"


class MapIterator(IteratorValue):
    """`map(function, *sources)`"""

    __slots__ = ("function", "sources")

    def __init__(self, function: Value, sources: list[Value]) -> None:
        super().__init__()
        self.function = function
        self.sources = sources

    @property
    def cls(self) -> type:
        return map

    def advance(self, tracer: Tracer) -> Value | None:
        items: list[Value] = []
        for source in self.sources:
            item = tracer.next(source)
            if item is None:
                return None
            items.append(item)
        return tracer.call(self.function, items)


class FilterIterator(IteratorValue):
    """`filter(function, source)`"""

    __slots__ = ("function", "source")

    def __init__(self, function: Value, source: Value) -> None:
        super().__init__()
        self.function = function
        self.source = source

    @property
    def cls(self) -> type:
        return filter

    def advance(self, tracer: Tracer) -> Value | None:
        plain = isinstance(self.function, Known) and (self.function.obj is None or self.function.obj is bool)
        while (item := tracer.next(self.source)) is not None:
            if tracer.truth(item if plain else tracer.call(self.function, [item])):
                return item
        return None


class CallIterator(IteratorValue):
    """`iter(function, sentinel)`"""

    __slots__ = ("function", "sentinel", "done")

    def __init__(self, function: Value, sentinel: Value) -> None:
        super().__init__()
        self.function = function
        self.sentinel = sentinel
        self.done = False

    @property
    def cls(self) -> type:
        return _BY_CALLS

    def advance(self, tracer: Tracer) -> Value | None:
        if self.done:
            return None
        item = tracer.call(self.function, [])
        if self.sentinel is item or tracer.truth(tracer.compare("==", self.sentinel, item)):
            self.done = True
            return None
        return item
