"""Generators and coroutines."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import generators, raising
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import DONE, Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Raised, Value
from framelift.values.generator import AsyncItem, AsyncStep, GeneratorValue
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
        result = generators.stop_value(m, raised.value)
    if instr.op == "SEND":
        frame.stack.pop()
    assert instr.target is not None
    frame.pc = instr.target.index
    return result


def _send(m: Machine, receiver: Value, value: Value) -> Value:
    if isinstance(receiver, AsyncStep):
        return _step(m, receiver, value)
    if isinstance(receiver, GeneratorValue):
        return generators.resume(m, receiver, value)
    if isinstance(value, Known) and value.obj is None:
        item = m.next(receiver)
        if item is None:
            m.throw(StopIteration)
        return item
    return m.call(m.getattr(receiver, "send"), [value])


def _step(m: Machine, step: AsyncStep, value: Value) -> Value:
    """Go on with an async generator until it awaits something, or yields an item or ends: then the step is done."""
    sent, step.sent = (value, NONE) if raising.is_none(step.sent) else (step.sent, NONE)
    try:
        found = generators.resume(m, step.generator, sent)
    except Raised as raised:
        if issubclass(raised.value.cls, StopIteration):
            m.throw(StopAsyncIteration)
        raise
    if isinstance(found, AsyncItem):
        m.raise_value(StopIteration, [found.item])
    return found


@op("ASYNC_GEN_WRAP")
def async_gen_wrap(m: Machine, frame: Frame, instr: Instr, item: Value) -> Value:
    return AsyncItem(item)


@op("GET_AITER")
def get_aiter(m: Machine, frame: Frame, instr: Instr, iterable: Value) -> Value:
    if m.class_attribute(iterable.cls, "__aiter__") is None:
        kind = iterable.cls.__name__
        m.throw(TypeError, f"'async for' requires an object with __aiter__ method, got {kind}")
    return m.call_method(iterable, "__aiter__", [])


@op("GET_ANEXT", takes=0)
def get_anext(m: Machine, frame: Frame, instr: Instr) -> Value:
    return get_awaitable(m, frame, instr, m.call_method(frame.stack[-1], "__anext__", []))


@op("END_ASYNC_FOR")
def end_async_for(m: Machine, frame: Frame, instr: Instr, iterator: Value, exception: Value) -> None:
    if not issubclass(exception.cls, StopAsyncIteration):
        raise Raised(exception, again=True)


@op("BEFORE_ASYNC_WITH")
def before_async_with(m: Machine, frame: Frame, instr: Instr, manager: Value) -> Value:
    for name in ("__aenter__", "__aexit__"):
        if m.class_attribute(manager.cls, name) is None:
            raise Break(UNKNOWN_OPERATION, f"async with a {manager.cls.__name__}")
    frame.stack.append(m.getattr(manager, "__aexit__"))
    return m.call_method(manager, "__aenter__", [])


@op("END_SEND")
def end_send(m: Machine, frame: Frame, instr: Instr, receiver: Value, value: Value) -> Value:
    return value


@op("CLEANUP_THROW", takes=0)
def cleanup_throw(m: Machine, frame: Frame, instr: Instr) -> None:
    exception = frame.stack[-1]
    if not issubclass(exception.cls, StopIteration):
        raise Raised(exception)
    del frame.stack[-3:]
    frame.stack += (NONE, generators.stop_value(m, exception))


@op("STOPITERATION_ERROR")
def stopiteration_error(m: Machine, frame: Frame, instr: Instr, exception: Value) -> Value:
    if not issubclass(exception.cls, StopIteration):
        return exception
    return generators.stop_iteration_error(m, exception, "generator")


@op("GET_AWAITABLE")
def get_awaitable(m: Machine, frame: Frame, instr: Instr, value: Value) -> Value:
    if isinstance(value, GeneratorValue | AsyncStep):
        return value
    if m.class_attribute(value.cls, "__await__") is None:
        raise Break(UNKNOWN_OPERATION, f"await of a {value.cls.__name__}")
    return m.call_method(value, "__await__", [])
