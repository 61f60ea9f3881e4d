"""Raising and handling exceptions, and `with`."""

from __future__ import annotations

from framelift.code import Instr
from framelift.interpreter import flat, groups, raising
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import ENTERED, Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Raised, Value
from framelift.values.known import Known, boolean
from framelift.values.sequence import TupleValue


@op("RAISE_VARARGS")
def raise_varargs(m: Machine, frame: Frame, instr: Instr, *parts: Value) -> None:
    if not parts:
        handled = raising.current(m)
        if raising.is_none(handled):
            m.throw(RuntimeError, "No active exception to reraise")
        raise Raised(handled, again=True)
    exception = instance_of(m, parts[0])
    if len(parts) == 2:
        cause = parts[1]
        if isinstance(cause, Known) and isinstance(cause.obj, type):
            cause = instance_of(m, cause)
        if not raising.is_none(cause) and not issubclass(cause.cls, BaseException):
            m.throw(TypeError, "exception causes must derive from BaseException")
        m.setattr(exception, "__cause__", cause)
    raise Raised(exception)


def instance_of(m: Machine, raised: Value) -> Value:
    """What `raise raised` raises: classes are called."""
    if isinstance(raised, Known) and isinstance(raised.obj, type) and issubclass(raised.obj, BaseException):
        raised = m.call(raised, [])
    if not issubclass(raised.cls, BaseException):
        m.throw(TypeError, "exceptions must derive from BaseException")
    return raised


@op("RERAISE", takes=0)
def reraise(m: Machine, frame: Frame, instr: Instr) -> None:
    raise Raised(frame.stack.pop(), again=True)


@op("PUSH_EXC_INFO")
def push_exc_info(m: Machine, frame: Frame, instr: Instr, exception: Value) -> Value:
    frame.marks.append((len(frame.stack), exception))
    frame.stack.append(m.handled)
    m.handled = exception
    return exception


@op("POP_EXCEPT")
def pop_except(m: Machine, frame: Frame, instr: Instr, before: Value) -> None:
    m.handled = before
    if frame.marks:
        frame.marks.pop()


@op("CHECK_EXC_MATCH", takes=1)
def check_exc_match(m: Machine, frame: Frame, instr: Instr, kinds: Value) -> Value:
    return boolean(matches(m, frame.stack[-1], kinds))


def matches(m: Machine, exception: Value, kinds: Value) -> bool:
    """Whether an `except kinds` clause takes the exception."""
    if isinstance(kinds, TupleValue):
        return any(matches(m, exception, kind) for kind in kinds.all(m))
    if not isinstance(kinds, Known) or not isinstance(kinds.obj, type) or not issubclass(kinds.obj, BaseException):
        m.throw(TypeError, "catching classes that do not inherit from BaseException is not allowed")
    return issubclass(exception.cls, kinds.obj)


@op("CHECK_EG_MATCH")
def check_eg_match(m: Machine, frame: Frame, instr: Instr, group: Value, kinds: Value) -> None:
    kept, matched = m.unpack(m.call(Known(groups.match), [group, kinds]))
    if not raising.is_none(matched):
        m.handled = matched
        frame.marks[-1] = (frame.marks[-1][0], matched)
    frame.stack += (kept, matched)


@op("PREP_RERAISE_STAR")
def prep_reraise_star(m: Machine, frame: Frame, instr: Instr, group: Value, raised: Value) -> Value:
    return m.call(Known(groups.to_raise), [group, raised])


@op("BEFORE_WITH")
def before_with(m: Machine, frame: Frame, instr: Instr, manager: Value) -> Value:
    for name in ("__enter__", "__exit__"):
        if m.class_attribute(manager.cls, name) is None:
            missing = "" if name == "__enter__" else " (missed __exit__ method)"
            m.throw(
                TypeError,
                f"{manager.cls.__name__!r} object does not support the context manager protocol{missing}",
            )
    found = m.class_attribute(manager.cls, "__exit__")
    assert found is not None
    leave = m.bind_attribute(found, manager)
    if flat.applies(m, manager):
        frame.stack.append(leave)
        entered = flat.method(m, manager, "__enter__", [])
        if entered is not None:
            return entered
        frame.stack.pop()
    result = m.call_method(manager, "__enter__", [])
    frame.stack.append(leave)
    return result


@op("WITH_EXCEPT_START", takes=0)
def with_except_start(m: Machine, frame: Frame, instr: Instr) -> Value:
    exception, leave = frame.stack[-1], frame.stack[-4]
    result = m.call_flat(leave, [Known(exception.cls), exception, m.getattr(exception, "__traceback__")], {})
    return ENTERED if result is None else result
