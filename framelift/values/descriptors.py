"""`staticmethod`, `classmethod` and `property` objects made in the call."""

from __future__ import annotations

from framelift.values.base import Value


class DescriptorValue(Value):
    """`parts`: the function, or what reads, writes and deletes a property, and its document."""

    __slots__ = ("_cls", "parts")

    def __init__(self, cls: type, parts: list[Value]) -> None:
        super().__init__()
        self._cls = cls
        self.parts = parts

    @property
    def cls(self) -> type:
        return self._cls
