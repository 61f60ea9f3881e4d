"""Objects that existed before the call and that capture does not look into, or has not looked at yet."""

from __future__ import annotations

from framelift.guards.observed import Observed
from framelift.values.base import Value


class OpaqueValue(Value):
    """An object of which only the type is known: an iterator made by C code, for one. It can be passed around."""

    __slots__ = ("_cls",)

    def __init__(self, cls: type, seen: Observed) -> None:
        super().__init__(seen)
        self._cls = cls

    @property
    def cls(self) -> type:
        return self._cls


class Unlifted(Value):
    """An argument nobody has touched: passing it on needs no guard at all."""

    __slots__ = ()

    @property
    def cls(self) -> type:
        raise AssertionError("an argument must be lifted before it is looked at")
