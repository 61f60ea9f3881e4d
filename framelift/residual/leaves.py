"""Tensors made in the call that require gradients, behind AOTAutograd.

It differentiates with respect to the inputs of a graph: what requires gradients only inside is no leaf outside, and if
no input does, what depends on it has no history. As long as gradients are computed inside too, nobody can tell. But
such a tensor must not leave the graph, nor what would have no history and can still be differentiated: then capture
stops where the leaf was made, and the next graph has it as an input.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.values.base import Tracer, Value
from framelift.values.reasons import EFFECT, Break
from framelift.values.tensor import MadeLeaf, TensorValue


def check(m: Tracer, outputs: list[Value]) -> None:
    """Refuse a capture of which such tensors leave."""
    if not m.leaves or not m.recorder.is_for_aot():
        return
    tensors = [value.fake for value in outputs if isinstance(value, TensorValue)]
    needed = [leaf for fake in tensors if fake.requires_grad for leaf in _leaves_of(m, fake)]
    if needed:
        first = min(leaf.step for leaf in needed)
        raise Break(EFFECT, "a tensor made to require gradients, which leaves a graph of AOTAutograd", step=first)


def _leaves_of(m: Tracer, fake: Any) -> list[MadeLeaf]:
    """The leaves made in the call without which a tensor would not be what it is outside.

    One that does not leave itself has no gradient that anybody could ask for, so any history will do. There is one if
    an input of the graph requires gradients.
    """
    if id(fake) in m.leaves:
        return [m.leaves[id(fake)]]
    if any(tensor.fake.requires_grad for tensor in (*m.input_tensors(), *m.early.inputs.values())):
        return []
    history = _history(fake)
    found = [m.leaves[number] for number in history if number in m.leaves]
    return found if found and _is_differentiable(fake, [leaf.tensor.fake for leaf in found]) else []


def _history(fake: Any) -> set[int]:
    """The ids of the leaves that gradients of a tensor come to."""
    found: set[int] = set()
    seen: set[Any] = set()
    pending = [fake.grad_fn]
    while pending:
        function = pending.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        if hasattr(function, "variable"):
            found.add(id(function.variable))
        pending += [following for following, _ in function.next_functions]
    return found


def _is_differentiable(fake: Any, leaves: list[Any]) -> bool:
    """Whether the history is still there: a gradient that was computed inside has used it up."""
    try:
        with fake.fake_mode:  # hooks of the program may be called
            torch.autograd.grad(fake, leaves, torch.ones_like(fake), retain_graph=True, allow_unused=True)
    except RuntimeError:
        return False
    return True
