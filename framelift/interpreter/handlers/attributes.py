"""Attributes and items."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import subscripts
from framelift.interpreter.frame import Frame
from framelift.interpreter.handlers.calling import push_callee
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.slices import SliceValue


@op("LOAD_ATTR")
def load_attr(m: Machine, frame: Frame, instr: Instr, receiver: Value) -> Value:
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
    m.setattr(receiver, instr.arg, value)


@op("DELETE_ATTR")
def delete_attr(m: Machine, frame: Frame, instr: Instr, receiver: Value) -> None:
    m.delattr(receiver, instr.arg)


@op("BINARY_SUBSCR")
def binary_subscr(m: Machine, frame: Frame, instr: Instr, container: Value, key: Value) -> Value:
    return subscripts.get(m, container, key)


@op("BINARY_SLICE")
def binary_slice(m: Machine, frame: Frame, instr: Instr, container: Value, start: Value, stop: Value) -> Value:
    return subscripts.get(m, container, SliceValue([start, stop, Known(None)]))


@op("STORE_SUBSCR")
def store_subscr(m: Machine, frame: Frame, instr: Instr, value: Value, container: Value, key: Value) -> None:
    subscripts.put(m, container, key, value)


@op("STORE_SLICE")
def store_slice(
    m: Machine, frame: Frame, instr: Instr, value: Value, container: Value, start: Value, stop: Value
) -> None:
    subscripts.put(m, container, SliceValue([start, stop, Known(None)]), value)


@op("DELETE_SUBSCR")
def delete_subscr(m: Machine, frame: Frame, instr: Instr, container: Value, key: Value) -> None:
    subscripts.delete(m, container, key)
