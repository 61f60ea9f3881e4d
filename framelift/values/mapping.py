"""Dicts. A dict that existed before is read and written key by key until something needs all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import NULL, Tracer, Value
from framelift.values.keys import Key, check_ids, found_key, is_made_of_id, key_of, literal_of
from framelift.values.reasons import UNKNOWN_OPERATION, Break

__all__ = ["DictValue", "Key", "key_of"]


class DictValue(Value):
    """A dict (or the storage of a subclass)."""

    __slots__ = ("_cls", "_entries", "_read", "_changes", "_originals", "removals")

    def __init__(self, cls: type = dict, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self._entries: dict[Key, Value | None] | None = {} if seen is None else None
        # While not all of a dict that existed is known: keys looked up, and keys set or (NULL) deleted, in order.
        self._read: dict[Key, Value | None] = {}
        self._changes: dict[Key, Value] = {}
        self._originals: dict[Key, Any] = {}  # the key objects of a dict that existed
        self.removals = 0  # how often something was taken out or moved: whoever iterates must know

    @property
    def cls(self) -> type:
        return self._cls

    def entries(self, tracer: Tracer) -> dict[Key, Value | None]:
        """All entries in order, some perhaps not lifted yet."""
        if self._entries is None:
            assert self.seen is not None
            entries: dict[Key, Value | None] = {}
            for position, name in enumerate(self.seen.learn(facts.keys)):
                key = found_key(tracer, tracer.lift(self.seen.child("dict_key_at", position)))
                read = self._read.get(key)
                with key.told_apart():
                    entries[key] = read
                    self._originals[key] = name
            for key, value in self._changes.items():
                if value is not NULL:
                    entries[key] = value
                else:
                    entries.pop(key, None)
            self._entries = entries
        return self._entries

    def count(self, tracer: Tracer) -> int:
        """How many entries there are."""
        if self._entries is None and not self._changes:
            assert self.seen is not None
            return int(self.seen.learn(facts.length))
        return len(self.entries(tracer))

    def get(self, tracer: Tracer, key: Key) -> Value | None:
        """The value under a key; None if it is not there."""
        if self._entries is None:
            changed = self._changes.get(key)
            if changed is not None:
                return None if changed is NULL else changed
            literal = literal_of(key)
            if literal is not None:
                return self._peek(tracer, key, literal[0])
        entries = self.entries(tracer)
        found = entries.get(key, NULL)
        if found is NULL:
            self._refuse_ids(key)
            check_ids(key, entries)
            return None
        if found is None:
            found = entries[key] = tracer.lift(self._at(self._originals[key]))
        return found

    def _at(self, name: Any) -> Observed:
        assert self.seen is not None
        try:
            return self.seen.child("key", name)
        except LookupError:  # it is there, but another key with its hash has to be asked whether it is this one
            raise Break(UNKNOWN_OPERATION, "a dict with keys whose comparison may run code of the user's") from None

    def _refuse_ids(self, key: Key) -> None:
        """The keys that were there before may be any numbers."""
        if self._originals and is_made_of_id(key):
            raise Break(UNKNOWN_OPERATION, "the id of an object as a key of a dict that existed before")

    def _peek(self, tracer: Tracer, key: Key, literal: Any) -> Value | None:
        if key in self._read:
            return self._read[key]
        assert self.seen is not None
        found = None
        if self.seen.learn(facts.has_key, literal):
            found = tracer.lift(self.seen.child("key", literal))
        self._read[key] = found
        return found

    def put(self, tracer: Tracer, name: Value, value: Value) -> None:
        """Set an entry without logging an effect."""
        self.put_key(tracer, key_of(tracer, name), value)

    def put_key(self, tracer: Tracer, key: Key, value: Value) -> None:
        """The same, for a key that has been hashed."""
        if is_made_of_id(key) and key not in self.entries(tracer):
            self._refuse_ids(key)
        if self._entries is not None:
            if key not in self._entries:
                check_ids(key, self._entries)
            self._entries[key] = value
        elif literal_of(key) is None:
            self.entries(tracer)[key] = value
        else:
            if self._changes.get(key) is NULL:  # deleted and set again: it comes last
                del self._changes[key]
                self.entries(tracer).pop(key, None)
                self.entries(tracer)[key] = value
                return
            self._changes[key] = value

    def remove(self, tracer: Tracer, key: Key) -> None:
        """Take an entry out without logging an effect."""
        self.removals += 1
        if self._entries is not None:
            del self._entries[key]
        else:
            self._changes[key] = NULL

    def clear(self, tracer: Tracer) -> None:
        """Take everything out without logging an effect."""
        self.removals += 1
        self._entries = {}

    def items(self, tracer: Tracer) -> Iterator[tuple[Value, Value]]:
        """All pairs, in order."""
        for key, value in self.pairs(tracer):
            yield key.value, value

    def pairs(self, tracer: Tracer) -> Iterator[tuple[Key, Value]]:
        """The same with keys that have been hashed."""
        for key in list(self.entries(tracer)):
            value = self.get(tracer, key)
            assert value is not None
            yield key, value
