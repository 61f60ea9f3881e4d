"""Resuming generators and coroutines: `send`, `throw` and `close`, with delegation to what they `yield from`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from framelift.interpreter import found_generators, raising
from framelift.values.base import Raised, Value
from framelift.values.generator import FoundGenerator, GeneratorValue
from framelift.values.known import NONE, Known

if TYPE_CHECKING:
    from framelift.interpreter.frame import Frame
    from framelift.interpreter.machine import Machine


def _probe() -> Generator[None, None, int]:
    with suppress(GeneratorExit):
        yield
    return 1


def _close_gives_the_result() -> bool:
    generator: Any = _probe()
    next(generator)
    return bool(generator.close() == 1)


CLOSE_GIVES_THE_RESULT = _close_gives_the_result()  # differs between Pythons


def _noun(generator: GeneratorValue) -> str:
    return "generator" if issubclass(generator.cls, GeneratorType) else "coroutine"


def resume(m: Machine, generator: GeneratorValue, sent: Value, thrown: Value | None = None) -> Value:
    """Run a generator to its next yield, or raise StopIteration in the traced program when it ends."""
    if not isinstance(generator, FoundGenerator):
        return _resume(m, generator, sent, thrown)
    found_generators.read(m, generator)
    before = generator.state
    try:
        result = _resume(m, generator, sent, thrown)
    except Raised:
        if before != generator.state:
            found_generators.note_move(m, generator)
        raise
    found_generators.note_move(m, generator)
    return result


def _resume(m: Machine, generator: GeneratorValue, sent: Value, thrown: Value | None) -> Value:
    if generator.state == "running":
        m.throw(ValueError, f"{_noun(generator)} already executing")
    if generator.state == "finished":
        if _noun(generator) == "coroutine":
            m.throw(RuntimeError, "cannot reuse already awaited coroutine")
        if thrown is not None:
            raise Raised(thrown, again=True)
        m.throw(StopIteration)
    if generator.state == "created":
        if not raising.is_none(sent):
            m.throw(TypeError, f"can't send non-None value to a just-started {_noun(generator)}")
        if thrown is not None:
            generator.finish()
            raise Raised(thrown, again=True)
    try:
        result = _run(m, generator, sent, thrown)
    except Raised as raised:
        if issubclass(raised.value.cls, StopIteration):
            raise Raised(stop_iteration_error(m, raised.value, _noun(generator)), again=True) from None
        raise
    if generator.state == "running":  # it returned
        generator.finish()
        raise Raised(m.exception(StopIteration, [] if raising.is_none(result) else [result]), again=True)
    return result


def _run(m: Machine, generator: GeneratorValue, sent: Value, thrown: Value | None) -> Value:
    frame = generator.frame
    started = generator.state != "created"
    generator.state = "running"
    frame.caller = m.frame
    frame.entered = m.steps
    m.frame = frame
    m.handled_outside.append(m.handled)
    m.handled = generator.handled
    try:
        if thrown is not None:
            return _throw(m, generator, frame, thrown)
        if started:
            frame.stack.append(sent)
        elif generator.seen is None:
            m.generators.append(generator)
        return m.run(frame)
    finally:
        generator.handled = m.handled
        m.handled = m.handled_outside.pop()


def _throw(m: Machine, generator: GeneratorValue, frame: Frame, thrown: Value) -> Value:
    """Raise at the yield where a frame stands, or in what it delegates to."""
    receiver = _delegate(frame)
    if receiver is not None:
        try:
            if issubclass(thrown.cls, GeneratorExit):
                close_iterator(m, receiver)
            else:
                result = _throw_to(m, receiver, thrown)
                if result is not None:
                    generator.state = "suspended"
                    m.frame = frame.caller
                    return result
        except Raised as raised:
            if issubclass(raised.value.cls, StopIteration) and not issubclass(thrown.cls, GeneratorExit):
                _finish_delegating(frame, stop_value(m, raised.value))
                return m.run(frame)
            thrown = raised.value
    raising.link(m, thrown, generator.handled)
    m.unwind_into(frame, thrown)
    return m.run(frame)


def _delegate(frame: Frame) -> Value | None:
    """What a suspended frame yields from."""
    instr = frame.program.code.instrs[frame.pc]
    if instr.op == "RESUME" and (instr.arg & 3) >= found_generators.DELEGATING:
        receiver: Value = frame.stack[-1]
        return receiver
    return None


def _finish_delegating(frame: Frame, result: Value) -> None:
    """Go on after a `yield from` whose iterator has ended."""
    send = frame.program.code.instrs[frame.pc + 1].target
    assert send is not None
    assert send.target is not None
    if send.op == "SEND":
        frame.stack.pop()
    frame.stack.append(result)
    frame.pc = send.target.index


def _throw_to(m: Machine, receiver: Value, thrown: Value) -> Value | None:
    """What an iterator yields when something is thrown into it; None if it does not take that."""
    if isinstance(receiver, GeneratorValue):
        return resume(m, receiver, NONE, thrown)
    method = _optional_attribute(m, receiver, "throw")
    return None if method is None else m.call(method, [thrown])


def close_iterator(m: Machine, receiver: Value) -> None:
    """`receiver.close()`, if it has that."""
    if isinstance(receiver, GeneratorValue):
        close(m, receiver)
        return
    method = _optional_attribute(m, receiver, "close")
    if method is not None:
        m.call(method, [])


def _optional_attribute(m: Machine, receiver: Value, name: str) -> Value | None:
    try:
        return m.getattr(receiver, name)
    except Raised as raised:
        if not issubclass(raised.value.cls, AttributeError):
            raise
        return None


def close(m: Machine, generator: GeneratorValue) -> Value:
    """`generator.close()`"""
    if isinstance(generator, FoundGenerator):
        found_generators.read(m, generator)
    if generator.state == "created":
        generator.finish()
        if isinstance(generator, FoundGenerator):
            found_generators.note_move(m, generator)
    if generator.state == "finished":
        return NONE
    try:
        resume(m, generator, NONE, m.exception(GeneratorExit, []))
    except Raised as raised:
        if issubclass(raised.value.cls, StopIteration):
            return stop_value(m, raised.value) if CLOSE_GIVES_THE_RESULT else NONE
        if issubclass(raised.value.cls, GeneratorExit):
            return NONE
        raise
    m.throw(RuntimeError, f"{_noun(generator)} ignored GeneratorExit")


def stop_iteration_error(m: Machine, exception: Value, noun: str) -> Value:
    """What a StopIteration that would leave a generator's body becomes."""
    error = m.exception(RuntimeError, [Known(f"{noun} raised StopIteration")])
    error.slots["__cause__"] = error.slots["__context__"] = exception
    error.slots["__suppress_context__"] = Known(True)
    return error


def stop_value(m: Machine, exception: Value) -> Value:
    """What a StopIteration carries."""
    return m.getattr(exception, "value")


def thrown_by(m: Machine, kind: Value, value: Value | None) -> Value:
    """The exception that `throw(kind, value)` throws."""
    if isinstance(kind, Known) and isinstance(kind.obj, type) and issubclass(kind.obj, BaseException):
        if value is None or raising.is_none(value):
            return m.call(kind, [])
        if issubclass(value.cls, kind.obj):
            return value
        return m.call(kind, [value])
    if not issubclass(kind.cls, BaseException):
        m.throw(
            TypeError,
            f"exceptions must be classes or instances deriving from BaseException, not {kind.cls.__name__}",
        )
    return kind
