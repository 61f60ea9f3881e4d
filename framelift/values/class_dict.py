"""The dictionary of a class, which Python shows through a read-only view."""

from __future__ import annotations

from framelift.guards.observed import Observed
from framelift.values.attribute_dict import NamespaceDict
from framelift.values.base import NULL, Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import Key, key_of
from framelift.values.namespace import Namespace


class ClassDict(NamespaceDict):
    """What a class has under its own names.

    `writes` is what the call has assigned (NULL: deleted), shared with method resolution. `fixed` is what is there for
    good: all of an immutable class, and of a class made in the call what Python itself puts there.
    """

    __slots__ = ("owner", "fixed")

    def __init__(self, owner: Known, seen: Observed | None, writes: dict[str, Value], fixed: dict[str, Value]) -> None:
        namespace = Namespace(seen)
        namespace.written = writes
        namespace.read.update(fixed)
        super().__init__(namespace, seen)
        self.owner = owner
        self.fixed = fixed

    def entries(self, tracer: Tracer) -> dict[Key, Value | None]:
        entries = super().entries(tracer)
        for name in self.fixed:
            if self.namespace.written.get(name) is not NULL:
                entries.setdefault(key_of(tracer, Known(name)), self.namespace.get(tracer, name))
        return entries
