"""Making functions."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Value
from framelift.values.function import CellValue, FunctionValue
from framelift.values.known import Known

DEFAULTS, KWDEFAULTS, ANNOTATIONS, CLOSURE = 1, 2, 4, 8


@op("MAKE_FUNCTION")
def make_function(m: Machine, frame: Frame, instr: Instr, *parts: Value) -> Value:
    *attributes, code = parts
    assert isinstance(code, Known)
    function = FunctionValue(code.obj, frame.globals)
    for flag in (DEFAULTS, KWDEFAULTS, ANNOTATIONS, CLOSURE):
        if instr.arg & flag:
            _give(m, function, flag, attributes.pop(0))
    return function


@op("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(m: Machine, frame: Frame, instr: Instr, part: Value, function: Value) -> Value:
    assert isinstance(function, FunctionValue)
    _give(m, function, instr.arg, part)
    return function


def _give(m: Machine, function: FunctionValue, flag: int, part: Value) -> None:
    if flag == DEFAULTS:
        function.defaults = part
    elif flag == KWDEFAULTS:
        function.kwdefaults = part
    elif flag == ANNOTATIONS:
        function.annotations = part
    else:
        function.closure = [cell for cell in m.unpack(part) if isinstance(cell, CellValue)]
