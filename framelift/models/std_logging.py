"""Models of `logging`: whether a message would be emitted is found out; it is emitted by the residual."""

from __future__ import annotations

import logging
import os
from typing import Any

from framelift.models.output import frame_above, is_settled
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, Known
from framelift.values.reasons import UNKNOWN_CALL, UNKNOWN_OPERATION, Break

_START = Known(1)

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
def emit(
    m: Tracer,
    self: Value,
    level: Value,
    msg: Value,
    args: Value,
    exc_info: Value = NONE,
    extra: Value = NONE,
    stack_info: Value = FALSE,
    stacklevel: Value = _START,
) -> Value:
    refused = Break(UNKNOWN_CALL, "logging of a message")
    if self.seen is None or not all(is_settled(m, value) for value in (level, msg, args, stacklevel)):
        raise refused
    if any(m.truth(value) for value in (exc_info, extra, stack_info)):
        raise refused
    if not self.seen.convert(lambda logger: _can_wait(m, logger)):
        raise refused
    m.assume(refused)
    assert isinstance(stacklevel, Known)
    callers = [caller for caller in m.callers() if os.path.normcase(caller.filename) != logging._srcfile]
    place = max(stacklevel.obj, 1) - 1
    if place < len(callers):
        filename, line, name, _ = callers[place]
        m.effects.add(emit_at, self, level, msg, args, Known(filename), Known(line), Known(name))
    else:
        m.effects.add(emit_above, self, level, msg, args, Known(place - len(callers) + 1))
    return NONE


_PARTS = frozenset(vars(logging.StreamHandler()))
_HANDLERS = (logging.__name__, "logging.handlers", "_pytest.logging")


def _can_wait(m: Tracer, logger: Any) -> bool:
    """Whether nothing that the program can look at changes with a message: handlers of its own may keep them."""
    while isinstance(logger, logging.Logger):
        for handler in logger.handlers:
            if type(handler).emit.__module__ in _HANDLERS:
                continue
            kept = [part for name, part in vars(handler).items() if name not in _PARTS]
            if not all(type(part) is list and m.conceal(part) for part in kept):
                return False
        logger = logger.parent if logger.propagate else None
    return True


def emit_at(logger: Any, level: int, msg: Any, args: Any, filename: str, line: int, name: str) -> None:
    """For the residual: emit a message of an inlined function."""
    logger.handle(logger.makeRecord(logger.name, level, filename, line, msg, args, None, name, None, None))


def emit_above(logger: Any, level: int, msg: Any, args: Any, levels: int) -> None:
    """For the residual: emit a message as its caller, or a caller further up."""
    frame = frame_above(levels)
    if frame is None:
        emit_at(logger, level, msg, args, "(unknown file)", 0, "(unknown function)")
    else:
        emit_at(logger, level, msg, args, frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
