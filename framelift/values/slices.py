"""Slices, whose parts may be anything."""

from __future__ import annotations

from framelift.guards.observed import Observed
from framelift.values.base import Value


class SliceValue(Value):
    """`slice(start, stop, step)`"""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Value], seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.parts = parts

    @property
    def cls(self) -> type:
        return slice
