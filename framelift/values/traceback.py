"""The traceback of an exception raised while capturing: known to exist, and nothing more."""

from __future__ import annotations

from types import TracebackType

from framelift.values.base import Value


class TracebackValue(Value):
    """A traceback. It can be passed around; looking into it, or letting it out, is a break."""

    __slots__ = ()

    @property
    def cls(self) -> type:
        return TracebackType
