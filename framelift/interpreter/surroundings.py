"""What the frames being executed hold, as the program itself may ask: `super()`, `locals()`, `globals()`, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framelift.models import registry
from framelift.values.base import NULL, CallPlace, Value
from framelift.values.function import CellValue
from framelift.values.namespace import Namespace
from framelift.values.opaque import Unlifted
from framelift.values.reasons import LOOKS_AT_FRAME, Break

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

OURS = registry.__file__.rpartition("registry")[0]
"""Where polyfills are."""


def super_arguments(m: Machine) -> tuple[Value | None, Value | None]:
    """What `super()` without arguments means in the current frame."""
    frame = m.frame
    assert frame is not None
    if not frame.program.code.argcount:
        m.throw(RuntimeError, "super(): no arguments")
    for number, slot in enumerate(frame.program.code.slots):
        cell = frame.locals[number]
        if slot.name == "__class__" and isinstance(cell, CellValue):
            first = frame.locals[0]
            if isinstance(first, Unlifted):
                assert first.seen is not None
                first = m.lift(first.seen)
            return cell.get(m), first.get(m) if isinstance(first, CellValue) else first
    m.throw(RuntimeError, "super(): __class__ cell not found")


def is_held(m: Machine, value: Value) -> bool:
    """Whether a variable of the functions being executed holds the object."""
    frame = m.frame
    while frame is not None:
        for held in (*frame.locals, *frame.stack):
            if held is value or (isinstance(held, CellValue) and held.loaded is value):
                return True
        frame = frame.caller
    return False


def callers(m: Machine) -> list[CallPlace]:
    """Where the program stands: the function being executed first, the captured one last."""
    found, frame = [], m.frame
    while frame is not None:
        code = frame.program.code
        if not code.filename.startswith(OURS):  # a polyfill stands for a function that has no frame
            line = code.instrs[frame.pc - 1].line or code.firstlineno
            found.append(CallPlace(code.filename, line, code.name, frame.globals))
        frame = frame.caller
    return found


def local_names(m: Machine) -> dict[str, Value]:
    """The variables of the current frame that are bound."""
    frame = m.frame
    assert frame is not None
    if frame.names is not None:
        raise Break(LOOKS_AT_FRAME, "the namespace of a class that is being made")
    found: dict[str, Value] = {}
    for slot, held in zip(frame.program.code.slots, frame.locals, strict=True):
        value = held.get(m) if isinstance(held, CellValue) else held
        if value is not None and value is not NULL and slot.name.isidentifier():
            found[slot.name] = value
    return found


def global_names(m: Machine) -> Namespace:
    """The globals of the current frame."""
    assert m.frame is not None
    return m.frame.globals
