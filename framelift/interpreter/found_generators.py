"""Generators and coroutines that existed before the call: read where they stand, run here, and then moved for real.

Left behind by a graph break in most cases: a context manager written as a generator, or a generator that a loop goes
over. Where it stands is guarded with the code; its variables and its stack are looked at when they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from framelift import _core
from framelift.guards import facts
from framelift.interpreter.frame import Frame, program_of
from framelift.values.base import NULL, Value
from framelift.values.generator import FoundGenerator
from framelift.values.known import NONE
from framelift.values.opaque import Unlifted
from framelift.values.reasons import LIFETIME, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

DELEGATING = 2  # what RESUME says after a `yield from` or an `await`


def read(m: Machine, generator: FoundGenerator) -> None:
    """Find out where a generator stands, if that is not known yet."""
    if generator.state != "unread":
        return
    seen = generator.seen
    assert seen is not None
    _tell_apart(m, generator)
    state, *place = seen.child("generator_position").learn(facts.value).split()
    if state == "finished":
        generator.state = state
        return
    if state not in ("created", "suspended"):
        raise Break(UNKNOWN_OPERATION, f"a {generator.cls.__name__} that is {state}")
    offset, depth, *bound = place
    code = generator.code = seen.child("generator_code").pin()
    frame = Frame(program_of(code), m.namespace(seen.child("generator_globals")), m.builtins, [], None)
    frame.pc = next(instr.index for instr in frame.program.code.instrs if instr.offset == int(offset))
    for index, mark in enumerate("".join(bound)):
        if mark == "1":
            frame.locals[index] = Unlifted(seen.child("generator_variable", index))
    frame.stack = [m.lift(seen.child("generator_stack", index)) for index in range(int(depth))]
    if state == "created":
        frame.stack.append(NONE)  # what the first resumption sends
    generator.variables = list(frame.locals)
    generator.frame = frame
    generator.state = state
    frame.generator = generator


def _tell_apart(m: Machine, generator: FoundGenerator) -> None:
    """It is not any of those that are moved on their own."""
    assert generator.seen is not None
    for first, other in m.lifted.values():
        if isinstance(other, FoundGenerator) and other is not generator and other.state != "unread":
            m.ledger.relate(first.path, generator.seen.path, same=False)


def note_move(m: Machine, generator: FoundGenerator) -> None:
    """Have the real generator stand where the captured one does."""
    if generator.state not in ("finished", "suspended"):
        return
    finished = generator.state == "finished"
    function: Callable[..., Any] = _core.end_generator if finished else _core.move_generator
    args = (generator,) if finished else (generator, *_standing(generator))
    if generator.effect is None:
        generator.effect = len(m.effects.effects)
        m.effects.add(function, *args)
    else:
        m.effects.replace(generator.effect, function, *args)


def _standing(generator: FoundGenerator) -> tuple[Any, ...]:
    frame: Frame = generator.frame
    goes_on = frame.program.code.instrs[frame.pc]
    delegates = goes_on.op == "RESUME" and (goes_on.arg & 3) >= DELEGATING
    if frame.marks or any(place is NULL for place in frame.stack):
        raise Break(UNKNOWN_OPERATION, "a generator that is left in the middle of a handler")
    pairs = list(enumerate(zip(generator.variables, frame.locals, strict=True)))
    changed = [(index, now) for index, (before, now) in pairs if now is not None and not _is_same(before, now)]
    unbound = tuple(index for index, (before, now) in pairs if now is None and before is not None)
    values = TupleValue([value for _, value in changed], tuple)
    stack = TupleValue(list(frame.stack), tuple)
    return goes_on.offset, delegates, tuple(index for index, _ in changed), unbound, values, stack


def _is_same(before: Value | None, now: Value) -> bool:
    """Whether a variable still has what was found there."""
    if before is None or before.seen is None or now.seen is None:
        return False
    return before is now or before.seen.path is now.seen.path


def drop(m: Machine, value: Value) -> None:
    """The program lets go of something on the stack; of a generator that a break left behind it may be the last to."""
    if not m.passed or not isinstance(value, FoundGenerator):
        return
    assert value.seen is not None
    if value.seen.token() not in m.passed:
        return
    read(m, value)
    if value.cleans_up():
        raise Break(LIFETIME, "a generator that is dropped inside of a try or with")
