"""`str.format`, `str.__mod__` and `str.join` of values that are not all literals."""

from __future__ import annotations

import operator
import re
import string
from typing import Any

from framelift.models.contents import content
from framelift.models.deferred_texts import joined, made_of, number_of_tensor
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue
from framelift.values.text import TextValue


def _text(m: Tracer, value: Value) -> Value:
    """A piece of a text, known or deferred."""
    held = content(value)
    return held if isinstance(held, TextValue) else Known(_known_text(m, value))


def _known_text(m: Tracer, value: Value) -> str:
    held = specialized(m, content(value))
    if not isinstance(held, Known) or not isinstance(held.obj, str):
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} in place of a text")
    return str(held.obj)


@model(str.format)
def format_(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    folded = m.fold(str.format, [self, *args], kwargs)
    if folded is not None:
        return folded
    return _Formatting(m, list(args), kwargs.get).run(_known_text(m, self), 2)


@model(str.format_map)
def format_map(m: Tracer, self: Value, mapping: Value, /) -> Value:
    def look_up(name: str) -> Value | None:
        return m.call_method(mapping, "__getitem__", [Known(name)])

    return _Formatting(m, [], look_up).run(_known_text(m, self), 2)


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

    def run(self, template: str, depth: int) -> Value:
        m = self.m
        if depth == 0:
            m.throw(ValueError, "Max string recursion exceeded")
        parts: list[Value] = []
        try:
            fields = list(_parser.parse(template))
        except ValueError as error:
            m.throw(ValueError, *error.args)
        for text, field, spec, conversion in fields:
            parts.append(Known(text))
            if field is None:
                continue
            value = self._value(field)
            if conversion is not None:
                kinds = {"s": "str", "r": "repr", "a": "ascii"}
                if conversion not in kinds:
                    raise Break(UNKNOWN_OPERATION, "an unknown conversion")
                value = m.text(value, kinds[conversion])
            wanted = self.run(spec, depth - 1) if spec else Known("")
            parts.append(_text(m, m.call(Known(format), [value, wanted])))
        return joined(m, parts)

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
    texts = [_text(m, item) for item in found]
    between = [part for text in texts for part in (text, _text(m, self))]
    return joined(m, between[:-1])


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
        return _named(m, template, values)
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
    return _filled(m, template, lambda found: next(rest))


def _filled(m: Tracer, template: str, value_of: Any) -> Value:
    """The template with the texts of its fields."""
    parts: list[Value] = []
    end = 0
    for found in _FIELD.finditer(template):
        percent = found["kind"] == "%"
        parts += [Known(template[end : found.start()]), Known("%") if percent else _one(m, found, value_of(found))]
        end = found.end()
    return joined(m, [*parts, Known(template[end:])])


def _named(m: Tracer, template: str, values: Value) -> Value:
    if m.class_attribute(values.cls, "__getitem__") is None:
        m.throw(TypeError, "format requires a mapping")
    return _filled(m, template, lambda found: m.call_method(values, "__getitem__", [Known(found["name"])]))


def _one(m: Tracer, found: Any, value: Value) -> Value:
    """The text of one field."""
    kind = found["kind"]
    precision = "" if found["precision"] is None else f".{found['precision']}"
    spec = f"%{found['flags']}{found['width']}{precision}"
    if kind in "sra":
        text = _text(m, m.text(value, {"s": "str", "r": "repr", "a": "ascii"}[kind]))
        if isinstance(text, Known):
            return Known(f"{spec}s" % text.obj)
        return made_of(m, operator.mod, [Known(f"{spec}s"), text])
    if isinstance(value, TensorValue):
        return number_of_tensor(m, spec + kind, value)
    if isinstance(value, SymbolValue) and value.cls in (int, float) and kind in ("eEfFgG" + "diu" * (value.cls is int)):
        return made_of(m, operator.mod, [Known(spec + kind), value])
    held = specialized(m, content(value))
    if not isinstance(held, Known):
        raise Break(UNKNOWN_OPERATION, f"the number in a {value.cls.__name__}")
    done = m.fold(str.__mod__, [Known(spec + kind), TupleValue([held], tuple)])
    if done is None:
        raise Break(UNKNOWN_OPERATION, f"the number in a {value.cls.__name__}")
    return done
