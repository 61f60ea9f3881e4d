"""Tuples and lists, made in the call or found in it.

The items of a list that existed before are lifted when touched: an item not yet touched is None here.
"""

from __future__ import annotations

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value


class Sequence(Value):
    """What tuples and lists share."""

    __slots__ = ("_items", "_cls", "untouched")

    def __init__(self, items: list[Value], cls: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._items: list[Value | None] = list(items)
        self._cls = cls
        self.untouched = False  # its length is not known yet

    @classmethod
    def found(cls, seen: Observed, kind: type) -> Sequence:
        """A sequence that existed before the call; nothing is known of it but its type."""
        value = cls([], kind, seen)
        value.untouched = True
        return value

    @property
    def cls(self) -> type:
        return self._cls

    def touch(self) -> list[Value | None]:
        """The items, some of them perhaps not lifted yet; the length is known from here on."""
        if self.untouched:
            assert self.seen is not None
            found: list[Value | None] = [None] * self.seen.learn(facts.length)
            self._items = found + self._items
            self.untouched = False
        return self._items

    def __len__(self) -> int:
        return len(self.touch())

    def at(self, tracer: Tracer, index: int) -> Value:
        """One item, by an index within bounds."""
        items = self.touch()
        found = items[index]
        if found is None:
            assert self.seen is not None
            found = items[index] = tracer.lift(self.seen.child("item", index % len(items)))
        return found

    def all(self, tracer: Tracer) -> list[Value]:
        """Every item; the list given is this value's own storage."""
        items = self.touch()
        for index, item in enumerate(items):
            if item is None:
                self.at(tracer, index)
        return items  # type: ignore[return-value]


class TupleValue(Sequence):
    """A tuple, or an instance of a struct sequence or named tuple."""

    __slots__ = ()


class ListValue(Sequence):
    """A list. Those that change it keep the effect log in step."""

    __slots__ = ()

    def push(self, item: Value) -> None:
        """Append without needing to know what is there."""
        self._items.append(item)


def make_tuple(items: list[Value]) -> TupleValue:
    return TupleValue(items, tuple)


def make_list(items: list[Value]) -> ListValue:
    return ListValue(items, list)
