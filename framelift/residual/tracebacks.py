"""Functions that look like frames of the program, for tracebacks to show what they would have shown."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from framelift import _core
from framelift.code import LOCAL, Code, Slot, assemble
from framelift.code.emitter import Emitter
from framelift.interpreter.frame import Frame
from framelift.values.base import Value
from framelift.values.instance import InstanceValue

Places = list[tuple[Frame, int]]


def way_of(m: Any, exception: Value) -> Places | None:
    """The frames, with their instructions, that the traceback of an exception made while capturing leads through."""
    return None if exception.seen is not None else shown_by(m, exception)


def shown_by(m: Any, exception: Value) -> Places | None:
    """The same for any exception that was raised while capturing."""
    if not isinstance(exception, InstanceValue) or id(exception) not in m.ways:
        return None
    shown: Places | None = m.ways[id(exception)].shown()
    if shown is None or any(frame.globals.storage is None for frame, _ in shown):
        return None
    return shown


def raising(shown: Places) -> FunctionType:
    """A function that raises its argument through functions that look like these frames."""
    function: FunctionType | None = None
    for frame, index in reversed(shown):
        code, emitter = look_alike(frame, 1, index)
        if function is None:
            emitter.take(0)
            emitter.add("RAISE_VARARGS", 1)
        else:
            emitter.const_callee(function)
            emitter.take(0)
            emitter.call(1)
            emitter.return_top()
        function = function_of(frame, code, emitter)
    assert function is not None
    return function


def without(callers: int, exception: BaseException) -> None:
    """Take frames off the traceback of an exception that is handled further in than where it was caught."""
    traceback = exception.__traceback__
    for _ in range(callers):
        traceback = None if traceback is None else traceback.tb_next
    BaseException.with_traceback(exception, traceback)


def look_alike(frame: Frame, count: int, index: int) -> tuple[Code, Emitter]:
    source = frame.program.code
    code = Code(
        slots=[Slot(f"operand {index}", LOCAL) for index in range(count)],
        argcount=count,
        name=source.name,
        qualname=source.qualname,
        filename=source.filename,
        firstlineno=source.firstlineno,
    )
    emitter = Emitter(source.instrs[index].position)
    emitter.prologue(code)
    return code, emitter


def function_of(frame: Frame, code: Code, emitter: Emitter) -> FunctionType:
    code.instrs = emitter.instrs
    code.renumber()
    made = assemble(code)
    _core.set_actions(made, here="skip")
    storage = frame.globals.storage
    assert storage is not None
    return FunctionType(made, storage.convert(lambda real: real), made.co_name)
