"""Iterators over deques, which complain about any change meanwhile."""

from __future__ import annotations

from collections import deque
from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.sequence import DequeValue

_SAMPLE: Any = deque()


class DequeIterator(IteratorValue):
    """Over a deque, forwards or backwards."""

    __slots__ = ("owner", "items", "backwards", "position", "_started")

    def __init__(self, owner: Value, items: DequeValue, backwards: bool = False) -> None:
        super().__init__()
        self.owner = owner
        self.items = items
        self.backwards = backwards
        self.position = 0
        self._started = items.changes

    @property
    def cls(self) -> type:
        return type(reversed(_SAMPLE)) if self.backwards else type(iter(_SAMPLE))

    def steady(self) -> bool:
        """Whether the deque is as it was when iteration began."""
        return self.items.changes == self._started

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position >= len(self.items):
            return None
        if not self.steady():
            tracer.throw(RuntimeError, "deque mutated during iteration")
        self.position += 1
        return self.items.at(tracer, -self.position if self.backwards else self.position - 1)
