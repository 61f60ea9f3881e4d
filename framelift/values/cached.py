"""Functions with a cache, as `functools.lru_cache` makes them."""

from __future__ import annotations

from typing import Any

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.instance import InstanceValue


class CachedFunction(InstanceValue):
    """One that existed before the call. `results`: what it gave in the call, by the keys of its cache."""

    __slots__ = ("results", "misses")

    def __init__(self, cls: type, seen: Observed) -> None:
        super().__init__(cls, seen)
        self.results: dict[Any, Value] = {}
        self.misses = 0  # how many of the keys were not in the cache before
