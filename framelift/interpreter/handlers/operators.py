"""Operators."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import assuming, flat, operators
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Value
from framelift.values.known import boolean


@op("BINARY_OP")
def binary_op(m: Machine, frame: Frame, instr: Instr, left: Value, right: Value) -> Value:
    entered = flat.operator(m, instr.arg, left, right) if flat.applies(m, left, right) else None
    if entered is not None:
        return entered
    return operators.binary(m, instr.arg, left, right)


@op("COMPARE_OP")
def compare_op(m: Machine, frame: Frame, instr: Instr, left: Value, right: Value) -> Value:
    entered = flat.operator(m, instr.arg, left, right) if flat.applies(m, left, right) else None
    if entered is not None:
        return entered
    return operators.compare(m, instr.arg, left, right)


@op("IS_OP")
def is_op(m: Machine, frame: Frame, instr: Instr, left: Value, right: Value) -> Value:
    return boolean(operators.same(m, left, right) is not instr.arg)


@op("CONTAINS_OP")
def contains_op(m: Machine, frame: Frame, instr: Instr, item: Value, container: Value) -> Value:
    entered = flat.contains(m, container, item, instr.arg) if flat.applies(m, container) else None
    if entered is not None:
        return entered
    return boolean(operators.contains(m, container, item) is not instr.arg)


def _unary(m: Machine, sign: str, name: str, operand: Value) -> Value:
    entered = flat.method(m, operand, name, []) if flat.applies(m, operand) else None
    return operators.unary(m, sign, operand) if entered is None else entered


@op("UNARY_NEGATIVE")
def unary_negative(m: Machine, frame: Frame, instr: Instr, operand: Value) -> Value:
    return _unary(m, "-", "__neg__", operand)


@op("UNARY_POSITIVE")
def unary_positive(m: Machine, frame: Frame, instr: Instr, operand: Value) -> Value:
    return _unary(m, "+", "__pos__", operand)


@op("UNARY_INVERT")
def unary_invert(m: Machine, frame: Frame, instr: Instr, operand: Value) -> Value:
    return _unary(m, "~", "__invert__", operand)


@op("UNARY_NOT")
def unary_not(m: Machine, frame: Frame, instr: Instr, operand: Value) -> Value:
    return boolean(not m.truth(operand))


@op("TO_BOOL")
def to_bool(m: Machine, frame: Frame, instr: Instr, operand: Value) -> Value:
    following = frame.program.code.instrs[frame.pc]
    assumed = assuming.assumed(m, frame, following, operand)
    return boolean(m.truth(operand) if assumed is None else assumed)
