"""When a graph raises: the call is run again as plain Python, so that what the user sees is what Python leaves.

Effects come after the graph, so nothing has happened yet that would happen twice, unless the graph itself has changed
tensors of the caller's or drawn random numbers. Where the program could tell (it has effects to lose or handlers that
may catch the exception) the state of both is kept before the graph. Small tensors are copied where something that may
raise for its data follows the change, and put back. Otherwise a graph that raises after it has changed a tensor raises
as it is, and so does one of which the tensors do not tell that it has changed them.
"""

from __future__ import annotations

from types import CodeType
from typing import Any, NamedTuple

import torch

from framelift.code import Region
from framelift.graph.randomness import draws
from framelift.residual import rerun
from framelift.residual.rebuild import Rebuilder
from framelift.values.base import Value
from framelift.values.tensor import TensorValue

count = 0
"""How many calls were run again."""


class Kept(NamedTuple):
    """What is known before the graph runs."""

    repeatable: bool
    slot: int | None  # of the state that was kept


def remember(r: Rebuilder, original: CodeType, inputs: list[Value]) -> Kept:
    """Before the call of the graph: keep what it may change, if that is worth it."""
    nodes = list(r.tracer.recorder.graph.nodes)
    calls = [node for node in nodes if node.op in ("call_function", "call_method", "call_module")]
    tensors = [value for value in inputs if isinstance(value, TensorValue)]
    silent = [tensor for tensor in tensors if tensor.fake.is_inference()]  # they do not tell when they are changed
    changed = [tensor for tensor in tensors if tensor not in silent and tensor.fake._version]
    drawn = any(map(draws, nodes))
    copied = bool(changed) and rerun.are_small(changed, parameters=False) and any(map(_may_raise, calls[1:]))
    hidden = bool(silent) or r.tracer.early.changes or any(map(rerun.hides_change, nodes))
    matters = bool(r.tracer.effects.effects) or bool(original.co_exceptiontable) or any(map(_may_raise, calls))
    if hidden or ((changed or drawn) and not matters and not copied):
        return Kept(False, None)
    if not changed and not drawn:
        return Kept(True, None)
    r.emit.const_callee(_state)
    r.emit.const(drawn)
    r.emit.const(copied)
    for tensor in changed:
        r.load(tensor)
    r.emit.call(2 + len(changed))
    slot = r.code.add_slot("state before the graph")
    r.emit.store_fast(slot)
    return Kept(True, slot)


_MAY_RAISE = (
    "getitem", "setitem", "index", "gather", "scatter", "embedding", "take", "one_hot", "bincount", "nll_loss",
    "cross_entropy", "multinomial", "linalg", "cholesky", "inverse", "solve", "eig", "svd", "histc", "assert", "repeat",
    "masked", "put", "select", "custom_gradient", "checkpointed",
)  # fmt: skip


_DIVISIONS = frozenset(
    {"floordiv", "ifloordiv", "floor_divide", "mod", "imod", "remainder", "fmod", "div", "divide", "divmod"}
    | {"rfloordiv", "rmod", "rdivmod"}
)


def _may_raise(node: Any) -> bool:
    """Whether an operation may raise for what its tensors hold."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "assert")
    if name == "getitem":
        return any(found is not node.args[0] for found in node.all_input_nodes)  # by tensors
    if name.strip("_") in _DIVISIONS:
        result = node.meta.get("example_value")
        return isinstance(result, torch.Tensor) and not (result.is_floating_point() or result.is_complex())  # by 0
    return node.op == "call_module" or any(part in name for part in _MAY_RAISE)


def _state(drawn: bool, copied: bool, *tensors: torch.Tensor) -> Any:
    """For the residual, before the graph."""
    before = [(tensor, tensor._version, tensor.detach().clone() if copied else None) for tensor in tensors]
    return rerun.random_state() if drawn else None, before


def _put_back(state: Any) -> bool:
    """For the residual, after the graph has raised: whether the call can be run again."""
    random, before = state
    changed = [(tensor, copied) for tensor, version, copied in before if tensor._version != version]
    if any(copied is None for _, copied in changed):
        return False
    with torch.no_grad():
        for tensor, copied in changed:
            tensor.copy_(copied)
    rerun.set_random_state(random)
    return True


def _note() -> None:
    global count
    count += 1


def cover(r: Rebuilder, original: CodeType, kept: Kept, first: int) -> None:
    """After the call of the graph, which begins with instruction `first`."""
    emit = r.emit
    start, end = emit.instrs[first], emit.instrs[-1]
    passed, again, give_up = emit.label(), emit.label(), emit.label()
    emit.jump(passed)
    handler = emit.add("PUSH_EXC_INFO")
    emit.const(Exception)
    emit.add("CHECK_EXC_MATCH")
    emit.jump_if(False, give_up, is_bool=True)
    for (function, *what), (before, _) in r.tracer.modes.items():
        r.call(function, *what, before)
        emit.pop()
    if kept.slot is not None:
        emit.const_callee(_put_back)
        emit.fast(kept.slot, bound=True)
        emit.call(1)
        emit.jump_if(True, again, is_bool=True)
    elif kept.repeatable:
        emit.jump(again)
    emit.place(give_up)
    emit.swap()
    emit.add("POP_EXCEPT")
    emit.add("RERAISE", 0)
    emit.place(again)
    if kept.repeatable:
        emit.pop()
        emit.add("POP_EXCEPT")
        r.call(_note)
        emit.pop()
        rerun.run_plainly(r, original)
    emit.place(passed)
    r.code.regions.append(Region(start, end, handler, 0))
