"""Where a capture breaks: the frames, the instruction and what it needs; and whether it has to break somewhere else."""

from __future__ import annotations

from typing import NamedTuple

from framelift.code import Instr
from framelift.code.canonical import OPS
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.residual import own_variables, tracebacks
from framelift.values.base import NULL, Value
from framelift.values.reasons import LOOKS_AT_FRAME, Break

INTO_CONTAINER = frozenset(
    {"LIST_APPEND", "LIST_EXTEND", "SET_ADD", "SET_UPDATE", "MAP_ADD", "DICT_UPDATE", "DICT_MERGE"}
)


class BreakPoint(NamedTuple):
    """Where a capture stopped: frames from the outermost on, and the instruction before which it did."""

    frames: list[Frame]
    instr: Instr
    operands: list[Value]
    below: tuple[Value, ...] = ()  # what the instruction looks at further down the stack, and leaves there
    split: bool = False  # Python does not run the instruction: the continuation starts with it

    @property
    def names(self) -> tuple[str, ...]:
        return self.frames[-1].keywords


def break_point(m: Machine) -> BreakPoint:
    """Where the machine stands."""
    frames: list[Frame] = []
    frame = m.frame
    while frame is not None:
        frames.insert(0, frame)
        frame = frame.caller
    if any(own_variables.asks(m, frame) for frame in frames):
        raise Break(LOOKS_AT_FRAME, "its variables, by name")
    instr = frames[-1].program.code.instrs[frames[-1].pc]
    pops = OPS[instr.op].pops
    count = pops if isinstance(pops, int) else pops(instr.arg)
    stack = frames[-1].stack
    operands = stack[len(stack) - count :]
    return BreakPoint(frames, instr, operands, _below(instr, stack[: len(stack) - count]))


def _below(instr: Instr, stack: list[Value]) -> tuple[Value, ...]:
    """The container that an instruction adds to. With it, for messages, the function its items are arguments of."""
    if instr.op not in INTO_CONTAINER:
        return ()
    container = stack[-instr.arg]
    if instr.op != "DICT_MERGE":
        return (container,)
    function = next(value for value in stack[-instr.arg - 2 :: -1] if value is not NULL)
    return function, function, function, container  # wherever this Python looks for it


def split_point(m: Machine) -> BreakPoint:
    """Where the machine stands, with nothing for Python to do there."""
    return break_point(m)._replace(operands=[], below=(), split=True)


def step_outside(m: Machine) -> int | None:
    """The step of the instruction that made a generator go on, called code of framelift's own that stands for a
    built-in, or code that asks for its variables: the inside of those cannot be split, Python can run all of it.
    """
    found = None
    frame = m.frame
    while frame is not None:
        if frame.generator is not None or frame.program.is_ours or own_variables.asks(m, frame):
            found = frame.entered
        frame = frame.caller
    return found


def earlier_raise(m: Machine, point: BreakPoint) -> int | None:
    """The step at which a live exception was first raised, if capture raised one: Python has to, for its traceback."""
    return min((m.raised_at[id(value)][1] for value in _live_exceptions(m, point)), default=None)


def _live_exceptions(m: Machine, point: BreakPoint) -> list[Value]:
    live = [value for frame in point.frames for value in (*frame.stack, *frame.locals)]
    live += [exception for frame in point.frames for _, exception in frame.marks]
    live += [value for value, _ in m.raised_at.values() if value.seen is not None]  # others may have it
    found = {id(value): value for value in live if value is not None and id(value) in m.raised_at}
    return sorted(found.values(), key=lambda value: m.raised_at[id(value)][1])


def have_tracebacks(m: Machine, point: BreakPoint) -> bool:
    """Whether the exceptions that were raised and are still there can be given the tracebacks they have."""
    return all(tracebacks.way_of(m, value) is not None for value in _live_exceptions(m, point))
