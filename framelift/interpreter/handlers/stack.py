"""Instructions that move values: constants, locals, cells, and the stack itself."""

from __future__ import annotations

import torch

from framelift.code import FREE, Instr
from framelift.interpreter import found_generators
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import NULL, Value
from framelift.values.function import CellValue
from framelift.values.known import LITERALS
from framelift.values.opaque import Unlifted


@op("NOP")
@op("RESUME")
@op("END_FOR")
def nothing(m: Machine, frame: Frame, instr: Instr) -> None:
    """Nothing a capture could see."""


@op("POP_TOP")
def pop_top(m: Machine, frame: Frame, instr: Instr, top: Value) -> None:
    """Drop the top."""
    found_generators.drop(m, top)


@op("PUSH_NULL")
def push_null(m: Machine, frame: Frame, instr: Instr) -> Value:
    return NULL


@op("COPY", takes=0)
def copy(m: Machine, frame: Frame, instr: Instr) -> Value:
    value: Value = frame.stack[-instr.arg]
    return value


@op("SWAP", takes=0)
def swap(m: Machine, frame: Frame, instr: Instr) -> None:
    stack = frame.stack
    stack[-1], stack[-instr.arg] = stack[-instr.arg], stack[-1]
    if frame.marks:
        top, other = len(stack) - 1, len(stack) - instr.arg
        moved = {top: other, other: top}
        frame.marks = [(moved.get(position, position), exception) for position, exception in frame.marks]


@op("LOAD_CONST")
def load_const(m: Machine, frame: Frame, instr: Instr) -> Value:
    return m.constant(instr.arg)


@op("LOAD_FAST")
def load_fast(m: Machine, frame: Frame, instr: Instr) -> Value:
    found = frame.locals[instr.arg]
    if found is None:
        name = frame.program.code.slots[instr.arg].name
        m.throw(UnboundLocalError, f"cannot access local variable {name!r} where it is not associated with a value")
    if type(found) is Unlifted:
        if _can_wait(frame, found):
            return found
        assert found.seen is not None
        found = frame.locals[instr.arg] = m.lift(found.seen)
    value: Value = found
    return value


def _can_wait(frame: Frame, value: Unlifted) -> bool:
    """Whether a literal or a tensor is just put back where it was when the graph broke; perhaps nobody asks for it."""
    origin = frame.program.origin
    if origin is None or frame.pc - 1 not in origin.waiting:
        return False
    assert value.seen is not None
    kind = value.seen.convert(type)
    return kind in LITERALS or kind is torch.Tensor


@op("LOAD_FAST_AND_CLEAR")
def load_fast_and_clear(m: Machine, frame: Frame, instr: Instr) -> Value:
    if frame.locals[instr.arg] is None:
        return NULL
    found = load_fast(m, frame, instr)
    frame.locals[instr.arg] = None
    return found


@op("STORE_FAST")
def store_fast(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    frame.locals[instr.arg] = None if value is NULL else value


@op("DELETE_FAST")
def delete_fast(m: Machine, frame: Frame, instr: Instr) -> None:
    if frame.locals[instr.arg] is None:
        load_fast(m, frame, instr)
    frame.locals[instr.arg] = None


@op("MAKE_CELL")
def make_cell(m: Machine, frame: Frame, instr: Instr) -> None:
    content = frame.locals[instr.arg]
    frame.locals[instr.arg] = CellValue(None if content is None else load_fast(m, frame, instr))


@op("COPY_FREE_VARS")
def copy_free_vars(m: Machine, frame: Frame, instr: Instr) -> None:
    first = len(frame.locals) - len(frame.closure)
    frame.locals[first:] = frame.closure


@op("LOAD_CLOSURE")
def load_closure(m: Machine, frame: Frame, instr: Instr) -> Value:
    # Usually a cell. But a variable that is one in one inlined comprehension may be a plain one in another.
    return load_fast(m, frame, instr)


@op("LOAD_DEREF")
def load_deref(m: Machine, frame: Frame, instr: Instr) -> Value:
    found = _cell(m, frame, instr).get(m)
    if found is None:
        _unbound(m, frame, instr)
    assert found is not None
    return found


@op("STORE_DEREF")
def store_deref(m: Machine, frame: Frame, instr: Instr, value: Value) -> None:
    cell = _cell(m, frame, instr)
    cell.set(value)
    if cell.seen is not None:
        m.effects.add(_set_cell, cell, value)


@op("DELETE_DEREF")
def delete_deref(m: Machine, frame: Frame, instr: Instr) -> None:
    cell = _cell(m, frame, instr)
    if cell.get(m) is None:
        _unbound(m, frame, instr)
    cell.set(None)
    if cell.seen is not None:
        m.effects.add(_empty_cell, cell)


def _cell(m: Machine, frame: Frame, instr: Instr) -> CellValue:
    cell = load_fast(m, frame, instr)
    assert isinstance(cell, CellValue)
    return cell


def _unbound(m: Machine, frame: Frame, instr: Instr) -> None:
    name, kind = frame.program.code.slots[instr.arg]
    if kind & FREE:
        m.throw(
            NameError,
            f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope",
        )
    m.throw(UnboundLocalError, f"cannot access local variable {name!r} where it is not associated with a value")


def _set_cell(cell: object, content: object) -> None:
    cell.cell_contents = content  # type: ignore[attr-defined]


def _empty_cell(cell: object) -> None:
    del cell.cell_contents  # type: ignore[attr-defined]
