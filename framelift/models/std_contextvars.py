"""Models of `contextvars`. What a variable has is guarded; the residual sets it and sets it back, with real tokens."""

from __future__ import annotations

import contextvars
from typing import Any

from framelift import _core
from framelift.effects.log import nothing
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.context_token import TokenValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_CALL, Break

_OR_ITS_DEFAULT = 1
_Variable: Any = contextvars.ContextVar
_Token: Any = contextvars.Token


@model(_Variable.get)
def get(m: Tracer, self: Value, default: Value | None = None, /) -> Value:
    value = _current(m, self)
    if value is None and default is None:
        value = _found(m, self, _OR_ITS_DEFAULT)
    if value is not None:
        return value
    return m.raise_value(LookupError, [self]) if default is None else default


def _current(m: Tracer, variable: Value) -> Value | None:
    """What a variable has been set to; None if it has not."""
    if not isinstance(variable, Known) or variable.seen is None:
        raise Break(UNKNOWN_CALL, _Variable.get)
    known = m.context_values.get(id(variable.obj))
    return _found(m, variable, 0) if known is None else known[0]


def _found(m: Tracer, variable: Value, which: int) -> Value | None:
    assert variable.seen is not None
    value = m.lift(variable.seen.child("context_value", which))
    return None if isinstance(value, Known) and value.obj is _core.UNSET else value


@model(_Variable.set)
def set_(m: Tracer, self: Value, value: Value, /) -> Value:
    before = _current(m, self)
    assert isinstance(self, Known)
    token = TokenValue(self, before, len(m.effects.effects))
    m.context_values[id(self.obj)] = (value,)
    m.effects.add(_set, token.box, self, value)
    return token


@model(_Variable.reset)
def reset(m: Tracer, self: Value, token: Value, /) -> Value:
    if not isinstance(token, TokenValue) or token.variable is not self or token.used or not isinstance(self, Known):
        raise Break(UNKNOWN_CALL, _Variable.reset)
    token.used = True
    m.context_values[id(self.obj)] = (token.before,)
    assert token.place is not None
    if all(effect.function is nothing for effect in m.effects.effects[token.place + 1 :]):
        m.effects.take_back(token.place)  # nobody has seen it
        token.place = None
    else:
        m.effects.add(_reset, token.box, self)
    return NONE


@model(_Token.__dict__["var"])
def variable_of(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, TokenValue):
        raise Break(UNKNOWN_CALL, "Token.var of one that existed before")
    return self.variable


@model(_Token.__dict__["old_value"])
def old_value_of(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, TokenValue):
        raise Break(UNKNOWN_CALL, "Token.old_value of one that existed before")
    return Known(contextvars.Token.MISSING) if self.before is None else self.before


# What the residual calls


def _set(box: list[Any], variable: Any, value: Any) -> None:
    box.append(variable.set(value))


def _reset(box: list[Any], variable: Any) -> None:
    variable.reset(box[0])
