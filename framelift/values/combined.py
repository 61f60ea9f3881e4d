"""Iterators over arrangements of items that are all known at the start, and the branches of `itertools.tee`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.sequence import TupleValue


class ArrangementIterator(IteratorValue):
    """`product`, `permutations` and their kind: the real one, run over values one step at a time."""

    __slots__ = ("pools", "options", "given", "_source", "_cls")

    def __init__(self, cls: Any, pools: list[list[Value]], options: tuple[Any, ...]) -> None:
        super().__init__()
        self._cls = cls
        self.pools = pools
        self.options = options
        self.given = 0
        self._source: Iterator[tuple[Value, ...]] = cls(*pools, *options)

    @property
    def cls(self) -> type:
        found: type = self._cls
        return found

    def advance(self, tracer: Tracer) -> Value | None:
        for items in self._source:
            self.given += 1
            return TupleValue(list(items), tuple)
        return None


class TeeIterator(IteratorValue):
    """One of several iterators over the same source. What one has read and others have not is kept for them."""

    __slots__ = ("source", "buffer", "position", "_cls")

    def __init__(self, source: Value, buffer: list[Value], cls: type) -> None:
        super().__init__()
        self.source = source
        self.buffer = buffer
        self.position = 0
        self._cls = cls

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position == len(self.buffer):
            item = tracer.next(self.source)
            if item is None:
                return None
            self.buffer.append(item)
        self.position += 1
        return self.buffer[self.position - 1]
