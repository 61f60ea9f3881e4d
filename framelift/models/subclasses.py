"""`cls.__subclasses__()`: which classes derive from one is assumed to stay as it is, and looked at after the graph."""

from __future__ import annotations

import functools
import weakref
from typing import Any

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_CALL, Break
from framelift.values.sequence import ListValue


@model(type.__subclasses__)
def subclasses(m: Tracer, cls: Value, /) -> Value:
    refused = Break(UNKNOWN_CALL, type.__subclasses__)
    if not isinstance(cls, Known) or m.made_classes:
        raise refused
    found = type.__subclasses__(cls.obj)
    still = functools.partial(_are_still, weakref.ref(cls.obj), [weakref.ref(subclass) for subclass in found])
    m.assume(refused, holds=still)
    return ListValue([Known(subclass) for subclass in found], list)


def _are_still(cls: Any, known: list[Any]) -> bool:
    """For the residual. The classes are not kept alive for this."""
    owner = cls()
    found = [] if owner is None else type.__subclasses__(owner)
    return len(found) == len(known) and all(subclass is reference() for subclass, reference in zip(found, known))  # noqa: B905
