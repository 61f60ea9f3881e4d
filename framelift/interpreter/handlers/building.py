"""Building containers and taking them apart."""

from __future__ import annotations

from typing import Any

from framelift.code import Instr
from framelift.interpreter import iteration, strings
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.models.dicts import has_keys, iterates_plainly
from framelift.values.base import NULL, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue, key_of
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, make_list, make_tuple
from framelift.values.sets import SetValue
from framelift.values.slices import SliceValue


@op("BUILD_TUPLE")
def build_tuple(m: Machine, frame: Frame, instr: Instr, *items: Value) -> Value:
    return make_tuple(list(items))


@op("BUILD_LIST")
def build_list(m: Machine, frame: Frame, instr: Instr, *items: Value) -> Value:
    return make_list(list(items))


@op("BUILD_SET")
def build_set(m: Machine, frame: Frame, instr: Instr, *items: Value) -> Value:
    made = SetValue()
    for item in items:
        made.add(m, item)
    return made


@op("BUILD_MAP")
def build_map(m: Machine, frame: Frame, instr: Instr, *items: Value) -> Value:
    made = DictValue()
    for index in range(0, len(items), 2):
        made.put(m, items[index], items[index + 1])
    return made


@op("BUILD_CONST_KEY_MAP")
def build_const_key_map(m: Machine, frame: Frame, instr: Instr, *items: Value) -> Value:
    made = DictValue()
    for name, item in zip(m.unpack(items[-1]), items[:-1], strict=True):
        made.put(m, name, item)
    return made


@op("BUILD_STRING")
def build_string(m: Machine, frame: Frame, instr: Instr, *parts: Value) -> Value:
    return strings.join(m, list(parts))


@op("BUILD_SLICE")
def build_slice(m: Machine, frame: Frame, instr: Instr, *parts: Value) -> Value:
    return SliceValue([*parts, Known(None)][:3])


@op("FORMAT_VALUE")
def format_value(m: Machine, frame: Frame, instr: Instr, value: Value, spec: Value | None = None) -> Value:
    return strings.formatted(m, strings.converted(m, value, instr.arg.conversion), spec)


@op("CONVERT_VALUE")
def convert_value(m: Machine, frame: Frame, instr: Instr, value: Value) -> Value:
    return strings.converted(m, value, instr.arg)


@op("LIST_APPEND")
def list_append(m: Machine, frame: Frame, instr: Instr, item: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, ListValue)
    target.push(item)
    _changed(m, target, list.append, item)


@op("LIST_EXTEND")
def list_extend(m: Machine, frame: Frame, instr: Instr, items: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, ListValue)
    if not iteration.is_iterable(m, items):
        m.throw(TypeError, f"Value after * must be an iterable, not {items.cls.__name__}")
    for item in m.unpack(items):
        target.push(item)
        _changed(m, target, list.append, item)


@op("SET_ADD")
def set_add(m: Machine, frame: Frame, instr: Instr, item: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, SetValue)
    target.add(m, item)
    _changed(m, target, set.add, item)


@op("SET_UPDATE")
def set_update(m: Machine, frame: Frame, instr: Instr, items: Value) -> None:
    target = frame.stack[-instr.arg]
    m.call(Known(set.update), [target, items])  # all at once, as the order of the elements depends on that


@op("MAP_ADD")
def map_add(m: Machine, frame: Frame, instr: Instr, name: Value, item: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, DictValue)
    target.put(m, name, item)
    _changed(m, target, dict.__setitem__, name, item)


@op("DICT_UPDATE")
def dict_update(m: Machine, frame: Frame, instr: Instr, mapping: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, DictValue)
    for name, item in pairs_of(m, mapping):
        target.put(m, name, item)
        _changed(m, target, dict.__setitem__, name, item)


@op("DICT_MERGE")
def dict_merge(m: Machine, frame: Frame, instr: Instr, mapping: Value) -> None:
    target = frame.stack[-instr.arg]
    assert isinstance(target, DictValue)
    if not has_keys(m, mapping):
        kind = mapping.cls.__name__
        m.throw(TypeError, f"{_called(m, frame, instr.arg)} argument after ** must be a mapping, not {kind}")
    for name, item in pairs_of(m, mapping):
        key = key_of(m, name)
        if target.get(m, key) is not None:
            shown = name.obj if isinstance(name, Known) else name
            m.throw(TypeError, f"{_called(m, frame, instr.arg)} got multiple values for keyword argument {shown!r}")
        target.put(m, name, item)
        _changed(m, target, dict.__setitem__, name, item)


def _called(m: Machine, frame: Frame, depth: int) -> str:
    """How CPython names the callable that keyword arguments are gathered for."""
    return spoken_of(m, next(value for value in frame.stack[-depth - 2 :: -1] if value is not NULL))


def spoken_of(m: Machine, function: Value) -> str:
    """What messages about its arguments call a callable."""
    name = _text(m, function, "__qualname__")
    module = _text(m, function, "__module__")
    if name is None:
        raise Break(UNKNOWN_OPERATION, "keyword arguments of a callable without a name")
    return f"{name}()" if module in (None, "builtins") else f"{module}.{name}()"


def _text(m: Machine, function: Value, name: str) -> str | None:
    found = m.call(Known(getattr), [function, Known(name), Known(None)])
    return found.obj if isinstance(found, Known) else None


def _changed(m: Machine, target: Value, method: Any, *args: Value) -> None:
    """A container under construction exists before the call when that is a continuation's."""
    if target.seen is not None:
        m.effects.add(method, target, *args)


def pairs_of(m: Machine, mapping: Value) -> list[tuple[Value, Value]]:
    """The entries of any mapping."""
    content = mapping if isinstance(mapping, DictValue) else getattr(mapping, "content", None)
    if isinstance(content, DictValue) and iterates_plainly(m, mapping):
        return list(content.items(m))
    if not has_keys(m, mapping):
        m.throw(TypeError, f"{mapping.cls.__name__!r} object is not a mapping")
    keys = m.unpack(m.call(m.getattr(mapping, "keys"), []))
    return [(key, m.call_method(mapping, "__getitem__", [key])) for key in keys]


@op("LIST_TO_TUPLE")
def list_to_tuple(m: Machine, frame: Frame, instr: Instr, items: Value) -> Value:
    return make_tuple(m.unpack(items))


def _check_iterable(m: Machine, iterable: Value) -> None:
    if all(m.class_attribute(iterable.cls, name) is None for name in ("__iter__", "__getitem__")):
        m.throw(TypeError, f"cannot unpack non-iterable {iterable.cls.__name__} object")


@op("UNPACK_SEQUENCE")
def unpack_sequence(m: Machine, frame: Frame, instr: Instr, iterable: Value) -> None:
    _check_iterable(m, iterable)
    items = m.unpack(iterable, instr.arg + 1)
    if len(items) < instr.arg:
        m.throw(ValueError, f"not enough values to unpack (expected {instr.arg}, got {len(items)})")
    if len(items) > instr.arg:
        m.throw(ValueError, f"too many values to unpack (expected {instr.arg})")
    frame.stack.extend(reversed(items))


@op("UNPACK_EX")
def unpack_ex(m: Machine, frame: Frame, instr: Instr, iterable: Value) -> None:
    before, after = instr.arg & 0xFF, instr.arg >> 8
    _check_iterable(m, iterable)
    items = m.unpack(iterable)
    if len(items) < before + after:
        m.throw(ValueError, f"not enough values to unpack (expected at least {before + after}, got {len(items)})")
    end = len(items) - after
    frame.stack.extend(reversed(items[end:]))
    frame.stack.append(make_list(items[before:end]))
    frame.stack.extend(reversed(items[:before]))
