"""One capture from start to end: a machine for a function, its first frame, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import torch
from torch.utils._device import DeviceContext

from framelift.graph.history import History
from framelift.guards import facts
from framelift.guards.facts import Unguardable
from framelift.guards.observed import Observed
from framelift.interpreter import aliasing, handlers, models_loaded
from framelift.interpreter.frame import Frame, program_of
from framelift.interpreter.machine import Machine
from framelift.values.base import Raised, Value
from framelift.values.function import CellValue
from framelift.values.opaque import Unlifted
from framelift.values.reasons import ESCAPING_EXCEPTION, UNKNOWN_CALL, UNKNOWN_OBJECT, UNKNOWN_OPERATION, Break
from framelift.values.symbol import FloatInput, SymbolValue
from framelift.values.tensor import TensorValue

assert handlers is not None
assert models_loaded is not None

GENERATOR_KINDS = 0x20 | 0x80 | 0x200


def machine_for(
    function: FunctionType,
    history: History | None = None,
    prologue: Callable[[], Any] | None = None,
    flat: bool = False,
) -> Machine:
    """A machine for one capture. `prologue` is what the residual is to call first; `flat`: see interpreter/flat.py."""
    machine = Machine(function, history)
    machine.flat = flat
    machine.prologue = prologue
    machine.recorder.sizes_are_inputs = prologue is not None or machine.recorder.is_by_aot
    return machine


def run(m: Machine, code: CodeType, args: tuple[Any, ...]) -> Value:
    """Execute a call symbolically; its result, or a Break."""
    if code.co_flags & GENERATOR_KINDS:
        raise Break(UNKNOWN_CALL, "a generator function as the outermost one")
    _refuse_modes(m)
    globals_ = m.namespace(m.start("globals"))
    closure = [m.lift(m.start("closure", index)) for index in range(len(code.co_freevars))]
    cells = [cell for cell in closure if isinstance(cell, CellValue)]
    frame = Frame(program_of(code), globals_, m.builtins, cells, None)
    for index in range(len(args)):
        frame.locals[index] = Unlifted(m.start("local", index, args))
    if frame.program.origin is not None:
        m.passed = frozenset(map(id, args))
    m.frame = frame
    try:
        result = m.run(frame)
        aliasing.keep_apart(m)
        return result
    except Unguardable as refused:
        raise Break(UNKNOWN_OBJECT, refused) from None
    except Raised as raised:
        _, m.steps = m.raised_at[id(raised.value)]  # Python is to raise it where the program first did
        raise Break(ESCAPING_EXCEPTION, raised.value.cls.__name__) from None
    finally:
        m.nesting += 1  # what the residual has traced is no step of the capture, which may have to be run again
        for undo in reversed(m.undo):
            undo()


def _refuse_modes(m: Machine) -> None:
    """Leave calls alone where someone else looks at every operation; a default device only fills in arguments."""
    if torch._C._functorch.get_dynamic_layer_stack_depth():
        raise Break(UNKNOWN_OPERATION, "a call inside of a transform of torch.func")
    if torch._C._len_torch_dispatch_stack():
        raise Break(UNKNOWN_OPERATION, "a call under a torch-dispatch mode")
    for index in range(torch._C._len_torch_function_stack()):
        mode = m.start("torch_function_mode", index)
        if mode.learn(facts.type_of) is not DeviceContext:
            raise Break(UNKNOWN_OPERATION, "a call under a torch-function mode")
        m.lift(mode.child("attr", "device"))
        m.function_modes_before.append(m.lift(mode))
    m.function_modes = list(m.function_modes_before)


def run_up_to(m: Machine, code: CodeType, args: tuple[Any, ...], step: int, reason: Break) -> None:
    """Execute a call symbolically up to an instruction, and stand before it."""
    m.stop_at = step
    m.stop_reason = reason
    try:
        run(m, code, args)
    except Break as broken:
        if broken is reason:
            reason.let_go()  # it leads here, where `reason` is
            aliasing.keep_apart(m)
            return
        raise
    raise AssertionError("a capture took another way when it was run again")


def inputs(m: Machine) -> list[Value]:
    """The tensors and numbers that are the graph's placeholders, in order."""
    by_node: dict[Any, Value] = {tensor.input_node: tensor for tensor in m.input_tensors()}
    by_node.update(m.arrays.inputs)
    by_node.update(m.early.inputs)
    m.recorder.add_size_inputs()
    for node, found in m.recorder.numbers.items():
        number = m.numbers[found.path] if isinstance(found, Observed) else SymbolValue(found)
        by_node[node] = FloatInput(number) if number.cls is float else number
    return [by_node[node] for node in m.recorder.graph.nodes if node.op == "placeholder"]


def node_of(m: Machine, value: Value) -> Any:
    """The node that computes a tensor or a number."""
    if isinstance(value, SymbolValue):
        return m.recorder.number(value.sym)
    assert isinstance(value, TensorValue)
    return value.node


def where(m: Machine) -> str:
    """The source line the machine stands at."""
    asker = m.ledger.asker
    if asker is None:
        return "the start of the call"
    program, instr = asker
    return f"{program.code.filename}:{instr.line} in {program.code.qualname}"
