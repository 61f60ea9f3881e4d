"""Iterators over ranges of which a part is symbolic."""

from __future__ import annotations

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.known import Known
from framelift.values.ranges import RangeValue
from framelift.values.symbol import specialized

ENOUGH = 16
"""After so many items, one by one, it is taken to be a loop to the end, which a graph has for one number only."""


class RangeIterator(IteratorValue):
    """Gives an item if there is one in this call; that there is one becomes a condition."""

    __slots__ = ("place", "stop", "step", "given")

    def __init__(self, source: RangeValue) -> None:
        super().__init__()
        self.place, self.stop, self.step = source.parts
        self.given = 0

    @property
    def cls(self) -> type:
        return type(iter(range(0)))

    def advance(self, tracer: Tracer) -> Value | None:
        single = isinstance(self.step, Known) and self.step.obj in (1, -1)
        if self.given == ENOUGH and single:
            self._settle(tracer)
        if not self._has_item(tracer):
            if single:
                self._settle(tracer)  # the whole of it was gone through: one condition says more than many
            return None
        item, self.place = self.place, tracer.binary("+", self.place, self.step)
        self.given += 1
        return item

    def _has_item(self, tracer: Tracer) -> bool:
        forward = tracer.truth(tracer.compare(">", self.step, Known(0)))
        return tracer.truth(tracer.compare("<" if forward else ">", self.place, self.stop))

    def _settle(self, tracer: Tracer) -> None:
        self.place, self.stop, self.step = (specialized(tracer, part) for part in (self.place, self.stop, self.step))
