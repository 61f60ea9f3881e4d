"""Attributes and items."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import flat, subscripts
from framelift.interpreter.frame import Frame
from framelift.interpreter.handlers.calling import push_callee
from framelift.interpreter.machine import ENTERED, NOTHING, Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.slices import SliceValue


def drop_result(m: Machine, entered: Value) -> None:
    """What a frame just entered gives back is not the result of the instruction, which has none."""
    if entered is ENTERED:
        assert m.frame is not None
        m.frame.on_return = lambda value: NOTHING


@op("LOAD_ATTR")
def load_attr(m: Machine, frame: Frame, instr: Instr, receiver: Value) -> Value:
    entered = flat.attribute(m, receiver, instr.arg) if flat.applies(m, receiver) else None
    if entered is not None:
        return entered
    return m.getattr(receiver, instr.arg)


@op("LOAD_METHOD")
def load_method(m: Machine, frame: Frame, instr: Instr, receiver: Value) -> None:
    push_callee(frame, m.getattr(receiver, instr.arg))


@op("LOAD_SUPER_ATTR")
def load_super_attr(m: Machine, frame: Frame, instr: Instr, super_: Value, cls: Value, receiver: Value) -> Value | None:
    found = m.getattr(m.call(super_, [cls, receiver]), instr.arg.name)
    if not instr.arg.is_method:
        return found
    push_callee(frame, found)
    return None


@op("STORE_ATTR")
def store_attr(m: Machine, frame: Frame, instr: Instr, value: Value, receiver: Value) -> None:
    entered = flat.assigned(m, receiver, instr.arg, value) if flat.applies(m, receiver) else None
    if entered is not None:
        drop_result(m, entered)
        return
    m.setattr(receiver, instr.arg, value)


@op("DELETE_ATTR")
def delete_attr(m: Machine, frame: Frame, instr: Instr, receiver: Value) -> None:
    m.delattr(receiver, instr.arg)


@op("BINARY_SUBSCR")
def binary_subscr(m: Machine, frame: Frame, instr: Instr, container: Value, key: Value) -> Value:
    entered = flat.method(m, container, "__getitem__", [key]) if flat.applies(m, container) else None
    if entered is not None:
        return entered
    return subscripts.get(m, container, key)


@op("BINARY_SLICE")
def binary_slice(m: Machine, frame: Frame, instr: Instr, container: Value, start: Value, stop: Value) -> Value:
    return subscripts.get(m, container, SliceValue([start, stop, Known(None)]))


@op("STORE_SUBSCR")
def store_subscr(m: Machine, frame: Frame, instr: Instr, value: Value, container: Value, key: Value) -> None:
    entered = flat.method(m, container, "__setitem__", [key, value]) if flat.applies(m, container) else None
    if entered is not None:
        drop_result(m, entered)
        return
    subscripts.put(m, container, key, value)


@op("STORE_SLICE")
def store_slice(
    m: Machine, frame: Frame, instr: Instr, value: Value, container: Value, start: Value, stop: Value
) -> None:
    subscripts.put(m, container, SliceValue([start, stop, Known(None)]), value)


@op("DELETE_SUBSCR")
def delete_subscr(m: Machine, frame: Frame, instr: Instr, container: Value, key: Value) -> None:
    subscripts.delete(m, container, key)
