"""Text: f-strings, `str`, `repr` and `format` of symbolic values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from framelift.interpreter import folding
from framelift.models import deferred_texts
from framelift.values.base import Value
from framelift.values.known import Known, NotConstant
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.symbol import specialized
from framelift.values.tensor import TensorValue
from framelift.values.text import TextValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

CONVERSIONS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "str": ("__str__", str),
    "repr": ("__repr__", repr),
    "ascii": ("__repr__", ascii),
}


# Without a specification these ask for the text.
_FORMATS: frozenset[Any] = frozenset(cls.__format__ for cls in (object, int, float, complex, str))


def join(m: Machine, parts: list[Value]) -> Value:
    """The concatenation of strings."""
    return deferred_texts.joined(m, parts)


def converted(m: Machine, value: Value, conversion: str | None) -> Value:
    """`str(value)`, `repr(value)` or `ascii(value)`; None: the value itself."""
    if conversion is None:
        return value
    name, real = CONVERSIONS[conversion]
    numbers = deferred_texts.of_numbers(m, real, value)
    if numbers is not None:
        return numbers
    if isinstance(value, TextValue):
        return value if conversion == "str" else deferred_texts.made_of(m, real, [value])
    value = folding.without_symbols(m, value)
    if isinstance(value, TensorValue):
        return deferred_texts.of_tensor(m, real, value)
    try:
        return folding.really(m, real, [folding.to_python(m, value)])
    except NotConstant:
        pass
    text = m.call_method(value, name, [])
    if isinstance(text, TextValue):
        return text if conversion != "ascii" else deferred_texts.made_of(m, _in_ascii, [text])
    if not isinstance(text, Known) or not isinstance(text.obj, str):
        m.throw(TypeError, f"{name} returned non-string (type {text.cls.__name__})")
    return Known(_in_ascii(text.obj)) if conversion == "ascii" else text


def _in_ascii(text: str) -> str:
    """The repr that an object gives, as `ascii` gives it."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


def formatted(m: Machine, value: Value, spec: Value | None) -> Value:
    """`format(value, spec)`"""
    spec = Known("") if spec is None else specialized(m, spec)
    numbers = deferred_texts.of_numbers(m, format, value, spec)
    if numbers is not None:
        return numbers
    if isinstance(value, TextValue):
        return deferred_texts.formatted(m, value, spec)
    value = folding.without_symbols(m, value)
    if isinstance(value, TensorValue):
        return deferred_texts.of_tensor(m, format, value, spec)
    try:
        return folding.really(m, format, [folding.to_python(m, value), folding.to_python(m, spec)])
    except NotConstant:
        pass
    found = m.class_attribute(value.cls, "__format__")
    plain = isinstance(spec, Known) and spec.obj == ""
    if plain and isinstance(found, Known) and found.obj in _FORMATS:
        return converted(m, value, "str")
    if isinstance(found, Known) and found.obj is object.__format__:
        if not isinstance(spec, Known) or type(spec.obj) is not str:
            raise Break(UNKNOWN_OPERATION, f"a format of {value.cls.__name__}")
        m.throw(TypeError, f"unsupported format string passed to {value.cls.__name__}.__format__")
    return m.call_method(value, "__format__", [spec])
