"""A view of names over storage that existed before: what was read, what was written, nothing else.

Globals, instance dictionaries, module dictionaries and dicts with constant keys are all seen through this. Reading a
name learns whether it is there; writing needs to know nothing.
"""

from __future__ import annotations

from typing import Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import NULL, Tracer, Value


class Namespace:
    """Names to values. `attribute` says that the storage is an object's own dictionary rather than a dict itself."""

    __slots__ = ("storage", "attribute", "read", "written")

    def __init__(self, storage: Observed | None, attribute: bool = False) -> None:
        self.storage = storage
        self.attribute = attribute
        self.read: dict[Any, Value | None] = {}
        self.written: dict[Any, Value] = {}  # NULL: deleted

    def get(self, tracer: Tracer, name: Any) -> Value | None:
        """What the name stands for now; None if it is not there."""
        found = self.written.get(name)
        if found is not None:
            return None if found is NULL else found
        if name in self.read:
            return self.read[name]
        value = self.read[name] = self._load(tracer, name)
        return value

    def _load(self, tracer: Tracer, name: Any) -> Value | None:
        storage = self.storage
        if storage is None:
            return None
        if self.attribute:
            if not storage.learn(facts.has_attribute, name):
                return None
            return tracer.lift(storage.child("attr", name))
        if not storage.learn(facts.has_key, name):
            return None
        return tracer.lift(storage.child("key", name))

    def set(self, name: Any, value: Value) -> None:
        """Bind a name."""
        if self.written.get(name) is NULL:
            del self.written[name]  # a deleted name that is bound again comes last, as in a dict
        self.written[name] = value

    def delete(self, name: Any) -> None:
        """Unbind a name."""
        self.written[name] = NULL
