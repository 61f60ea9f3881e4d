"""What a capture takes for granted about things that are only known when the graph has run.

The residual looks at it after the graph and before it does anything else. If it does not hold, the call runs again as
plain Python (residual/rerun.py), so that an assumption is never wrong, only slow when it fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from framelift.values.reasons import Break
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

OFTEN = 3
"""After so many calls that were not as assumed nothing is assumed there any more."""


class Place(NamedTuple):
    """An instruction of a program, and how often the program's instructions gave reason to doubt."""

    doubts: dict[int, int]
    at: int

    @property
    def is_doubted(self) -> bool:
        return self.doubts.get(self.at, 0) >= OFTEN

    def doubt(self, times: int) -> None:
        self.doubts[self.at] = self.doubts.get(self.at, 0) + times


class Assumption(NamedTuple):
    """That a tensor or number is true or false, or that a function of no arguments says so; or that the graph runs."""

    condition: TensorValue | SymbolValue | None
    truth: bool
    holds: Callable[[], bool] | None
    otherwise: Break  # what happens if nothing may be assumed
    place: Place
    step: int  # of the capture
    lasts: bool  # whether what was once different stays so


class Assumptions:
    """Those of one capture and, when it has become an entry, how often one was wrong."""

    __slots__ = ("made", "places", "lasting", "misses", "entry")

    def __init__(self) -> None:
        self.made: list[Assumption] = []
        self.places: list[Place] = []
        self.lasting: list[bool] = []
        self.misses = 0
        self.entry: Any = None

    def publish(self, entry: Any, ever_doubted: bool) -> None:
        """Become those of an entry, which has no use for the values any more."""
        self.entry = entry if ever_doubted else None
        self.places = [assumption.place for assumption in self.made]
        self.lasting = [assumption.lasts for assumption in self.made]
        self.made = []

    def missed(self, number: int) -> None:
        """Note that one did not hold (-1: that the graph has raised)."""
        self.misses += 1
        if self.entry is None:
            return
        if number >= 0 and self.lasting[number]:  # it is as it is now from now on: assume that instead
            self.places[number].doubt(1)
            self.entry.invalidate()
        if self.misses < OFTEN:
            return
        for place in self.places if number < 0 else self.places[number : number + 1]:
            place.doubt(OFTEN)
        self.entry.invalidate()
