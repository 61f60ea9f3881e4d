"""Models of `warnings`: a warning is given by the residual, as one of the place where the program warned.

If it would be an exception it has to be raised there and then, so the residual first sees that no filter makes it one.
If it is kept in a list, the program must not look at that before.
"""

from __future__ import annotations

import logging
import warnings
from types import BuiltinMethodType, FunctionType
from typing import Any

from framelift.guards.observed import Observed
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
    if not (isinstance(kind, type) and issubclass(kind, Warning)) or source is not NONE:
        raise refused
    _check_filters(m, refused)
    callers = m.callers()
    level = max(stacklevel.obj, 1) - 1
    if level < len(callers):
        filename, line, _, names = callers[level]
        m.effects.add(warn_at, message, Known(kind), Known(filename), Known(line), names)
    else:
        m.effects.add(warn_above, message, Known(kind), Known(level - len(callers) + 1))
    return NONE


def _check_filters(m: Tracer, refused: Break) -> None:
    """Break if the warning may be raised, or be kept where the program will look for it before the residual runs."""
    module = Observed(m.ledger.paths.start("object", warnings), warnings, m.ledger)
    written = {name: value for name, value in m.namespace(module.child("dict")).written.items() if _is_new(name, value)}
    if written.keys() & {"showwarning", "_showwarnmsg_impl", "defaultaction"} or not none_raises():
        raise refused
    recorder = _recorder()
    if recorder is _USERS or (recorder is not None and (id(recorder) in m.passed or not m.conceal(recorder))):
        raise refused
    m.assume(refused, holds=_shows_plainly if recorder is None else _shows_or_records)
    if "filters" not in written and not any(_changes_filters(effect.args) for effect in m.effects.effects):
        m.assume(refused, holds=none_raises)
        return
    actions = [m.unpack(rule)[0] for rule in m.unpack(m.getattr(Known(warnings), "filters"))]
    if not all(isinstance(action, Known) and action.obj != "error" for action in actions):
        raise refused


_USERS = object()


def _recorder() -> Any:
    """The list in which `catch_warnings(record=True)` keeps warnings. None: they are printed or logged."""
    how, shown = vars(warnings).get("_showwarnmsg_impl"), vars(warnings).get("showwarning")
    if shown is logging._showwarning:  # type: ignore[attr-defined]
        return None
    if shown is not warnings._showwarning_orig:  # type: ignore[attr-defined]
        return _USERS
    if isinstance(how, FunctionType):
        return None if how.__module__ == "warnings" else _USERS
    return how.__self__ if isinstance(how, BuiltinMethodType) and type(how.__self__) is list else _USERS


def _shows_plainly() -> bool:
    return _recorder() is None


def _shows_or_records() -> bool:
    return _recorder() is not _USERS


def _is_new(name: str, value: Value) -> bool:
    """Whether what was assigned to a variable of the module is not what it was before the call."""
    return value.seen is None or value.seen.token() != id(vars(warnings).get(name))


def _changes_filters(args: tuple[Any, ...]) -> bool:
    target = args[0] if args else None
    return isinstance(target, Value) and target.seen is not None and target.seen.token() == id(warnings.filters)


@model(warnings._filters_mutated)  # type: ignore[attr-defined]
def filters_mutated(m: Tracer, /) -> Value:
    """That the filters are others, in the order in which they are set and used."""
    m.effects.add(warnings._filters_mutated)  # type: ignore[attr-defined]
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
