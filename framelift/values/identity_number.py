"""`id(obj)` of an object whose address is not known for good: a number that equals itself only."""

from __future__ import annotations

from framelift.values.base import Value


class IdentityNumber(Value):
    """What `id()` gave. It can be a key and be compared with others of its kind; the residual asks for the number."""

    __slots__ = ("of",)

    def __init__(self, of: Value) -> None:
        super().__init__()
        self.of = of

    @property
    def cls(self) -> type:
        return int
