"""Models of `warnings`: a warning is given by the residual, as one of the place where the program warned.

If it would be an exception it has to be raised there and then, so the residual first sees that no filter makes it one.
"""

from __future__ import annotations

import warnings
from typing import Any

from framelift.models.output import is_settled
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_CALL, Break

_START = Known(1)


@model(warnings.warn)
def warn(m: Tracer, message: Value, category: Value = NONE, stacklevel: Value = _START, source: Value = NONE) -> Value:
    refused = Break(UNKNOWN_CALL, warnings.warn)
    if not (isinstance(message, Known) and is_settled(m, message) and type(message.obj) is str):
        raise refused
    if not (isinstance(category, Known) and isinstance(stacklevel, Known) and type(stacklevel.obj) is int):
        raise refused
    kind = UserWarning if category.obj is None else category.obj
    if not (isinstance(kind, type) and issubclass(kind, Warning)) or source is not NONE or not none_raises():
        raise refused
    m.assume(refused, holds=none_raises)
    callers = m.callers()
    level = max(stacklevel.obj, 1) - 1
    if level < len(callers):
        filename, line, _, names = callers[level]
        m.effects.add(warn_at, message, Known(kind), Known(filename), Known(line), names)
    else:
        m.effects.add(warn_above, message, Known(kind), Known(level - len(callers) + 1))
    return NONE


def none_raises() -> bool:
    """Whether no filter turns warnings into exceptions."""
    default = vars(warnings).get("defaultaction", "default")
    return default != "error" and all(rule[0] != "error" for rule in warnings.filters)


def warn_at(message: str, category: type[Warning], filename: str, line: int, names: dict[str, Any]) -> None:
    """For the residual: warn at a place in an inlined function, of which these are the globals."""
    registry = names.setdefault("__warningregistry__", {})
    module = names.get("__name__", "<string>")
    warnings.warn_explicit(message, category, filename, line, module, registry)


def warn_above(message: str, category: type[Warning], levels: int) -> None:
    """For the residual: warn as its caller, or a caller further up."""
    warnings.warn(message, category, stacklevel=2 + levels)
