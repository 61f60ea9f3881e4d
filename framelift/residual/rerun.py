"""Running a call again as plain Python, when its data was not as capture had assumed (see values/assumptions.py).

That is possible as long as the graph has changed nothing that existed before: effects come after the look at the
assumptions, and the state of the random number generators is put back. A capture of which this is not true is not used;
it breaks at its first assumption instead.
"""

from __future__ import annotations

import math
from types import CodeType
from typing import Any

import torch
from torch.nn import functional

from framelift import _core
from framelift.code import FREE, Region
from framelift.residual.rebuild import Rebuilder
from framelift.values.assumptions import Assumption, Assumptions
from framelift.values.base import Tracer, Value
from framelift.values.reasons import Break
from framelift.values.tensor import TensorValue


def random_state() -> Any:
    """For the residual: the state of PyTorch's generators."""
    started = bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]
    cuda = torch.cuda.get_rng_state_all() if started else None
    return torch.get_rng_state(), cuda


def set_random_state(state: Any) -> None:
    if state is not None:
        torch.set_rng_state(state[0])
        if state[1] is not None:
            torch.cuda.set_rng_state_all(state[1])


def check_repeatable(m: Tracer, inputs: list[Value]) -> Break | None:
    """A break at the first assumption, if the graph changes something that would be changed twice."""
    if not m.assumptions.made or not (m.recorder.calls or m.early.steps):
        return None
    kept = are_small(changed_by_graph(m, inputs))
    if kept and not _changes_modes(m) and not m.early.changes:
        return None
    first: Assumption = m.assumptions.made[0]
    m.steps = first.step
    return first.otherwise


def _changes_modes(m: Tracer) -> bool:
    """Whether modes are changed that cannot simply be set again."""
    deeper = 0
    for node in m.recorder.graph.nodes:
        deeper += (node.target is torch.autocast_increment_nesting) - (node.target is torch.autocast_decrement_nesting)
    return deeper != 0


_NORMALIZING = (functional.batch_norm, functional.instance_norm, torch.batch_norm, torch.instance_norm)


def hides_change(node: Any) -> bool:
    """Operations that change a tensor without the tensor's version telling."""
    if node.target in _NORMALIZING:
        return any(arg is True for arg in (*node.args, *node.kwargs.values()))  # in training
    return _is_changed_alias(node)


def _is_changed_alias(node: Any) -> bool:
    """Whether it is a tensor's `.data`, which has a version of its own, and that was changed."""
    if node.target is not getattr or node.args[1:] != ("data",):
        return False
    return _version(node.meta["example_value"]) != 0


def _version(fake: Any) -> int:
    """How often a tensor was changed; tensors of inference mode do not tell."""
    return -1 if fake.is_inference() else int(fake._version)


def changed_by_graph(m: Tracer, inputs: list[Value]) -> list[TensorValue]:
    """The tensors of before the call that the graph changes."""
    normalizing = [node for node in m.recorder.graph.nodes if node.target in _NORMALIZING and hides_change(node)]
    hidden = {node for normalized in normalizing for node in normalized.all_input_nodes[1:]}
    aliases = [node.meta["example_value"] for node in m.recorder.graph.nodes if _is_changed_alias(node)]
    storages = {alias.untyped_storage()._cdata for alias in aliases}
    return [
        tensor
        for tensor in inputs
        if isinstance(tensor, TensorValue)
        and (_version(tensor.fake) or tensor.input_node in hidden or tensor.fake.untyped_storage()._cdata in storages)
    ]


SMALL = 1 << 16
"""So many numbers in all are copied before the graph changes them."""


def are_small(tensors: list[TensorValue], parameters: bool = True) -> bool:
    """Whether tensors can be put back as they were: little data, without a history. `parameters`: these, too."""
    count = 0
    for tensor in tensors:
        fake = tensor.fake
        if fake.layout is not torch.strided or not fake.is_leaf or fake.is_inference():
            return False
        if fake.requires_grad and fake._version and not parameters:
            return False
        sizes = tuple(fake.shape)
        if not all(type(size) is int for size in sizes):
            return False
        count += math.prod(sizes)
    return count <= SMALL


def _state(*tensors: torch.Tensor) -> Any:
    """For the residual, before the graph."""
    return random_state(), [(tensor, tensor.detach().clone()) for tensor in tensors]


def _put_back(state: Any) -> None:
    random, tensors = state
    set_random_state(random)
    with torch.no_grad():
        for tensor, before in tensors:
            tensor.copy_(before)


def remember(r: Rebuilder, inputs: list[Value]) -> int | None:
    """Before the graph: keep what it changes. Gives the slot."""
    if not r.tracer.assumptions.made:
        return None
    r.call(_state, *changed_by_graph(r.tracer, inputs))
    slot = r.code.add_slot("state before the graph")
    r.emit.store_fast(slot)
    return slot


def cover_graph(r: Rebuilder, original: CodeType, state: int | None, first: int) -> None:
    """After the call of the graph, which begins with instruction `first`: what it raises may be for Python to raise."""
    if state is None:
        return
    emit = r.emit
    start, end = emit.instrs[first], emit.instrs[-1]
    passed, failed = emit.label(), emit.label()
    emit.jump(passed)
    handler = emit.add("PUSH_EXC_INFO")
    emit.const(Exception)
    emit.add("CHECK_EXC_MATCH")
    emit.jump_if(True, failed, is_bool=True)
    emit.swap()
    emit.add("POP_EXCEPT")
    emit.add("RERAISE", 0)
    emit.place(failed)
    emit.pop()
    emit.add("POP_EXCEPT")
    _run_again(r, original, -1, state)
    emit.place(passed)
    r.code.regions.append(Region(start, end, handler, 0))


def look(r: Rebuilder, original: CodeType | None = None, state: int | None = None) -> None:
    """After the graph, before all effects: see whether the data was as assumed. Without the code: a trial run."""
    made: list[Assumption] = r.tracer.assumptions.made
    for number, assumption in enumerate(made):
        if assumption.condition is not None:
            r.load(assumption.condition)
        elif assumption.holds is not None:
            r.call(assumption.holds)
        else:
            continue
        if original is None:
            r.emit.pop()
            continue
        right = r.emit.label()
        r.emit.jump_if(assumption.truth, right)
        _run_again(r, original, number, state)
        r.emit.place(right)


def _missed(assumptions: Assumptions, number: int, state: Any) -> None:
    """For the residual, before the call runs again."""
    if state is not None:
        _put_back(state)
    assumptions.missed(number)


def _run_again(r: Rebuilder, original: CodeType, number: int, state: int | None) -> None:
    emit = r.emit
    emit.const_callee(_missed)
    emit.const(r.tracer.assumptions)
    emit.const(number)
    if state is None:
        emit.const(None)
    else:
        emit.fast(state, bound=True)
    emit.call(3)
    emit.pop()
    for (function, *what), (before, now) in r.tracer.modes.items():
        if before != now:
            r.call(function, *what, before)
            emit.pop()
    run_plainly(r, original)


def run_plainly(r: Rebuilder, original: CodeType) -> None:
    """Leave for the code the user wrote, from its beginning."""
    emit = r.emit
    # A copy, which the residual may keep. All its parameters are positional: they are where the residual has them.
    count = (
        original.co_argcount + original.co_kwonlyargcount + bool(original.co_flags & 4) + bool(original.co_flags & 8)
    )
    code = original.replace(
        co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=original.co_flags & ~12
    )
    _core.set_actions(code, here="skip")
    emit.const_callee(_core.tail_call)
    emit.make_function(code, [slot for slot, (_, kind) in enumerate(r.code.slots) if kind & FREE])
    for slot in range(count):
        emit.fast(slot)
    emit.call(1 + count)
    emit.return_top()
