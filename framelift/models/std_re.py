"""Models of `re` on constants: patterns and strings are known, so matching is done for real while capturing."""

from __future__ import annotations

import enum
import re
from typing import Any

from framelift.models.real_exceptions import exception_value
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.iterators import ConstantIterator
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break

_FUNCTIONS = ("match", "search", "fullmatch", "findall", "split", "finditer", "sub", "subn")
_MATCH_METHODS = ("group", "groups", "groupdict", "start", "end", "span", "expand", "__getitem__")


def _real(value: Value) -> Any:
    if isinstance(value, Known) and (value.literal or isinstance(value.obj, re.Pattern | re.Match | enum.Enum)):
        return value.obj
    raise Break(UNKNOWN_OPERATION, "a regular expression on something else than constants")


def _done(m: Tracer, function: Any, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """Call something now; what it raises is raised in the program."""
    real_args = [_real(arg) for arg in args]
    real_kwargs = {name: _real(arg) for name, arg in kwargs.items()}
    try:
        result = function(*real_args, **real_kwargs)
    except Exception as error:  # noqa: BLE001 - whatever it is
        raise Raised(exception_value(m, error)) from None
    if isinstance(result, type(re.finditer("", ""))):
        return ConstantIterator((function, tuple(real_args), real_kwargs), _started)
    return m.constant(result)


def _started(call: tuple[Any, tuple[Any, ...], dict[str, Any]]) -> Any:
    """For the residual too: an iterator of its own, that nobody has advanced."""
    function, args, kwargs = call
    return function(*args, **kwargs)


def _folded(function: Any) -> None:
    @model(function)
    def apply(m: Tracer, *args: Value, **kwargs: Value) -> Value:
        return _done(m, function, args, kwargs)


for _function in (re.compile, re.escape, *(getattr(re, name) for name in _FUNCTIONS if "sub" not in name)):
    _folded(_function)
for _name in _FUNCTIONS:
    if "sub" not in _name:
        _folded(getattr(re.Pattern, _name))
for _name in ("__eq__", "__hash__"):
    _folded(getattr(re.Pattern, _name))
for _name in _MATCH_METHODS:
    _folded(getattr(re.Match, _name))


def _substitution(name: str, counted: bool) -> None:
    @model(getattr(re.Pattern, name))
    def method(m: Tracer, self: Value, repl: Value, string: Value, count: Value | None = None) -> Value:
        options = () if count is None else (count,)
        if isinstance(repl, Known) and repl.literal:
            return _done(m, getattr(re.Pattern, name), (self, repl, string, *options), {})
        pattern, text, limit = _real(self), _real(string), _real(count) if count is not None else 0
        if not isinstance(text, str):
            raise Break(UNKNOWN_OPERATION, "a substitution in something else than a string")
        pieces, position, made = [], 0, 0
        for found in pattern.finditer(text):
            if limit and made >= limit:
                break
            new = m.call(repl, [Known(found)])
            if not isinstance(new, Known) or not isinstance(new.obj, str):
                raise Break(UNKNOWN_OPERATION, "a substitution by something else than a string")
            pieces += [text[position : found.start()], new.obj]
            position = found.end()
            made += 1
        result = "".join([*pieces, text[position:]])
        return m.constant((result, made)) if counted else Known(result)

    @model(getattr(re, name))
    def function(
        m: Tracer,
        pattern: Value,
        repl: Value,
        string: Value,
        count: Value | None = None,
        flags: Value | None = None,
    ) -> Value:
        options = () if flags is None else (flags,)
        return method(m, _done(m, re.compile, (pattern, *options), {}), repl, string, count)


_substitution("sub", counted=False)
_substitution("subn", counted=True)
