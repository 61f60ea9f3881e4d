"""`io.StringIO` made in the call: the texts written to it."""

from __future__ import annotations

import io

from framelift.values.base import Value
from framelift.values.instance import InstanceValue


class TextFileValue(InstanceValue):
    """One that is written at its end. `position`: where it is read, None for its end."""

    __slots__ = ("parts", "position", "closed")

    def __init__(self, parts: list[Value]) -> None:
        super().__init__(io.StringIO)
        self.parts = parts
        self.position: int | None = None
        self.closed = False
