"""Ranges of which a part is symbolic. One of known numbers is a literal."""

from __future__ import annotations

from framelift.values.base import Value


class RangeValue(Value):
    """`range(start, stop, step)`"""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Value]) -> None:
        super().__init__()
        self.parts = parts

    @property
    def cls(self) -> type:
        return range
