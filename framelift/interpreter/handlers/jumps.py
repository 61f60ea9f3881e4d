"""Jumps and loops."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import assuming, flat
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Value
from framelift.values.known import Known


def _go(frame: Frame, instr: Instr) -> None:
    assert instr.target is not None
    frame.pc = instr.target.index


def _truth(m: Machine, frame: Frame, instr: Instr, value: Value) -> bool:
    if m.steps >= m.look_at:
        m.look()
    assumed = assuming.assumed(m, frame, instr, value)
    return m.truth(value) if assumed is None else assumed


@op("JUMP")
def jump(m: Machine, frame: Frame, instr: Instr) -> None:
    _go(frame, instr)


@op("POP_JUMP_IF_TRUE")
def pop_jump_if_true(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    if _truth(m, frame, instr, value):
        _go(frame, instr)


@op("POP_JUMP_IF_FALSE")
def pop_jump_if_false(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    if not _truth(m, frame, instr, value):
        _go(frame, instr)


@op("POP_JUMP_IF_NONE")
def pop_jump_if_none(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    if isinstance(value, Known) and value.obj is None:
        _go(frame, instr)


@op("POP_JUMP_IF_NOT_NONE")
def pop_jump_if_not_none(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    if not (isinstance(value, Known) and value.obj is None):
        _go(frame, instr)


@op("JUMP_IF_TRUE_OR_POP")
def jump_if_true_or_pop(m: Machine, frame: Frame, instr: Instr, value: Value) -> Value | None:
    if not m.truth(value):
        return None
    _go(frame, instr)
    return value


@op("JUMP_IF_FALSE_OR_POP")
def jump_if_false_or_pop(m: Machine, frame: Frame, instr: Instr, value: Value) -> Value | None:
    if m.truth(value):
        return None
    _go(frame, instr)
    return value


@op("GET_ITER")
def get_iter(m: Machine, frame: Frame, instr: Instr, iterable: Value) -> Value:
    entered = flat.method(m, iterable, "__iter__", []) if flat.applies(m, iterable) else None
    return m.iterator(iterable) if entered is None else entered


@op("FOR_ITER")
def for_iter(m: Machine, frame: Frame, instr: Instr, iterator: Value) -> Value | None:
    if m.steps >= m.look_at:
        m.look()
    item = m.next(iterator)
    if item is None:
        _go(frame, instr)
        return None
    frame.stack.append(iterator)
    return item
