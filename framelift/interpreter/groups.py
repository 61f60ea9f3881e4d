"""Exception groups: making them, taking them apart, and `except*`. What CPython does in C is traced as Python here."""

from __future__ import annotations

from typing import Any

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


@polyfill(BaseExceptionGroup.__new__)
def new(cls: Any, /, *args: Any) -> Any:
    if len(args) != 2:
        raise TypeError(f"BaseExceptionGroup.__new__() takes exactly 2 arguments ({len(args)} given)")
    message, exceptions = args
    if not isinstance(message, str):
        raise TypeError(f"BaseExceptionGroup.__new__() argument 1 must be str, not {type(message).__name__}")
    if not hasattr(type(exceptions), "__getitem__") or isinstance(exceptions, dict):
        raise TypeError("second argument (exceptions) must be a sequence")
    given = tuple(exceptions)
    if not given:
        raise ValueError("second argument (exceptions) must be a non-empty sequence")
    only_exceptions = True
    for index, exception in enumerate(given):
        if not isinstance(exception, BaseException):
            raise ValueError(f"Item {index} of second argument (exceptions) is not an exception")
        if not isinstance(exception, Exception):
            only_exceptions = False
    if cls is BaseExceptionGroup:
        if only_exceptions:
            cls = ExceptionGroup
    elif not only_exceptions and issubclass(cls, Exception):
        if cls is ExceptionGroup:
            raise TypeError("Cannot nest BaseExceptions in an ExceptionGroup")
        raise TypeError(f"Cannot nest BaseExceptions in '{cls.__name__}'")
    return _make(cls, message, exceptions, given)


def _make(cls: Any, message: Any, exceptions: Any, given: Any) -> Any:
    raise NotImplementedError


@model(_make)
def make(m: Tracer, cls: Value, message: Value, exceptions: Value, given: Value, /) -> Value:
    assert isinstance(cls, Known)
    made = InstanceValue(cls.obj)
    made.init_args = [message, exceptions]
    made.slots[_GIVEN] = given
    return made


_GIVEN = "exceptions of the group"


def _part(m: Tracer, value: Value, name: str) -> Value | None:
    """A member of a group that existed before the call; None for one made in it."""
    if not isinstance(value, InstanceValue):
        raise Break(UNKNOWN_OPERATION, "an exception group that existed before the call")
    if value.seen is None:
        return None
    return m.lift(value.seen.child("slot", BaseExceptionGroup.__dict__[name]))


@model(BaseExceptionGroup.__init__)
def init(m: Tracer, self: Value, /, *args: Value) -> Value:
    return Known(None)


@model(BaseExceptionGroup.__dict__["message"])
def message_of(m: Tracer, self: Value, /) -> Value:
    found = _part(m, self, "message")
    assert isinstance(self, InstanceValue)
    return self.init_args[0] if found is None else found


@model(BaseExceptionGroup.__dict__["exceptions"])
def exceptions_of(m: Tracer, self: Value, /) -> Value:
    found = _part(m, self, "exceptions")
    if found is None:
        assert isinstance(self, InstanceValue)
        found = self.slots[_GIVEN]
    assert isinstance(found, TupleValue)
    return found


@polyfill(BaseExceptionGroup.__str__)
def text(self: Any) -> str:
    count = len(self.exceptions)
    return f"{self.message} ({count} sub-exception{'' if count == 1 else 's'})"


@polyfill(BaseExceptionGroup.derive)
def derive(self: Any, exceptions: Any, /) -> Any:
    return BaseExceptionGroup(self.message, exceptions)


@polyfill(BaseExceptionGroup.split)
def split(self: Any, condition: Any, /) -> Any:
    return _split(self, _matcher(condition))


@polyfill(BaseExceptionGroup.subgroup)
def subgroup(self: Any, condition: Any, /) -> Any:
    return _split(self, _matcher(condition))[0]


def _matcher(condition: Any) -> Any:
    if isinstance(condition, type | tuple):
        return lambda exception: isinstance(exception, condition)
    if callable(condition):
        return condition
    raise TypeError("expected a function, exception type or tuple of exception types")


def _split(group: Any, matches: Any) -> Any:
    if matches(group):
        return group, None
    matched, others = [], []
    for exception in group.exceptions:
        if isinstance(exception, BaseExceptionGroup):
            inside, outside = _split(exception, matches)
            if inside is not None:
                matched.append(inside)
            if outside is not None:
                others.append(outside)
        elif matches(exception):
            matched.append(exception)
        else:
            others.append(exception)
    return _subset(group, matched), _subset(group, others)


def _subset(group: Any, exceptions: Any) -> Any:
    """A group of some of the exceptions of another, in everything else like it."""
    if not exceptions:
        return None
    made = group.derive(exceptions)
    made.__traceback__ = group.__traceback__
    made.__context__ = group.__context__
    made.__cause__ = group.__cause__
    if hasattr(group, "__notes__"):
        made.__notes__ = list(group.__notes__)
    return made


def match(exception: Any, kinds: Any) -> Any:
    """What `except* kinds` leaves of an exception, and what it takes."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    if exception is None:
        return None, None
    if isinstance(exception, kinds):
        if isinstance(exception, BaseExceptionGroup):
            return None, exception
        return None, ExceptionGroup("", [exception])
    if isinstance(exception, BaseExceptionGroup):
        matched, others = exception.split(kinds)
        return others, matched
    return exception, None


def to_raise(original: Any, raised: Any) -> Any:
    """What leaves a `try` with `except*`: what its clauses raised, and what none of them took."""
    if not isinstance(original, BaseExceptionGroup):
        return raised[0] if raised else None
    new, again = [], []
    for exception in raised:
        if exception is None:
            continue
        if _is_part(exception, original):
            again.append(exception)
        else:
            new.append(exception)
    rest = _projection(original, again) if again else None
    if not new:
        return rest
    if rest is not None:
        new.append(rest)
    return new[0] if len(new) == 1 else ExceptionGroup("", new)


def _is_part(exception: Any, original: Any) -> bool:
    return (
        exception.__cause__ is original.__cause__
        and exception.__context__ is original.__context__
        and getattr(exception, "__notes__", None) == getattr(original, "__notes__", None)
    )


def _projection(original: Any, groups: Any) -> Any:
    """The part of a group that is made of the leaves of others."""
    leaves: list[Any] = []
    for group in groups:
        _collect(group, leaves)
    return _split(original, lambda exception: any(exception is leaf for leaf in leaves))[0]


def _collect(exception: Any, leaves: Any) -> None:
    if isinstance(exception, BaseExceptionGroup):
        for inner in exception.exceptions:
            _collect(inner, leaves)
    else:
        leaves.append(exception)
