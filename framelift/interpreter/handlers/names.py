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
    frame.globals.set(instr.arg, value)
    m.effects.add(dict.__setitem__, frame.globals, Known(instr.arg), value)


@op("DELETE_GLOBAL")
def delete_global(m: Machine, frame: Frame, instr: Instr) -> None:
    if frame.globals.get(m, instr.arg) is None:
        _undefined(m, instr.arg)
    frame.globals.delete(instr.arg)
    m.effects.add(dict.__delitem__, frame.globals, Known(instr.arg))


@op("LOAD_NAME")
def load_name(m: Machine, frame: Frame, instr: Instr) -> Value:
    found = _in_namespace(m, frame.names, instr.arg)
    return load_global(m, frame, instr) if found is None else found


@op("STORE_NAME")
def store_name(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    assert isinstance(frame.names, DictValue)
    frame.names.put(m, Known(instr.arg), value)


@op("DELETE_NAME")
def delete_name(m: Machine, frame: Frame, instr: Instr) -> None:
    key = key_of(m, Known(instr.arg))
    assert isinstance(frame.names, DictValue)
    assert key is not None
    if frame.names.get(m, key) is None:
        _undefined(m, instr.arg)
    frame.names.remove(m, key)


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
    key = key_of(m, Known(name))
    assert key is not None
    return names.get(m, key) if isinstance(names, DictValue) else None


@op("LOAD_BUILD_CLASS")
def load_build_class(m: Machine, frame: Frame, instr: Instr) -> Value:
    return Known(builtins.__build_class__)


@op("LOAD_ASSERTION_ERROR")
def load_assertion_error(m: Machine, frame: Frame, instr: Instr) -> Value:
    return Known(AssertionError)


@op("SETUP_ANNOTATIONS")
def setup_annotations(m: Machine, frame: Frame, instr: Instr) -> None:
    if _in_namespace(m, frame.names, "__annotations__") is None:
        assert isinstance(frame.names, DictValue)
        frame.names.put(m, Known("__annotations__"), DictValue())
