"""Global names, and the names of class bodies."""

from __future__ import annotations

import builtins
from typing import NoReturn

from framelift.code import Instr
from framelift.interpreter.frame import Frame
from framelift.interpreter.handlers.stack import load_deref
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Raised, Value
from framelift.values.dict_namespace import DictNamespace
from framelift.values.known import Known
from framelift.values.mapping import DictValue, key_of


@op("LOAD_GLOBAL")
def load_global(m: Machine, frame: Frame, instr: Instr) -> Value:
    found = frame.globals.get(m, instr.arg)
    if found is None:
        found = frame.builtins.get(m, instr.arg)
    if found is None:
        _undefined(m, instr.arg)
    return found


def _undefined(m: Machine, name: str) -> NoReturn:
    error = m.exception(NameError, [Known(f"name {name!r} is not defined")])
    error.slots[NameError.__dict__["name"]] = Known(name)
    raise Raised(error)


@op("STORE_GLOBAL")
def store_global(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    if isinstance(frame.globals, DictNamespace):
        m.call_method(frame.globals.mapping, "__setitem__", [Known(instr.arg), value])
        return
    frame.globals.set(instr.arg, value)
    m.effects.add(dict.__setitem__, frame.globals, Known(instr.arg), value)


@op("DELETE_GLOBAL")
def delete_global(m: Machine, frame: Frame, instr: Instr) -> None:
    if frame.globals.get(m, instr.arg) is None:
        _undefined(m, instr.arg)
    if isinstance(frame.globals, DictNamespace):
        m.call_method(frame.globals.mapping, "__delitem__", [Known(instr.arg)])
        return
    frame.globals.delete(instr.arg)
    m.effects.add(dict.__delitem__, frame.globals, Known(instr.arg))


@op("LOAD_NAME")
def load_name(m: Machine, frame: Frame, instr: Instr) -> Value:
    found = _in_namespace(m, frame.names, instr.arg)
    return load_global(m, frame, instr) if found is None else found


@op("STORE_NAME")
def store_name(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    _put(m, frame, instr.arg, value)


def _put(m: Machine, frame: Frame, name: str, value: Value) -> None:
    names = frame.names
    assert names is not None
    if type(names) is DictValue and names.seen is None:
        names.put(m, Known(name), value)
    else:
        m.call_method(names, "__setitem__", [Known(name), value])


@op("DELETE_NAME")
def delete_name(m: Machine, frame: Frame, instr: Instr) -> None:
    assert frame.names is not None
    try:
        m.call_method(frame.names, "__delitem__", [Known(instr.arg)])
    except Raised as raised:
        if not issubclass(raised.value.cls, KeyError):
            raise
        _undefined(m, instr.arg)


@op("LOAD_LOCALS")
def load_locals(m: Machine, frame: Frame, instr: Instr) -> Value:
    assert frame.names is not None
    return frame.names


@op("LOAD_CLASSDEREF")
def load_classderef(m: Machine, frame: Frame, instr: Instr) -> Value:
    return load_from_dict_or_deref(m, frame, instr, frame.names)


@op("LOAD_FROM_DICT_OR_DEREF")
def load_from_dict_or_deref(m: Machine, frame: Frame, instr: Instr, names: Value | None) -> Value:
    found = _in_namespace(m, names, frame.program.code.slots[instr.arg].name)
    return load_deref(m, frame, instr) if found is None else found


@op("LOAD_FROM_DICT_OR_GLOBALS")
def load_from_dict_or_globals(m: Machine, frame: Frame, instr: Instr, names: Value) -> Value:
    found = _in_namespace(m, names, instr.arg)
    return load_global(m, frame, instr) if found is None else found


def _in_namespace(m: Machine, names: Value | None, name: str) -> Value | None:
    if names is None:
        return None
    if isinstance(names, DictValue):
        return names.get(m, key_of(m, Known(name)))
    try:
        return m.call_method(names, "__getitem__", [Known(name)])
    except Raised as raised:
        if not issubclass(raised.value.cls, KeyError):
            raise
        return None


@op("LOAD_BUILD_CLASS")
def load_build_class(m: Machine, frame: Frame, instr: Instr) -> Value:
    return Known(builtins.__build_class__)


@op("LOAD_ASSERTION_ERROR")
def load_assertion_error(m: Machine, frame: Frame, instr: Instr) -> Value:
    return Known(AssertionError)


@op("SETUP_ANNOTATIONS")
def setup_annotations(m: Machine, frame: Frame, instr: Instr) -> None:
    if _in_namespace(m, frame.names, "__annotations__") is None:
        _put(m, frame, "__annotations__", DictValue())
