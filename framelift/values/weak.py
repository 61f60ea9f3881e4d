"""Weak references."""

from __future__ import annotations

import weakref

from framelift.guards.observed import Observed
from framelift.values.base import Value


class WeakrefValue(Value):
    """A plain `weakref.ref`, found in the call or made in it."""

    __slots__ = ("referent", "callback")

    def __init__(
        self, referent: Value | None = None, seen: Observed | None = None, callback: Value | None = None
    ) -> None:
        super().__init__(seen)
        self.referent = referent
        self.callback = callback

    @property
    def cls(self) -> type:
        return weakref.ref
