"""Iterators over what is known item by item."""

from __future__ import annotations

from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.sequence import Sequence


class IteratorValue(Value):
    """An iterator made while capturing. `advance` gives None when it is exhausted."""

    __slots__ = ()

    def advance(self, tracer: Tracer) -> Value | None:
        raise NotImplementedError


class SequenceIterator(IteratorValue):
    """Over a list or tuple, which may change meanwhile."""

    __slots__ = ("sequence", "position", "_cls")

    def __init__(self, sequence: Sequence) -> None:
        super().__init__()
        self.sequence = sequence
        self.position = 0
        self._cls: type = type(iter([])) if issubclass(sequence.cls, list) else type(iter(()))

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position >= len(self.sequence):
            return None
        self.position += 1
        return self.sequence.at(tracer, self.position - 1)


class SnapshotIterator(IteratorValue):
    """Over items all known at the start: the characters of a string, the numbers of a range, the keys of a dict."""

    __slots__ = ("items", "position", "_cls")

    def __init__(self, items: list[Value], cls: type) -> None:
        super().__init__()
        self.items = items
        self.position = 0
        self._cls = cls

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position >= len(self.items):
            return None
        self.position += 1
        return self.items[self.position - 1]


class ConstantIterator(IteratorValue):
    """Over a constant, one item at a time: a range may be long."""

    __slots__ = ("source", "iterator")

    def __init__(self, source: Any) -> None:
        super().__init__()
        self.source = source
        self.iterator = iter(source)

    @property
    def cls(self) -> type:
        return type(self.iterator)

    def advance(self, tracer: Tracer) -> Value | None:
        for item in self.iterator:
            return tracer.constant(item)
        return None
