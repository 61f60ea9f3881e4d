"""Attributes and globals seen as dicts: `obj.__dict__`, `globals()`."""

from __future__ import annotations

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import NULL, Tracer, Value
from framelift.values.function import FunctionValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue, Key, key_of
from framelift.values.namespace import Namespace
from framelift.values.reasons import UNKNOWN_OPERATION, Break


class NamespaceDict(DictValue):
    """Reads and writes go to the namespace that names are looked up in too, so that both views agree."""

    __slots__ = ("namespace",)

    def __init__(self, namespace: Namespace, seen: Observed | None) -> None:
        super().__init__(dict, seen)
        self.namespace = namespace

    def entries(self, tracer: Tracer) -> dict[Key, Value | None]:
        namespace = self.namespace
        names = list(self.seen.learn(facts.keys)) if self.seen is not None else []
        names += [name for name in namespace.written if name not in names]
        entries: dict[Key, Value | None] = {}
        for name in names:
            if namespace.written.get(name) is NULL:
                continue
            entries[key_of(tracer, Known(name))] = namespace.get(tracer, name)
        return entries

    def count(self, tracer: Tracer) -> int:
        return len(self.entries(tracer))

    def get(self, tracer: Tracer, key: Key) -> Value | None:
        if not isinstance(key.value, Known) or type(key.value.obj) is not str:
            return None
        return self.namespace.get(tracer, key.value.obj)

    def put_key(self, tracer: Tracer, key: Key, value: Value) -> None:
        if not isinstance(key.value, Known) or type(key.value.obj) is not str:
            raise Break(UNKNOWN_OPERATION, "an attribute whose name is not a str")
        self.namespace.set(key.value.obj, value)

    def remove(self, tracer: Tracer, key: Key) -> None:
        self.removals += 1
        assert isinstance(key.value, Known)
        self.namespace.delete(key.value.obj)

    def clear(self, tracer: Tracer) -> None:
        for key in self.entries(tracer):
            self.remove(tracer, key)


class AttributeDict(NamespaceDict):
    """`obj.__dict__`"""

    __slots__ = ("owner",)

    def __init__(self, owner: InstanceValue | FunctionValue) -> None:
        super().__init__(owner.attributes, None if owner.seen is None else owner.seen.child("dict"))
        self.owner = owner


def attribute_dict(owner: InstanceValue) -> Value:
    """The one `__dict__` of an instance."""
    found = owner.slots.get("__dict__")
    if found is None:
        found = owner.slots["__dict__"] = AttributeDict(owner)
    return found
