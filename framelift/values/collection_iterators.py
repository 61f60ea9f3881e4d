"""Iterators over dicts and sets, which complain when these change meanwhile, and backwards over sequences."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.keys import Key
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.sets import SetValue

VIEWS: dict[str, type] = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}

_FORWARD: dict[str, type] = {part: type(iter(getattr({}, part)())) for part in VIEWS}
_BACKWARD: dict[str, type] = {part: type(reversed(getattr({}, part)())) for part in VIEWS}


class DictView(Value):
    """`dict.keys()`, `.values()` or `.items()`. `owner` is the dict itself, `entries` its contents."""

    __slots__ = ("owner", "entries", "part")

    def __init__(self, owner: Value, entries: DictValue, part: str) -> None:
        super().__init__()
        self.owner = owner
        self.entries = entries
        self.part = part

    @property
    def cls(self) -> type:
        if issubclass(self.owner.cls, OrderedDict):
            view: type = type(getattr(OrderedDict(), self.part)())
            return view
        return VIEWS[self.part]

    def items(self, tracer: Tracer) -> list[Value]:
        """What iterating over the view gives."""
        return [part_of(tracer, self.entries, key, self.part) for key in list(self.entries.entries(tracer))]


def part_of(tracer: Tracer, entries: DictValue, key: Key, part: str) -> Value:
    """The key, the value, or the pair of both."""
    if part == "keys":
        return key.value
    value = entries.get(tracer, key)
    if value is None:
        raise Break(UNKNOWN_OPERATION, "iterating over a dict whose keys change meanwhile")
    return value if part == "values" else TupleValue([key.value, value], tuple)


class DictIterator(IteratorValue):
    """Over the keys, values or items of a dict."""

    __slots__ = ("owner", "entries", "part", "backwards", "position", "_order", "_removals", "_cls")

    def __init__(self, tracer: Tracer, owner: Value, entries: DictValue, part: str, backwards: bool = False) -> None:
        super().__init__()
        self.owner = owner
        self.entries = entries
        self.part = part
        self.backwards = backwards
        self.position = 0
        keys = list(entries.entries(tracer))
        self._order = keys[::-1] if backwards else keys
        self._removals = entries.removals
        self._cls = (_BACKWARD if backwards else _FORWARD)[part]
        if issubclass(owner.cls, OrderedDict):
            self._cls = type(iter(OrderedDict()))

    @property
    def cls(self) -> type:
        return self._cls

    def steady(self, tracer: Tracer) -> bool:
        """Whether the dict has the keys it had when iteration began."""
        return self._removals == self.entries.removals and self._is_as_long(tracer)

    def _is_as_long(self, tracer: Tracer) -> bool:
        return len(self.entries.entries(tracer)) == len(self._order)

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position > len(self._order):
            return None
        if not self.steady(tracer):
            if issubclass(self.owner.cls, OrderedDict):
                tracer.throw(RuntimeError, "OrderedDict mutated during iteration")
            if not self._is_as_long(tracer):
                tracer.throw(RuntimeError, "dictionary changed size during iteration")
            raise Break(UNKNOWN_OPERATION, "iterating over a dict whose keys change meanwhile")
        self.position += 1
        if self.position > len(self._order):
            return None
        return part_of(tracer, self.entries, self._order[self.position - 1], self.part)


class SetIterator(IteratorValue):
    """Over the elements of a set."""

    __slots__ = ("owner", "elements", "position", "_order", "_removals")

    def __init__(self, tracer: Tracer, owner: Value, elements: SetValue) -> None:
        super().__init__()
        self.owner = owner
        self.elements = elements
        self.position = 0
        self._order = elements.ordered(tracer)
        self._removals = elements.removals

    @property
    def cls(self) -> type:
        return type(iter(set()))

    def steady(self, tracer: Tracer) -> bool:
        """Whether the set has the elements it had when iteration began."""
        return self._removals == self.elements.removals and self._is_as_large(tracer)

    def _is_as_large(self, tracer: Tracer) -> bool:
        return len(self.elements.keys(tracer)) == len(self._order)

    def advance(self, tracer: Tracer) -> Value | None:
        if self.position > len(self._order):
            return None
        if not self.steady(tracer):
            if not self._is_as_large(tracer):
                tracer.throw(RuntimeError, "Set changed size during iteration")
            raise Break(UNKNOWN_OPERATION, "iterating over a set whose elements change meanwhile")
        self.position += 1
        return None if self.position > len(self._order) else self._order[self.position - 1]


class ReverseIterator(IteratorValue):
    """Backwards over a list or tuple, which may change meanwhile."""

    __slots__ = ("owner", "sequence", "position", "_cls")

    def __init__(self, owner: Value, sequence: Sequence) -> None:
        super().__init__()
        self.owner = owner
        self.sequence = sequence
        self.position = len(sequence) - 1  # the next item; -1 at the end
        sample: Any = [] if issubclass(sequence.cls, list) else ()
        self._cls: type = type(reversed(sample))

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if not 0 <= self.position < len(self.sequence):
            self.position = -1
            return None
        self.position -= 1
        return self.sequence.at(tracer, self.position + 1)
