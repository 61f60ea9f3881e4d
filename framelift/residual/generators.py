"""Generators made in the call that outlive it, standing where they stood.

One that has started is made from a code object that begins by going to the `yield` at which it was suspended, and is
advanced once: from then on it can be resumed, thrown into and closed like the original.
"""

from __future__ import annotations

from types import CellType, CodeType, FunctionType
from typing import Any

from framelift.code import CELL, FREE, Code, Slot, assemble
from framelift.code.emitter import Emitter
from framelift.residual.continuation import arguments_of, state_of
from framelift.values.base import NULL, Value
from framelift.values.generator import GeneratorValue
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import TupleValue


def parts(generator: GeneratorValue) -> tuple[Any, ...]:
    """What to call to make a generator again: a function of this module, and its arguments."""
    if generator.state == "finished":
        return finished, generator.code.co_name, generator.code.co_qualname
    frame = generator.frame
    if generator.state == "created":
        code = frame.program.code.copy()
        given = [slot for slot, value in enumerate(frame.locals) if value is not None]
        values = [frame.locals[slot] for slot in given]
        code.set_arguments(given)
        return unstarted, _assembled(code), frame.globals, TupleValue(frame.closure, tuple), TupleValue(values, tuple)
    if any(position is NULL for position in frame.stack):
        raise Break(REBUILD, f"a {generator.cls.__name__} in the middle of a call")
    index = frame.pc - 1
    state = state_of(frame, index, list(frame.stack), None)
    values = arguments_of(state)
    marks = frozenset(position for position, _ in state.marks)
    made = _suspended_code(state.place.program.code, state.place.at, state.variables, len(state.stack), marks)
    return suspended, made, frame.globals, TupleValue(values, tuple)


def _suspended_code(
    original: Code, index: int, variables: list[tuple[int, Value]], depth: int, marks: frozenset[int]
) -> CodeType:
    code = original.copy()
    target = code.instrs[index]
    emitter = Emitter(target.position)
    emitter.add("RETURN_GENERATOR")
    emitter.pop()
    emitter.add("RESUME", 0)
    arguments = []
    for slot, _ in variables:
        name, kind = code.slots[slot]
        if kind & (CELL | FREE):
            passed = code.add_slot(f"cell {name}")
            emitter.fast(passed, bound=True)
            emitter.add("STORE_FAST", slot)
            arguments.append(passed)
        else:
            arguments.append(slot)
    for position in range(depth):
        passed = code.add_slot(f"stack {position}")
        arguments.append(passed)
        emitter.fast(passed, bound=True)
        if position in marks:
            emitter.add("PUSH_EXC_INFO")
            emitter.pop()
    emitter.const(None)
    emitter.jump(target)
    for number, (name, kind) in enumerate(code.slots):
        if kind & (CELL | FREE):
            code.slots[number] = Slot(name, FREE)
    code.set_arguments(arguments)
    code.check_bindings()
    code.instrs = [*emitter.instrs, *code.instrs]
    return _assembled(code)


def _assembled(code: Code) -> CodeType:
    code.original = None
    code.renumber()
    return assemble(code)


def abandoned(generators: list[GeneratorValue], kept: Any) -> GeneratorValue | None:
    """A generator that is dropped where it has something left to clean up, which Python would then make it do."""
    for generator in generators:
        if id(generator) not in kept and generator.cleans_up():
            return generator
    return None


# What the residual calls


def finished(name: str, qualname: str) -> Any:
    made = _nothing()
    for _ in made:
        pass
    made.__name__, made.__qualname__ = name, qualname
    return made


def _nothing() -> Any:
    yield from ()


def unstarted(code: CodeType, globals_: dict[str, Any], closure: tuple[CellType, ...], args: tuple[Any, ...]) -> Any:
    return FunctionType(code, globals_, code.co_name, None, closure)(*args)


def suspended(code: CodeType, globals_: dict[str, Any], args: tuple[Any, ...]) -> Any:
    closure = tuple(CellType() for _ in code.co_freevars)
    made = FunctionType(code, globals_, code.co_name, None, closure)(*args)
    made.send(None)
    return made
