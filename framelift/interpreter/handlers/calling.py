"""Calls."""

from __future__ import annotations

from framelift.code import Instr
from framelift.code.dialect import NULL_BELOW_CALLABLE
from framelift.interpreter import iteration
from framelift.interpreter.frame import Frame
from framelift.interpreter.handlers.building import spoken_of
from framelift.interpreter.machine import DONE, ENTERED, Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import NULL, Value
from framelift.values.function import MethodValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue


def push_callee(frame: Frame, function: Value) -> None:
    """Push the two callee slots of a callable."""
    if isinstance(function, MethodValue):
        frame.stack += (function.function, function.receiver)
    elif NULL_BELOW_CALLABLE:
        frame.stack += (NULL, function)
    else:
        frame.stack += (function, NULL)


def _callee(first: Value, second: Value) -> tuple[Value, list[Value]]:
    """The callable in two callee slots, and the argument that came with it."""
    if first is NULL:
        return second, []
    return first, [] if second is NULL else [second]


@op("KW_NAMES")
def kw_names(m: Machine, frame: Frame, instr: Instr) -> None:
    frame.keywords = instr.arg


@op("CALL")
def call(m: Machine, frame: Frame, instr: Instr, first: Value, second: Value, *args: Value) -> Value:
    function, bound = _callee(first, second)
    names, frame.keywords = frame.keywords, ()
    count = len(args) - len(names)
    result = m.call_flat(function, [*bound, *args[:count]], dict(zip(names, args[count:], strict=True)))
    return ENTERED if result is None else result


@op("CALL_FUNCTION_EX")
def call_function_ex(
    m: Machine, frame: Frame, instr: Instr, first: Value, second: Value, args: Value, kwargs: Value | None = None
) -> Value:
    function, bound = _callee(first, second)
    named: dict[str, Value] = {}
    if not iteration.is_iterable(m, args):
        m.throw(TypeError, f"{spoken_of(m, function)} argument after * must be an iterable, not {args.cls.__name__}")
    if kwargs is not None:
        if m.class_attribute(kwargs.cls, "keys") is None:
            kind = kwargs.cls.__name__
            m.throw(TypeError, f"{spoken_of(m, function)} argument after ** must be a mapping, not {kind}")
        named = keyword_arguments(m, kwargs)
    result = m.call_flat(function, [*bound, *m.unpack(args)], named)
    return ENTERED if result is None else result


def keyword_arguments(m: Machine, mapping: Value) -> dict[str, Value]:
    """The entries of a mapping passed with `**`."""
    content = mapping if isinstance(mapping, DictValue) else getattr(mapping, "content", None)
    pairs = content.items(m) if isinstance(content, DictValue) else _pairs(m, mapping)
    named = {}
    for name, value in pairs:
        if not isinstance(name, Known) or not isinstance(name.obj, str):
            m.throw(TypeError, "keywords must be strings")
        named[name.obj] = value
    return named


def _pairs(m: Machine, mapping: Value) -> list[tuple[Value, Value]]:
    keys = m.unpack(m.call(m.getattr(mapping, "keys"), []))
    return [(key, m.call_method(mapping, "__getitem__", [key])) for key in keys]


@op("RETURN_VALUE", takes=0)
def return_value(m: Machine, frame: Frame, instr: Instr) -> Value:
    return DONE
