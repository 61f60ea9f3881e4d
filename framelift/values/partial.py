"""`functools.partial` objects."""

from __future__ import annotations

import functools

from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue


class PartialValue(InstanceValue):
    """A callable with arguments. What one that existed before holds is lifted when touched."""

    __slots__ = ("_parts",)

    def __init__(self, parts: dict[str, Value] | None = None, seen: Observed | None = None) -> None:
        super().__init__(functools.partial, seen)
        self._parts: dict[str, Value] = parts or {}

    def part(self, tracer: Tracer, name: str) -> Value:
        """`func`, `args` or `keywords`"""
        found = self._parts.get(name)
        if found is None:
            assert self.seen is not None
            found = self._parts[name] = tracer.lift(self.seen.child(f"partial_{name}"))
        return found
