"""Iterators over what is known item by item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.sequence import Sequence


class IteratorValue(Value):
    """An iterator made while capturing. `advance` gives None when it is exhausted."""

    __slots__ = ()

    def advance(self, tracer: Tracer) -> Value | None:
        raise NotImplementedError


class SequenceIterator(IteratorValue):
    """Over a list or tuple, which may change meanwhile. `owner` is the object itself if that has a class of its own."""

    __slots__ = ("sequence", "position", "owner", "done", "_cls")

    def __init__(self, sequence: Sequence, owner: Value | None = None) -> None:
        super().__init__()
        self.sequence = sequence
        self.owner = sequence if owner is None else owner
        self.position = 0
        self.done = False  # once at its end it stays there, even if the list grows
        self._cls: type = type(iter([])) if issubclass(sequence.cls, list) else type(iter(()))

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if self.done or self.position >= len(self.sequence):
            self.done = True
            return None
        self.position += 1
        return self.sequence.at(tracer, self.position - 1)


class ConstantIterator(IteratorValue):
    """Over a constant, one item at a time: a range may be long."""

    __slots__ = ("source", "iterator", "given", "start")

    def __init__(self, source: Any, start: Callable[[Any], Any] = iter) -> None:
        super().__init__()
        self.source = source
        self.start = start
        self.iterator = start(source)
        self.given = 0  # how many items it has given; one more once it has ended

    @property
    def cls(self) -> type:
        return type(self.iterator)

    def advance(self, tracer: Tracer) -> Value | None:
        self.given += 1
        for item in self.iterator:
            return tracer.constant(item)
        return None
