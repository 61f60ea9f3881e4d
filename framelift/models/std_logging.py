"""Models of `logging`: whether a message would be emitted is found out; emitting one is left to Python."""

from __future__ import annotations

import logging
from typing import Any

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_CALL, UNKNOWN_OPERATION, Break

# The real ones take a lock and remember the answer. Neither shows.


@polyfill(logging.Logger.isEnabledFor)
def is_enabled_for(self: Any, level: Any) -> Any:
    if self.disabled:
        return False
    try:
        return self._cache[level]
    except KeyError:
        return self.manager.disable < level and level >= self.getEffectiveLevel()


@model(logging.getLogger)
def get_logger(m: Tracer, name: Value | None = None) -> Value:
    found = m.call(Known(_existing), [] if name is None else [name])
    if isinstance(found, Known) and found.obj is None:
        raise Break(UNKNOWN_OPERATION, "the first use of a logger")
    return found


def _existing(name: Any = None) -> Any:
    if not name or (isinstance(name, str) and name == logging.root.name):
        return logging.root
    found = logging.Logger.manager.loggerDict.get(name)
    return None if isinstance(found, logging.PlaceHolder) else found


@model(logging.Logger._log)
def emit(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    raise Break(UNKNOWN_CALL, "logging of a message")
