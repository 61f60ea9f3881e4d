"""The residual: code with the original's signature that calls the graph, replays the effects and returns the result.

The guard walk has put every object the residual needs into local slots after the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

import torch

from framelift.code import FREE, LOCAL, Code, Slot, assemble
from framelift.code.emitter import Emitter
from framelift.effects.log import Effect, nothing
from framelift.models import torch_function_modes, torch_grad, torch_inference, torch_subclasses
from framelift.residual import failing, generators, leaves, make, rerun, shared_memory, tracebacks
from framelift.residual.rebuild import Rebuilder
from framelift.values import snapshots
from framelift.values.arrays import ArrayTensor, NumberTensor
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import REBUILD, Break
from framelift.values.symbol import FloatInput, SymbolValue
from framelift.values.tensor import TensorValue

CompileGraph = Callable[[list[Value]], Callable[..., Any] | None]
FILLED_BY_GUARDS = "seen"


def build(
    tracer: Tracer, original: CodeType, result: Value, inputs: list[Value], compile_graph: CompileGraph
) -> CodeType:
    """Code that does what the captured call did. `compile_graph` is told which tensors the graph has to give back."""
    effects = tracer.effects.effects
    hand_over(tracer, inputs)
    refused = rerun.check_repeatable(tracer, inputs)
    if refused is not None:
        raise refused
    outputs = _outputs(tracer, original, effects, result)
    check_outputs(tracer, outputs)
    graph = compile_graph(outputs)
    code, emitter = start(original, tracer.ledger.wanted)
    rebuilder = Rebuilder(tracer, code, emitter, argument_count(original))
    if graph is not None:
        call_graph(rebuilder, original, graph, inputs, outputs)
    else:
        check_numbers(rebuilder, original)
    replay(rebuilder, effects)
    _trace_back(rebuilder)
    rebuilder.load(result)
    emitter.return_top()
    code.instrs = emitter.instrs
    code.renumber()
    return assemble(code)


def hand_over(tracer: Tracer, inputs: list[Value]) -> None:
    """Have the graph's inputs put into the first slots after the arguments."""
    symbols = tracer.recorder.symbols
    numbers = _may_fail(tracer)
    for value in inputs:
        found = value.number if isinstance(value, FloatInput) else value
        seen = found.seen
        if isinstance(found, ArrayTensor):
            seen = found.array
        elif isinstance(found, NumberTensor):
            seen = found.number
        if seen is not None:
            seen.hand_over()
        elif isinstance(found, SymbolValue):
            numbers.append(found)
    for number in numbers:
        assert symbols is not None
        for root in sorted(symbols.roots(symbols.expression(number.sym)), key=str):
            place = symbols.where(root)
            if place is not None:
                place.seen.hand_over()


def _may_fail(tracer: Tracer) -> list[Any]:
    """The numbers computed by functions that may raise, or give something else, in another call."""
    symbols = tracer.recorder.symbols
    if symbols is None:
        return []
    return [tracer.symbol(symbol) for symbol, derivation in symbols.derivations.items() if derivation.may_fail]


def check_numbers(rebuilder: Rebuilder, original: CodeType) -> None:
    """Where there is no graph: compute such numbers before anything else is done."""
    first = len(rebuilder.emit.instrs)
    if _compute_numbers(rebuilder):
        failing.cover(rebuilder, original, failing.Kept(True, None), first)


def _compute_numbers(rebuilder: Rebuilder) -> bool:
    numbers = _may_fail(rebuilder.tracer)
    for number in numbers:
        rebuilder.load(number)
        rebuilder.emit.pop()
    return bool(numbers)


def _outputs(tracer: Tracer, original: CodeType, effects: list[Effect], result: Value) -> list[Value]:
    """The tensors made by the graph that outlive it; also has everything wanted handed over."""
    code, emitter = start(original, 0)
    trial = Rebuilder(tracer, code, emitter, 0)
    before_graph(trial)
    rerun.look(trial)
    replay(trial, effects)
    _trace_back(trial)
    trial.load(result)
    check_abandoned(tracer, trial)
    return list(trial.tensors.values())


def check_outputs(tracer: Tracer, outputs: list[Value]) -> None:
    """Refuse a capture of which something leaves the graph that has to be made by Python, or changed later on."""
    leaves.check(tracer, outputs)
    for check in tracer.final_checks:
        check(outputs)


def check_abandoned(tracer: Tracer, trial: Rebuilder) -> None:
    """Close the generators that Python would make clean up when they are dropped; refuse if that can be seen."""
    while (dropped := generators.abandoned(tracer.generators, trial.slots)) is not None:
        before = _state(tracer, trial)
        tracer.call(tracer.getattr(dropped, "close"), [])
        if before != _state(tracer, trial):
            raise Break(REBUILD, f"the generator {dropped.code.co_qualname}, dropped inside of a try or with")


def _state(tracer: Tracer, trial: Rebuilder) -> Any:
    held = snapshots.shallow(value for value, _ in trial.slots.values())  # by the objects that outlive the call
    return tracer.effects.state, tracer.recorder.calls, held


def argument_count(original: CodeType) -> int:
    flags = original.co_flags
    return original.co_argcount + original.co_kwonlyargcount + bool(flags & 4) + bool(flags & 8)


def start(original: CodeType, wanted: int) -> tuple[Code, Emitter]:
    count = argument_count(original)
    slots = [Slot(name, LOCAL) for name in original.co_varnames[:count]]
    slots += [Slot(f"{FILLED_BY_GUARDS}{index}", LOCAL) for index in range(wanted)]
    slots += [Slot(name, FREE) for name in original.co_freevars]
    code = Code(
        slots=slots,
        argcount=original.co_argcount,
        posonlyargcount=original.co_posonlyargcount,
        kwonlyargcount=original.co_kwonlyargcount,
        flags=original.co_flags,
        name=original.co_name,
        qualname=original.co_qualname,
        filename=original.co_filename,
        firstlineno=original.co_firstlineno,
    )
    emitter = Emitter((original.co_firstlineno, original.co_firstlineno, None, None))
    emitter.prologue(code)
    return code, emitter


def call_graph(
    rebuilder: Rebuilder,
    original: CodeType,
    graph: Callable[..., Any],
    inputs: list[Value],
    outputs: list[Value],
) -> None:
    """Call the graph and keep what it gives; whatever it was assumed to give is looked at at once."""
    emitter = rebuilder.emit
    if rebuilder.tracer.prologue is not None:
        rebuilder.call(rebuilder.tracer.prologue)
        emitter.pop()
    shared_memory.leave_if_shared(rebuilder, original, inputs)
    before_graph(rebuilder)
    state = rerun.remember(rebuilder, inputs)
    kept = failing.remember(rebuilder, original, inputs) if state is None else None
    first = len(emitter.instrs)
    _compute_numbers(rebuilder)
    emitter.const_callee(graph)
    for tensor in inputs:
        if isinstance(tensor, TensorValue) and not torch_subclasses.is_plain(tensor.cls):
            rebuilder.call(torch_subclasses.plain_tensor, tensor)
        else:
            rebuilder.load(tensor)
    emitter.call(len(inputs))
    _keep_outputs(rebuilder, outputs)
    if kept is None:
        rerun.cover_graph(rebuilder, original, state, first)
    else:
        failing.cover(rebuilder, original, kept, first)
    rerun.look(rebuilder, original, state)


def before_graph(rebuilder: Rebuilder) -> None:
    """Do what has to be done before the graph is called."""
    for step in rebuilder.tracer.early.steps:
        rebuilder.call(step.function, *step.args)
        if step.result is not None:
            rebuilder.keep(step.result)
        rebuilder.emit.pop()


def _keep_outputs(rebuilder: Rebuilder, outputs: list[Value]) -> None:
    emitter = rebuilder.emit
    if not outputs:
        emitter.pop()
        return
    emitter.unpack(len(outputs))
    for tensor in outputs:
        slot = rebuilder.code.add_slot(f"tensor{len(rebuilder.slots)}")
        rebuilder.slots[id(tensor)] = (tensor, slot)
        emitter.store_fast(slot)
    for tensor in outputs:
        if not isinstance(tensor, TensorValue):
            continue
        if tensor.fake.is_inference() and not torch.is_inference_mode_enabled():
            rebuilder.call(torch_inference.of_inference, tensor)
            emitter.store_fast(rebuilder.slots[id(tensor)][1])
        if not torch_subclasses.is_plain(tensor.cls):
            rebuilder.call(torch_subclasses.of_class, tensor, Known(tensor.cls))
            emitter.store_fast(rebuilder.slots[id(tensor)][1])
    for tensor in outputs:
        if isinstance(tensor, TensorValue) and isinstance(tensor.grad, TensorValue):
            rebuilder.call(torch_grad.assign_grad, tensor, tensor.grad)
            emitter.pop()


def _trace_back(rebuilder: Rebuilder) -> None:
    """Exceptions that existed before and were raised and caught in the call: their tracebacks tell of it."""
    machine: Any = rebuilder.tracer
    for exception, _ in machine.raised_at.values():
        shown = tracebacks.shown_by(machine, exception) if exception.seen is not None else None
        if shown:
            rebuilder.call(make.raised, exception, tracebacks.raising(shown))
            rebuilder.emit.pop()


def replay(rebuilder: Rebuilder, effects: list[Effect]) -> None:
    # A backend may trace changes of modes away: what the graph leaves different is set again.
    for (function, *what), (before, now) in rebuilder.tracer.modes.items():
        if before != now:
            rebuilder.call(function, *what, now)
            rebuilder.emit.pop()
    for effect in effects:
        if effect.function is nothing:
            continue
        rebuilder.call(effect.function, *effect.args)
        rebuilder.emit.pop()
    if rebuilder.tracer.function_modes != rebuilder.tracer.function_modes_before:
        rebuilder.call(torch_function_modes.set_stack, *rebuilder.tracer.function_modes)
        rebuilder.emit.pop()
