"""Dicts. A dict that existed before is read key by key until something needs all of it.

Keys are hashed as Python hashes the objects they stand for: constants by value, others by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.namespace import Namespace
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


class Key:
    """A dict key: equal to another exactly when the dict would say so."""

    __slots__ = ("value", "token", "_hash")

    def __init__(self, value: Value, token: Any) -> None:
        self.value = value
        self.token = token
        self._hash = hash(token)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.token is other.token or bool(self.token == other.token))


class _Identity:
    """The token of an object that hashes by identity."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.value is other.value


def key_of(tracer: Tracer, value: Value) -> Key | None:
    """The key for a value; None when its hash would have to run code of the user's."""
    token = _token(tracer, value)
    return None if token is None else Key(value, token)


def _token(tracer: Tracer, value: Value) -> Any:
    if isinstance(value, Known):
        return ("known", value.obj)
    if isinstance(value, TupleValue) and value.cls is tuple:
        parts = [_token(tracer, item) for item in value.all(tracer)]
        if any(part is None for part in parts):
            return None
        if all(part[0] == "known" for part in parts if isinstance(part, tuple)) and all(
            isinstance(part, tuple) for part in parts
        ):
            return ("known", tuple(part[1] for part in parts))
        return tuple(parts)
    hasher = tracer.class_attribute(value.cls, "__hash__")
    if isinstance(hasher, Known) and hasher.obj in (object.__hash__, torch.Tensor.__hash__):
        return _Identity(value)
    return None


class DictValue(Value):
    """A dict (or the storage of a subclass)."""

    __slots__ = ("_cls", "_entries", "peeked")

    def __init__(self, cls: type = dict, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self._entries: dict[Key, Value | None] | None = {} if seen is None else None
        self.peeked = Namespace(seen)  # keys read before anything needed the whole

    @property
    def cls(self) -> type:
        return self._cls

    @property
    def whole(self) -> bool:
        return self._entries is not None

    def entries(self, tracer: Tracer) -> dict[Key, Value | None]:
        """All entries in order, some perhaps not lifted yet."""
        if self._entries is None:
            assert self.seen is not None
            entries: dict[Key, Value | None] = {}
            for position, name in enumerate(self.seen.learn(facts.keys)):
                key = key_of(tracer, tracer.lift(self.seen.child("dict_key_at", position)))
                assert key is not None, "the native check for keys admits only what hashes without user code"
                entries[key] = self.peeked.read.get(name)
            self._entries = entries
        return self._entries

    def get(self, tracer: Tracer, key: Key) -> Value | None:
        """The value under a key; None if it is not there."""
        if self._entries is None:
            if isinstance(key.value, Known) and key.value.literal:
                return self.peeked.get(tracer, key.value.obj)
            self.entries(tracer)
        entries = self.entries(tracer)
        found = entries.get(key)
        if found is None and key in entries:
            found = entries[key] = self._lift(tracer, key)
        return found

    def put(self, tracer: Tracer, name: Value, value: Value) -> None:
        """Set an entry without logging an effect."""
        key = key_of(tracer, name)
        if key is None:
            raise Break(UNKNOWN_OPERATION, "a key that is hashed by user code")
        self.entries(tracer)[key] = value

    def remove(self, tracer: Tracer, key: Key) -> None:
        """Take an entry out without logging an effect."""
        del self.entries(tracer)[key]

    def _lift(self, tracer: Tracer, key: Key) -> Value:
        assert self.seen is not None
        assert isinstance(key.value, Known)
        return tracer.lift(self.seen.child("key", key.value.obj))

    def items(self, tracer: Tracer) -> Iterator[tuple[Value, Value]]:
        """All pairs, in order."""
        for key in list(self.entries(tracer)):
            value = self.get(tracer, key)
            assert value is not None
            yield key.value, value
