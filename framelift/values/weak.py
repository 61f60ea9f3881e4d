"""Weak references and weak proxies."""

from __future__ import annotations

import weakref
from typing import Any

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


class ProxyValue(Value):
    """What `weakref.proxy` gives, found in the call or made in it."""

    __slots__ = ("_cls", "referent")

    def __init__(self, cls: type, referent: Value, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self.referent = referent

    @property
    def cls(self) -> type:
        return self._cls


PROXIES: tuple[type, ...] = (weakref.ProxyType, weakref.CallableProxyType)


def behind(proxy: Any) -> Any:
    """The object that a proxy leads to, without asking it for anything; None if it is gone."""
    taker = _Taker()
    try:
        taker + proxy
    except ReferenceError:
        return None
    return taker.taken


class _Taker:
    """Is added to: a proxy has Python try again with what it leads to."""

    taken: Any = None

    def __add__(self, other: Any) -> Any:
        if type(other) in PROXIES:
            return NotImplemented
        self.taken = other
        return None
