"""Continuations: functions that start in the middle of another one.

A continuation is the original code behind a new beginning that puts the stack, the variables and the exceptions being
handled back and jumps to where to go on. It takes them as arguments. One for an inlined call starts with a call of the
callee's own continuation, so that all frames on the way out are captured together again.

Continuations are made of the code the user wrote, also when the frame that breaks is one of a continuation itself: a
break in a loop leads back to the same continuation every time.
"""

from __future__ import annotations

from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple
from weakref import WeakSet

import torch

from framelift import _core
from framelift.code import CELL, FREE, Code, Instr, Region, Slot, assemble, read
from framelift.code.canonical import OPS
from framelift.code.emitter import Emitter
from framelift.code.layout import Layout
from framelift.code.liveness import live_before, members
from framelift.interpreter.frame import Frame, Origin, Program
from framelift.values.base import NULL, Value
from framelift.values.classes import ClassValue
from framelift.values.function import FunctionValue
from framelift.values.generator import GeneratorValue
from framelift.values.instance import InstanceValue

_continued: WeakSet[Program] = WeakSet()


class Place(NamedTuple):
    """A position in code the user wrote."""

    program: Program
    at: int


class FrameState(NamedTuple):
    """What one frame needs in order to go on at `place`."""

    place: Place
    stack: list[Value]  # what lies below the results
    marks: list[tuple[int, Value]]  # positions on the stack that keep an exception handled before
    variables: list[tuple[int, Value]]  # slots of the original code
    called_from: int | None  # the call that the frame is in the middle of; None for the innermost
    globals: Any
    null_on_top: bool = False  # the results are followed by an empty callee slot


class Continuation(NamedTuple):
    """A function, and the callables through which it is entered."""

    function: Any  # a FunctionType
    callables: dict[Any, Any]  # by options


def place_of(program: Program, index: int) -> Place:
    """Where in the user's code an instruction of a program is."""
    if program.origin is None:
        return Place(program, index)
    return Place(program.origin.program, program.origin.positions[index])


def state_of(frame: Frame, index: int, stack: list[Value], called_from: int | None) -> FrameState:
    """What a frame needs to go on before instruction `index` of its program with this stack."""
    place = place_of(frame.program, index)
    origin = frame.program.origin
    slots = range(len(frame.locals)) if origin is None else origin.slots
    call = None if called_from is None else place_of(frame.program, called_from).at
    lives = _live(place.program)
    # What the call raises goes to its handler, which may read more than what follows the call.
    live = set(members(lives[place.at] | (0 if call is None else lives[call])))
    variables = []
    for original, value in zip(slots, frame.locals, strict=True):
        if value is None or original is None:
            continue
        if original in live or _may_be_missed(value):
            variables.append((original, value))
    variables.sort(key=lambda variable: variable[0])
    marks = [(position, exception) for position, exception in frame.marks if position < len(stack)]
    return FrameState(place, stack, marks, variables, call, frame.globals)


def _may_be_missed(value: Value) -> bool:
    """An object that is not read any more may still be reached weakly, or be told when it dies."""
    if value.seen is not None:
        kind: type = value.seen.convert(type)
        return kind.__weakrefoffset__ != 0 and not issubclass(kind, torch.Tensor)
    return isinstance(value, InstanceValue | GeneratorValue | FunctionValue | ClassValue)


def plain(code: CodeType) -> CodeType:
    """The code of a continuation, for running it as it is: it lets go of its arguments when the user's code does."""
    made = read(code)
    start = next(index for index, instr in enumerate(made.instrs) if instr.op == "RESUME")
    emitter = Emitter(made.instrs[start].position)
    emitter.const_callee(_core.let_go_of_arguments)
    emitter.call(0)
    emitter.pop()
    made.instrs[start + 1 : start + 1] = emitter.instrs
    made.original = None
    made.renumber()
    return assemble(made)


def _live(program: Program) -> list[int]:
    if program.live is None:
        live = live_before(program.code)
        if any(name == "__class__" for name, _ in program.code.slots):
            live = [bits | 1 for bits in live]  # super() reads the first argument
        program.live = live
    return program.live


def arguments_of(state: FrameState) -> list[Value]:
    """What the continuation of one frame takes, before its results or its callee's arguments."""
    marked = dict(state.marks)
    stack = [marked.get(position, value) for position, value in enumerate(state.stack)]
    return [value for _, value in state.variables] + [value for value in stack if value is not NULL]


def continuation(states: list[FrameState], results: int) -> Continuation:
    """The continuation of frames, the outermost first; the innermost starts with so many results on its stack."""
    inner = continuation(states[1:], results) if len(states) > 1 else None
    state = states[0]
    program = state.place.program
    marks = frozenset(position for position, _ in state.marks)
    shape = tuple("null" if v is NULL else "mark" if i in marks else "value" for i, v in enumerate(state.stack))
    slots = tuple(slot for slot, _ in state.variables)
    key = (
        *(state.place.at, shape, slots, results, state.called_from, state.null_on_top),
        *(inner and id(inner.function), state.globals.storage.token()),
    )
    found = program.continuations.get(key)
    if found is None:
        below = sum(len(arguments_of(other)) for other in states[1:]) + results
        function = _build(state, shape, slots, below, inner)
        found = program.continuations[key] = Continuation(function, {})
        _continued.add(program)
    return found


def forget() -> None:
    """Drop all continuations; those that somebody is about to call stay theirs."""
    for program in list(_continued):
        program.continuations.clear()
    _continued.clear()


def _build(
    state: FrameState, shape: tuple[str, ...], variables: tuple[int, ...], below: int, inner: Continuation | None
) -> FunctionType:
    program = state.place.program
    code = program.code.copy()
    target = code.instrs[state.place.at]
    emitter = Emitter(target.position)
    emitter.add("RESUME", 0)
    arguments = _take_variables(code, emitter, variables) + _take_stack(code, emitter, shape)
    passed_on = [code.add_slot(f"below {index}") for index in range(below)]
    called = None
    before_call = len(emitter.instrs)
    if inner is not None:
        assert state.called_from is not None
        emitter.position = code.instrs[state.called_from].position
        emitter.const_callee(inner.function)
    first = len(emitter.instrs)
    for slot in passed_on:
        emitter.take(slot)
    waiting = emitter.instrs[first:]
    if inner is None and (target.op not in ("STORE_FAST", "POP_TOP") or state.null_on_top):
        waiting = []
    if inner is not None:
        emitter.call(below)
        called = emitter.instrs[-1]
        assert state.called_from is not None
        if OPS[code.instrs[state.called_from].op].pushes == 0:
            emitter.pop()  # the instruction has no result
    if state.null_on_top:
        emitter.add("PUSH_NULL")
    emitter.jump(target)
    for number, (name, kind) in enumerate(code.slots):
        if kind & CELL:
            code.slots[number] = Slot(name, CELL)  # no longer an argument as well
    code.set_arguments(arguments + passed_on)
    if called is not None:
        _cover(code, program, state, emitter.instrs[before_call], called)
    code.check_bindings()
    code.instrs = [*emitter.instrs, *code.instrs]
    code.original = None
    code.renumber()
    at = frozenset(instr.index for instr in (waiting if inner is not None else waiting[-2:]))
    return _function(state, code, len(emitter.instrs), called, at)


def _take_variables(code: Code, emitter: Emitter, variables: tuple[int, ...]) -> list[int]:
    """The argument slots for variables. Of a cell the cell itself is passed, and put into its slot as it is."""
    arguments = []
    for slot in variables:
        name, kind = code.slots[slot]
        if kind & (CELL | FREE):
            passed = code.add_slot(f"cell {name}")
            emitter.fast(passed, bound=True)
            emitter.add("STORE_FAST", slot)
            arguments.append(passed)
        else:
            arguments.append(slot)
    return arguments


def _take_stack(code: Code, emitter: Emitter, shape: tuple[str, ...]) -> list[int]:
    """The argument slots for the stack, and the instructions that put it back."""
    arguments = []
    for position, kind in enumerate(shape):
        if kind == "null":
            emitter.add("PUSH_NULL")
            continue
        passed = code.add_slot(f"stack {position}")
        arguments.append(passed)
        emitter.take(passed)
        if kind == "mark":
            emitter.add("PUSH_EXC_INFO")
            emitter.pop()
    return arguments


def _function(
    state: FrameState, code: Code, beginning: int, called: Instr | None, waiting: frozenset[int]
) -> FunctionType:
    program = state.place.program
    # The new beginning counts as the place it leads to.
    positions = [state.place.at] * beginning + list(range(len(program.code.instrs)))
    if called is not None:
        assert state.called_from is not None
        positions[called.index] = state.called_from
    made = assemble(code)
    _core.scratch(made)["origin"] = Origin(program, positions, _origin_slots(code, program), waiting)
    globals_: dict[str, Any] = state.globals.storage.convert(lambda real: real)
    closure = tuple(CellType() for _ in made.co_freevars)
    return FunctionType(made, globals_, made.co_name, None, closure)


def _cover(code: Code, program: Program, state: FrameState, first: Instr, called: Instr) -> None:
    """An exception from the callee's continuation is one of the call.

    What loads the callee is covered too: some Pythons look for the handler of a callee's exception one instruction
    before the call.
    """
    assert state.called_from is not None
    region = program.handlers[state.called_from]
    if region is not None:
        handler = code.instrs[region.handler.index]
        code.regions.insert(0, Region(first, called, handler, region.depth, region.lasti))


def _origin_slots(code: Code, program: Program) -> list[int | None]:
    """For each slot of the continuation, as it is numbered when read again, the slot of the original code."""
    found: list[int | None] = [None] * len(code.slots)
    order = Layout(code).order
    for slot in range(len(program.code.slots)):
        found[order[slot]] = slot
    return found
