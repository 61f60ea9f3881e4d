"""Iterators that existed before the call: handed to a continuation in the middle of a loop, most often.

What is guarded is what they still have to give, not how far they have come, so that what was captured in one round of a
loop serves the others. The residual moves the real ones as far as they were moved here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from framelift import _core
from framelift.effects.log import Effect
from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.builtin_iterators import EnumerateIterator, FilterIterator, MapIterator, ZipIterator
from framelift.values.combined import ChainIterator
from framelift.values.instance import InstanceValue
from framelift.values.iterators import IteratorValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

_ITEMS: type = type(iter({}.items()))
_RANGE: type = type(iter(range(0)))
_DICTS: tuple[type, ...] = (type(iter({})), type(iter({}.values())), _ITEMS)

LEAVES: tuple[type, ...] = (type(iter([])), type(iter(())), type(reversed([])), _RANGE, *_DICTS)
"""Those that draw from no other iterator."""

_ATTRIBUTE_CHANGES = (setattr, delattr, object.__setattr__, object.__delattr__)


def _take(iterator: Any, count: int) -> None:
    for _ in range(count):
        next(iterator, None)


class _Moves:
    """The one effect that moves a real iterator, which grows as more is taken."""

    __slots__ = ("function", "count", "_at")

    def __init__(self, function: Callable[[Any, int], None]) -> None:
        self.function = function
        self.count = 0
        self._at = 0

    def add(self, tracer: Tracer, iterator: Value) -> None:
        self.count += 1
        if self.count == 1:
            self._at = len(tracer.effects.effects)
            tracer.effects.add(self.function, iterator, Known(1))
        else:
            tracer.effects.replace(self._at, self.function, iterator, Known(self.count))


class FoundIterator(IteratorValue):
    """Over a list, a tuple, a dict or a range."""

    __slots__ = ("_cls", "_moves", "_done", "_scanned")

    def __init__(self, seen: Observed, cls: type) -> None:
        super().__init__()
        self.seen = seen
        self._cls = cls
        self._moves = _Moves(_take)
        self._done = False
        self._scanned = 0  # effects that were looked through for changes of what it goes over

    @property
    def cls(self) -> type:
        return self._cls

    def advance(self, tracer: Tracer) -> Value | None:
        if self._done:
            return None
        assert self.seen is not None
        if self._cls is not _RANGE:
            self._check_unchanged(tracer)
        position = self._moves.count
        more = self.seen.learn(facts.more_ahead, position)
        item = self._item(tracer, self.seen, position) if more else None
        self._done = not more
        self._moves.add(tracer, self)
        return item

    def _item(self, tracer: Tracer, seen: Observed, position: int) -> Value:
        item = tracer.lift(seen.child("item_ahead", position))
        if self._cls is not _ITEMS:
            return item
        return TupleValue([tracer.lift(seen.child("key_ahead", position)), item], tuple)

    def _check_unchanged(self, tracer: Tracer) -> None:
        """What it goes over must be what it was before the call, as far as this call is concerned."""
        assert self.seen is not None
        try:
            source = tracer.lift(self.seen.child("iterator_source"))
        except LookupError:
            return  # it came to its end before, and goes over nothing any more
        effects = tracer.effects.effects
        for effect in effects[self._scanned :]:
            if source in effect.args or self._sets_entry_of(tracer, source, effect):
                raise Break(UNKNOWN_OPERATION, f"the next item of a {self._cls.__name__} over something that changed")
        self._scanned = len(effects)

    def _sets_entry_of(self, tracer: Tracer, source: Value, effect: Effect) -> bool:
        """Whether an attribute was set of the object whose `__dict__` this goes over."""
        if self._cls not in _DICTS or effect.function not in _ATTRIBUTE_CHANGES:
            return False
        target = effect.args[0]
        if not isinstance(target, InstanceValue) or target.seen is None or source.seen is None:
            return False
        try:
            own = target.seen.child("dict")
        except AttributeError:
            return False
        if own.token() == source.seen.token():
            return True
        tracer.ledger.relate(own.path, source.seen.path, same=False)
        return False


class FoundEnumerate(EnumerateIterator):
    """`enumerate`, whose source moves by itself."""

    __slots__ = ("_moves",)

    def __init__(self, seen: Observed, source: Value) -> None:
        super().__init__(source, Known(None))
        self.seen = seen
        self._moves = _Moves(_core.move_enumerate)

    def advance(self, tracer: Tracer) -> Value | None:
        assert self.seen is not None
        item = tracer.next(self.source)
        if item is None:
            return None
        try:
            number = tracer.lift(self.seen.child("number_ahead", self._moves.count))
        except LookupError:
            raise Break(UNKNOWN_OPERATION, "an enumerate that counts very high") from None
        self._moves.add(tracer, self)
        return TupleValue([number, item], tuple)


def _enumerate(tracer: Tracer, seen: Observed) -> Value:
    return FoundEnumerate(seen, tracer.lift(seen.child("iterator_source")))


def _sources(tracer: Tracer, seen: Observed) -> list[Value]:
    sources = seen.child("iterator_source")
    return [tracer.lift(sources.child("item", index)) for index in range(sources.learn(facts.length))]


def _zip(tracer: Tracer, seen: Observed) -> Value:
    return ZipIterator(_sources(tracer, seen), seen.learn(facts.zip_strict))


def _map(tracer: Tracer, seen: Observed) -> Value:
    return MapIterator(tracer.lift(seen.child("iterator_function")), _sources(tracer, seen))


def _filter(tracer: Tracer, seen: Observed) -> Value:
    function, source = (tracer.lift(seen.child(part)) for part in ("iterator_function", "iterator_source"))
    return FilterIterator(function, source)


class FoundChain(ChainIterator):
    """`itertools.chain`, of which the iterators move by themselves."""

    __slots__ = ("_at",)

    def __init__(self, seen: Observed, source: Value | None, active: Value | None) -> None:
        super().__init__(source, active)
        self.seen = seen
        self._at = -1  # the one effect that has the real one stand where this one does

    def move(self, tracer: Tracer, source: Value | None, active: Value | None) -> None:
        super().move(tracer, source, active)
        parts = (NONE if part is None else part for part in (source, active))
        if self._at < 0:
            self._at = len(tracer.effects.effects)
            tracer.effects.add(_core.set_chain, self, *parts)
        else:
            tracer.effects.replace(self._at, _core.set_chain, self, *parts)


def _chain(tracer: Tracer, seen: Observed) -> Value:
    parts = [tracer.lift(seen.child(part)) for part in ("iterator_source", "chain_active")]
    source, active = (None if isinstance(part, Known) and part.obj is None else part for part in parts)
    return FoundChain(seen, source, active)


COMBINED: dict[type, Callable[[Tracer, Observed], Value]] = {
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    itertools.chain: _chain,
}
"""Those that draw from others."""


def found_combined(tracer: Tracer, seen: Observed, cls: type) -> Value:
    value = COMBINED[cls](tracer, seen)
    value.seen = seen
    return value
