"""Numbers out of a counter of the program's, as classes and objects are numbered: each call gets others.

The residual takes them before the graph, which gets them as inputs. Mostly nobody looks at them.
"""

from __future__ import annotations

import itertools
import re

import torch

from framelift.guards.observed import Observed
from framelift.models import early_numbers
from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.opaque import OpaqueValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break

_WHOLE = re.compile(r"count\(-?\d{1,18}(, -?\d{1,18})?\)")


class FoundCount(IteratorValue):
    """An `itertools.count` that is a global variable."""

    __slots__ = ()

    @property
    def cls(self) -> type:
        return itertools.count

    def advance(self, tracer: Tracer) -> Value:
        assert self.seen is not None
        self.seen.pin()
        otherwise = Break(UNKNOWN_OPERATION, "the next number of a count that existed before")
        return early_numbers.taken(tracer, next, torch.int64, self, otherwise=otherwise)


def found(m: Tracer, seen: Observed, kind: type) -> Value:
    """One that was handed to the call may be another one in each, which is none of ours to number."""
    is_whole = seen.convert(lambda count: _WHOLE.fullmatch(repr(count)) is not None)
    return FoundCount(seen) if seen.path.is_global and is_whole else OpaqueValue(kind, seen)
