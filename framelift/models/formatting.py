"""`str.format`, `str.__mod__` and `str.join` of values that are not all literals."""

from __future__ import annotations

import re
import string
from typing import Any

from framelift.models.contents import content
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.symbol import specialized
from framelift.values.tensor import TensorValue


def _known_text(m: Tracer, value: Value) -> str:
    held = content(value)
    if not isinstance(held, Known) or not isinstance(held.obj, str):
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} in place of a text")
    return str(held.obj)


@model(str.format)
def format_(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    folded = m.fold(str.format, [self, *args], kwargs)
    if folded is not None:
        return folded
    return Known(_Formatting(m, list(args), kwargs.get).run(_known_text(m, self), 2))


@model(str.format_map)
def format_map(m: Tracer, self: Value, mapping: Value, /) -> Value:
    def look_up(name: str) -> Value | None:
        return m.call_method(mapping, "__getitem__", [Known(name)])

    return Known(_Formatting(m, [], look_up).run(_known_text(m, self), 2))


_parser = string.Formatter()


def _split(field: str) -> tuple[str | int, list[tuple[bool, str | int]]]:
    """The first name of a field, and the attributes and items that follow it."""
    seen: list[str | int] = []
    steps: list[tuple[bool, str | int]] = []

    class Recorder(string.Formatter):
        def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
            seen.append(key)
            return Step()

    class Step:
        def __getattribute__(self, name: str) -> Any:
            steps.append((True, name))
            return self

        def __getitem__(self, key: Any) -> Any:
            steps.append((False, key))
            return self

    if field:
        Recorder().get_field(field, (), {})
    return (seen[0] if seen else ""), steps


class _Formatting:
    """One call of `str.format`, field by field."""

    def __init__(self, m: Tracer, args: list[Value], names: Any) -> None:
        self.m = m
        self.args = args
        self.names = names
        self.automatic: int | None = 0

    def run(self, template: str, depth: int) -> str:
        m = self.m
        if depth == 0:
            m.throw(ValueError, "Max string recursion exceeded")
        parts: list[str] = []
        try:
            fields = list(_parser.parse(template))
        except ValueError as error:
            m.throw(ValueError, *error.args)
        for text, field, spec, conversion in fields:
            parts.append(text)
            if field is None:
                continue
            value = self._value(field)
            if conversion is not None:
                kinds = {"s": "str", "r": "repr", "a": "ascii"}
                if conversion not in kinds:
                    raise Break(UNKNOWN_OPERATION, "an unknown conversion")
                value = m.text(value, kinds[conversion])
            wanted = self.run(spec, depth - 1) if spec else ""
            parts.append(_known_text(m, m.call(Known(format), [value, Known(wanted)])))
        return "".join(parts)

    def _value(self, field: str) -> Value:
        m = self.m
        first, rest = _split(field)
        if first == "":
            if self.automatic is None:
                m.throw(ValueError, "cannot switch from manual field specification to automatic field numbering")
            first, self.automatic = self.automatic, self.automatic + 1
        elif isinstance(first, int):
            if self.automatic:
                m.throw(ValueError, "cannot switch from automatic field numbering to manual field specification")
            self.automatic = None
        if isinstance(first, int):
            if first >= len(self.args):
                m.throw(IndexError, f"Replacement index {first} out of range for positional args tuple")
            value = self.args[first]
        else:
            found = self.names(first)
            if found is None:
                m.throw(KeyError, first)
            value = found
        for is_attribute, name in rest:
            value = m.getattr(value, str(name)) if is_attribute else m.call_method(value, "__getitem__", [Known(name)])
        return value


@model(str.join)
def join(m: Tracer, self: Value, items: Value, /) -> Value:
    folded = m.fold(str.join, [self, items])
    if folded is not None:
        return folded
    if m.class_attribute(items.cls, "__iter__") is None and m.class_attribute(items.cls, "__getitem__") is None:
        m.throw(TypeError, "can only join an iterable")
    found = m.unpack(items)
    for number, item in enumerate(found):
        if not issubclass(item.cls, str):
            m.throw(TypeError, f"sequence item {number}: expected str instance, {item.cls.__name__} found")
    texts = [Known(_known_text(m, item)) for item in found]
    joined = m.fold(str.join, [Known(_known_text(m, self)), ListValue(list(texts), list)])
    assert joined is not None
    return joined


_FIELD = re.compile(
    r"%(?:\((?P<name>.*?)\))?(?P<flags>[-#0 +]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.)"
)


@model(str.__mod__)
def percent(m: Tracer, self: Value, values: Value, /) -> Value:
    folded = m.fold(str.__mod__, [self, values])
    if folded is not None:
        return folded
    template = _known_text(m, self)
    fields = [found for found in _FIELD.finditer(template) if found["kind"] != "%"]
    if any("*" in (found["width"] or "") or "*" in (found["precision"] or "") for found in fields):
        raise Break(UNKNOWN_OPERATION, "a width that is given as an argument")
    if any(found["name"] is not None for found in fields):
        return Known(_named(m, template, values))
    items = list(content(values).all(m)) if isinstance(content(values), TupleValue) else [values]
    if len(items) < len(fields):
        m.throw(TypeError, "not enough arguments for format string")
    if len(items) > len(fields):
        is_mapping = m.class_attribute(values.cls, "__getitem__") is not None and not issubclass(
            values.cls, tuple | str
        )
        if isinstance(content(values), TupleValue) or not is_mapping:
            m.throw(TypeError, "not all arguments converted during string formatting")
    rest = iter(items)
    return Known(_FIELD.sub(lambda found: "%" if found["kind"] == "%" else _one(m, found, next(rest)), template))


def _named(m: Tracer, template: str, values: Value) -> str:
    if m.class_attribute(values.cls, "__getitem__") is None:
        m.throw(TypeError, "format requires a mapping")

    def replace(found: Any) -> str:
        if found["kind"] == "%":
            return "%"
        return _one(m, found, m.call_method(values, "__getitem__", [Known(found["name"])]))

    return _FIELD.sub(replace, template)


def _one(m: Tracer, found: Any, value: Value) -> str:
    """The text of one field."""
    kind = found["kind"]
    precision = "" if found["precision"] is None else f".{found['precision']}"
    spec = f"%{found['flags']}{found['width']}{precision}"
    if kind in "sra":
        text = m.text(value, {"s": "str", "r": "repr", "a": "ascii"}[kind])
        return str(f"{spec}s" % _known_text(m, text))
    held = specialized(m, content(value))
    if isinstance(value, TensorValue) or not isinstance(held, Known):
        raise Break(UNKNOWN_OPERATION, f"the number in a {value.cls.__name__}")
    done = m.fold(str.__mod__, [Known(spec + kind), TupleValue([held], tuple)])
    if done is None:
        raise Break(UNKNOWN_OPERATION, f"the number in a {value.cls.__name__}")
    return _known_text(m, done)
