"""Sets and frozensets.

The order in which a set is iterated over depends on how it came about. So a set made in the call has a real one beside
it, on which everything is done in the same way, for as long as it holds literals only.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterable
from typing import Any

import torch

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.keys import Key, check_ids, found_key, key_of, literal_of
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break

_CONSTANTS = frozenset({int, float, complex, bool, str, bytes, type(None), type(Ellipsis)})


class SetValue(Value):
    """A set or frozenset. One that existed before is guarded as a whole."""

    __slots__ = ("_cls", "_keys", "real", "_order", "_changed", "removals")

    def __init__(self, cls: type = set, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self._keys: dict[Key, None] | None = {} if seen is None else None
        # The same set of Python objects; None once it holds something that is no literal, or was not made here.
        self.real: Any = set() if seen is None else None
        self._changed = False
        self.removals = 0  # how often something was taken out: whoever iterates must know
        self._order: list[Key] | None = None  # the order of one that existed, until it changes

    @property
    def cls(self) -> type:
        return self._cls

    def keys(self, tracer: Tracer) -> dict[Key, None]:
        """The elements, in no particular order."""
        if self._keys is None:
            assert self.seen is not None
            if self.seen.convert(_is_constant):
                items = [tracer.constant(item) for item in self.seen.learn(facts.elements)]
                self._keys = dict.fromkeys(key_of(tracer, item) for item in items)
            else:
                self._keys = {}
                for key in self._found_in_order(tracer):
                    with key.told_apart():
                        self._keys[key] = None
        return self._keys

    def _found_in_order(self, tracer: Tracer) -> list[Key]:
        """The elements of one that existed and did not change, in the order of iteration."""
        if self._order is None:
            assert self.seen is not None
            lasting, place = self.seen.convert(_is_lasting), self.seen.path.text()
            if not lasting and self.seen.convert(lambda found: tracer.history.keeps_changing(place, _first(found))):
                raise Break(UNKNOWN_OPERATION, f"a {self.cls.__name__} of objects that are made anew for every call")
            items = self.seen.learn(facts.ordered_elements)
            if lasting:
                self._order = [key_of(tracer, tracer.constant(item)) for item in items]
            else:
                places = (self.seen.child("dict_key_at", position) for position in range(len(items)))
                self._order = [found_key(tracer, tracer.lift(place)) for place in places]
        return self._order

    def ordered(self, tracer: Tracer) -> list[Value]:
        """The elements in the order of iteration."""
        return [key.value for key in self.ordered_keys(tracer)]

    def ordered_keys(self, tracer: Tracer) -> list[Key]:
        keys = self.keys(tracer)
        if len(keys) <= 1:
            return list(keys)
        if self.seen is not None:
            if self._changed:
                raise Break(UNKNOWN_OPERATION, f"the order of a {self.cls.__name__} that was changed")
            return self._found_in_order(tracer)
        if self.real is None:
            raise Break(UNKNOWN_OPERATION, f"the order of a {self.cls.__name__} of objects that hash by address")
        mine = {key: key for key in keys}
        return [mine[key_of(tracer, Known(item))] for item in self.real]

    def mirror(self, tracer: Tracer) -> Any:
        """A Python set of the same elements in the same order; None if there is none."""
        if self.seen is None:
            return self.real
        if self._changed or not self.seen.convert(_is_constant):
            return None
        self._found_in_order(tracer)
        return self.seen.convert(lambda elements: elements.copy())

    def add(self, tracer: Tracer, item: Value) -> None:
        """Add without logging an effect."""
        self.add_key(tracer, key_of(tracer, item))

    def add_key(self, tracer: Tracer, key: Key) -> None:
        keys = self.keys(tracer)
        if key not in keys:
            check_ids(key, keys)
        keys.setdefault(key)
        self._changed = True
        if self.real is not None:
            literal = literal_of(key)
            if literal is None:
                self.real = None
            else:
                self.real.add(literal[0])

    def discard(self, tracer: Tracer, key: Key) -> None:
        """Take an element out without logging an effect."""
        self.keys(tracer).pop(key, None)
        self._changed = True
        self.removals += 1
        if self.real is not None and (literal := literal_of(key)) is not None:
            self.real.discard(literal[0])

    def clear(self) -> None:
        """Take everything out without logging an effect."""
        self._keys = {}
        self._changed = True
        self.removals += 1
        if self.real is not None:
            self.real.clear()
        elif self.seen is None:
            self.real = set()

    def become(self, keys: Iterable[Key], real: Any) -> None:
        """Hold these elements instead; `real` is the Python set that is made the same way, if there is one.

        It is given up as soon as an element is no literal.
        """
        self._keys = dict.fromkeys(keys)
        self._changed = True
        self.removals += 1
        self.real = real if all(literal_of(key) is not None for key in self._keys) else None


def _is_constant(elements: Any) -> bool:
    return type(elements) in (set, frozenset) and all(type(item) in _CONSTANTS for item in elements)


def _first(elements: Any) -> Any:
    return next((set if isinstance(elements, set) else frozenset).__iter__(elements))


def _is_lasting(elements: Any) -> bool:
    """Whether the elements are constants, or what programs have for good: guards may hold on to these."""
    base = set if isinstance(elements, set) else frozenset
    lasting = (type, types.FunctionType, types.BuiltinFunctionType, enum.Enum, torch.dtype)
    return all(type(item) in _CONSTANTS or isinstance(item, lasting) for item in base.__iter__(elements))
