"""Tuples and lists, made in the call or found in it.

The items of a list that existed before are lifted when touched: an item not yet touched is its original index here.
"""

from __future__ import annotations

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.reasons import UNKNOWN_OPERATION, Break


class Items(Value):
    """What tuples, lists and deques share."""

    __slots__ = ("_items", "_cls", "untouched", "concealed")

    STEP = "item"  # the accessor of one item

    def __init__(self, items: list[Value], cls: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._items: list[Value | int] = list(items)
        self._cls = cls
        self.untouched = False  # its length is not known yet
        self.concealed = False  # nor may it be, as the residual will have changed it by then

    @classmethod
    def found(cls, seen: Observed, kind: type) -> Items:
        """A sequence that existed before the call; nothing is known of it but its type."""
        value = cls([], kind, seen)
        value.untouched = True
        return value

    @property
    def cls(self) -> type:
        return self._cls

    def touch(self) -> list[Value | int]:
        """The items, some of them perhaps not lifted yet; the length is known from here on.

        This is the storage itself: whoever changes the sequence changes this.
        """
        if self.concealed:
            raise Break(UNKNOWN_OPERATION, f"a {self.cls.__name__} that keeps what the call says")
        if self.untouched:
            assert self.seen is not None
            self._items[:0] = range(self.seen.learn(facts.length))
            self.untouched = False
        return self._items

    def __len__(self) -> int:
        return len(self.touch())

    def at(self, tracer: Tracer, index: int) -> Value:
        """One item, by an index within bounds."""
        items = self.touch()
        found = items[index]
        if isinstance(found, int):
            found = items[index] = self.lifted(tracer, found)
        return found

    def lifted(self, tracer: Tracer, item: Value | int) -> Value:
        """An item of the storage, which may have been taken out of it."""
        if not isinstance(item, int):
            return item
        assert self.seen is not None
        return tracer.lift(self.seen.child(self.STEP, item))

    def all(self, tracer: Tracer) -> list[Value]:
        """Every item; the list given is this value's own storage."""
        items = self.touch()
        for index, item in enumerate(items):
            if isinstance(item, int):
                self.at(tracer, index)
        return items  # type: ignore[return-value]


class Sequence(Items):
    """A tuple or a list."""

    __slots__ = ()


class TupleValue(Sequence):
    """A tuple, or an instance of a struct sequence or named tuple."""

    __slots__ = ()


class ListValue(Sequence):
    """A list. Those that change it keep the effect log in step."""

    __slots__ = ()

    def push(self, item: Value) -> None:
        """Append without needing to know what is there."""
        self._items.append(item)

    def empty(self) -> None:
        """Take everything out without needing to know what is there."""
        self._items.clear()
        self.untouched = False


class DequeValue(Items):
    """A deque, bounded or not. `changes` counts how often it was changed."""

    __slots__ = ("bound", "changes")

    STEP = "deque_item"

    def __init__(self, items: list[Value], cls: type, seen: Observed | None = None) -> None:
        super().__init__(items, cls, seen)
        self.bound: int | None = None
        self.changes = 0

    def empty(self) -> None:
        """Take everything out without needing to know what is there."""
        self._items.clear()
        self.untouched = False


def make_tuple(items: list[Value]) -> TupleValue:
    return TupleValue(items, tuple)


def make_list(items: list[Value]) -> ListValue:
    return ListValue(items, list)
