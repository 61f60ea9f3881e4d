"""What models of containers share: the contents behind a value, the effect log, indices, equality."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.slices import SliceValue
from framelift.values.symbol import specialized


def content(value: Value) -> Any:
    """The container itself, also for an instance of a subclass of one."""
    return value.content if isinstance(value, InstanceValue) and value.content is not None else value


def receiver(m: Tracer, value: Value, kind: type, method: str) -> Any:
    """The container of a method's `self`, which may be of the wrong type when the method was taken from its class."""
    found = content(value)
    if not issubclass(value.cls, kind):
        m.throw(
            TypeError,
            f"descriptor '{method}' for '{kind.__name__}' objects doesn't apply to a '{value.cls.__name__}' object",
        )
    if isinstance(found, Known | InstanceValue):
        raise Break(UNKNOWN_OPERATION, f"the contents of a {value.cls.__name__}")
    return found


def changed(m: Tracer, owner: Value, method: Any, *args: Value) -> None:
    """Log a mutation if the container existed before the call."""
    if owner.seen is not None:
        m.effects.add(method, owner, *args)


def known_class(cls: Value) -> Any:
    """The class an instance is to be made of."""
    if not isinstance(cls, Known) or not isinstance(cls.obj, type):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    return cls.obj


def is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def is_int(value: Value) -> bool:
    """Whether a value is a number that is known, also a member of an IntEnum or an instance of another subclass."""
    found = content(value)
    return isinstance(found, Known) and isinstance(found.obj, int)


def as_index(m: Tracer, value: Value, message: str) -> int:
    """`operator.index(value)`; the message is for what has none, with the type's name in it as `{}`."""
    found = specialized(m, content(value))
    if isinstance(found, Known) and isinstance(found.obj, int):
        return int(found.obj)
    if m.class_attribute(value.cls, "__index__") is None:
        m.throw(TypeError, message.format(value.cls.__name__))
    result = m.call_method(value, "__index__", [])
    if not is_int(result):
        m.throw(TypeError, f"__index__ returned non-int (type {result.cls.__name__})")
    return int(content(result).obj)


def as_slice(m: Tracer, value: SliceValue) -> slice:
    """The real slice; its parts are numbers, None, or have `__index__`."""
    message = "slice indices must be integers or None or have an __index__ method"
    made = slice(*(None if is_none(part) else as_index(m, part, message) for part in value.parts))
    if made.step == 0:
        m.throw(ValueError, "slice step cannot be zero")
    return made


def said_by(attempt: Callable[[], Any]) -> str:
    """What this Python says to something it refuses: messages differ between Pythons."""
    try:
        attempt()
    except Exception as error:  # noqa: BLE001 - whichever it is
        return str(error)
    raise AssertionError("this Python allows what it was thought to refuse")


NOT_AN_INTEGER = "'{}' object cannot be interpreted as an integer"


def equal(m: Tracer, left: Value, right: Value) -> bool:
    """Whether containers take two values for the same: identity first, then `==`."""
    if left is right or (isinstance(left, Known) and isinstance(right, Known) and left.obj is right.obj):
        return True
    return m.truth(m.compare("==", left, right))


def refuse_keywords(m: Tracer, cls: type, kind: type, starter: type) -> None:
    """Keywords are for an `__init__` of the program's own: whoever has that of `starter` takes none, nor has `kind`."""
    found = m.class_attribute(cls, "__init__")
    if cls is kind or (isinstance(found, Known) and found.obj is starter.__dict__["__init__"]):
        m.throw(TypeError, f"{kind.__name__}() takes no keyword arguments")
