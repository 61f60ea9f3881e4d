"""Sets and frozensets, as ordered keys: only the order of iteration is CPython's own affair."""

from __future__ import annotations

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.mapping import Key, key_of
from framelift.values.reasons import UNKNOWN_OPERATION, Break


class SetValue(Value):
    """A set or frozenset. One that existed before must hold constants; it is guarded as a whole."""

    __slots__ = ("_cls", "_keys")

    def __init__(self, cls: type = set, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self._keys: dict[Key, None] | None = {} if seen is None else None

    @property
    def cls(self) -> type:
        return self._cls

    def keys(self, tracer: Tracer) -> dict[Key, None]:
        """The elements."""
        if self._keys is None:
            assert self.seen is not None
            self._keys = {}
            for item in self.seen.learn(facts.elements):
                self.add(tracer, tracer.constant(item))
        return self._keys

    def add(self, tracer: Tracer, item: Value) -> None:
        """Add without logging an effect."""
        key = key_of(tracer, item)
        if key is None:
            raise Break(UNKNOWN_OPERATION, "an element that is hashed by user code")
        self.keys(tracer).setdefault(key)
