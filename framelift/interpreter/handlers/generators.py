"""Generators and coroutines."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import generators
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import DONE, Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Raised, Value
from framelift.values.generator import GeneratorValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


@op("RETURN_GENERATOR")
def return_generator(m: Machine, frame: Frame, instr: Instr) -> Value:
    return NONE  # the generator was made when the function was called; this is the first resumption


@op("YIELD_VALUE", takes=0)
def yield_value(m: Machine, frame: Frame, instr: Instr) -> Value:
    generator = frame.generator
    generator.state = "suspended"
    return DONE


@op("GET_YIELD_FROM_ITER")
def get_yield_from_iter(m: Machine, frame: Frame, instr: Instr, iterable: Value) -> Value:
    return m.iterator(iterable)


@op("SEND", takes=0)
@op("SEND_KEEP", takes=0)
def send(m: Machine, frame: Frame, instr: Instr) -> Value | None:
    receiver, value = frame.stack[-2], frame.stack.pop()
    try:
        return _send(m, receiver, value)
    except Raised as raised:
        if not issubclass(raised.value.cls, StopIteration):
            raise
        result = generators.stop_value(raised.value)
    if instr.op == "SEND":
        frame.stack.pop()
    assert instr.target is not None
    frame.pc = instr.target.index
    return result


def _send(m: Machine, receiver: Value, value: Value) -> Value:
    if isinstance(receiver, GeneratorValue):
        return generators.resume(m, receiver, value)
    if isinstance(value, Known) and value.obj is None:
        item = m.next(receiver)
        if item is None:
            m.throw(StopIteration)
        return item
    return m.call(m.getattr(receiver, "send"), [value])


@op("END_SEND")
def end_send(m: Machine, frame: Frame, instr: Instr, receiver: Value, value: Value) -> Value:
    return value


@op("CLEANUP_THROW", takes=0)
def cleanup_throw(m: Machine, frame: Frame, instr: Instr) -> None:
    exception = frame.stack[-1]
    if not issubclass(exception.cls, StopIteration):
        raise Raised(exception)
    del frame.stack[-3:]
    frame.stack += (NONE, generators.stop_value(exception))


@op("STOPITERATION_ERROR")
def stopiteration_error(m: Machine, frame: Frame, instr: Instr, exception: Value) -> Value:
    if not issubclass(exception.cls, StopIteration):
        return exception
    return generators.stop_iteration_error(m, exception, "generator")


@op("GET_AWAITABLE")
def get_awaitable(m: Machine, frame: Frame, instr: Instr, value: Value) -> Value:
    if isinstance(value, GeneratorValue):
        return value
    if m.class_attribute(value.cls, "__await__") is None:
        raise Break(UNKNOWN_OPERATION, f"await of a {value.cls.__name__}")
    return m.call_method(value, "__await__", [])
