"""Of `itertools`: arrangements of items that are all known at the start, the branches of `tee`, and `chain`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from framelift.values.base import Raised, Tracer, Value
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


class ChainIterator(IteratorValue):
    """`chain`: items from `active` and then from whatever `source` gives next. None: there is nothing any more."""

    __slots__ = ("source", "active")

    def __init__(self, source: Value | None, active: Value | None = None) -> None:
        super().__init__()
        self.source = source
        self.active = active

    @property
    def cls(self) -> type:
        return itertools.chain

    def advance(self, tracer: Tracer) -> Value | None:
        while self.source is not None:
            if self.active is None and not self._go_on(tracer):
                break
            assert self.active is not None
            item = tracer.next(self.active)
            if item is not None:
                return item
            self.move(tracer, self.source, None)
        return None

    def _go_on(self, tracer: Tracer) -> bool:
        """Turn to the next iterable, if there is one. One that cannot be iterated over ends it all."""
        source = self.source
        assert source is not None
        try:
            following = tracer.next(source)
            active = None if following is None else tracer.iterator(following)
        except Raised:
            self.move(tracer, None, None)
            raise
        self.move(tracer, None if active is None else source, active)
        return active is not None

    def move(self, tracer: Tracer, source: Value | None, active: Value | None) -> None:
        """Have it stand elsewhere."""
        self.source, self.active = source, active
