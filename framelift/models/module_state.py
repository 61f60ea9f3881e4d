"""Conditions that the state of modules decides: masks and flags that they keep in tensors.

`if self.is_numeric[i]:` goes one way for as long as the module is not changed. So it is assumed that it goes as it goes
in this call: the tensors are there, and what is computed from them alone can be computed now.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Node
from torch.fx.node import map_arg

from framelift.paths.path import Path
from framelift.values.base import Tracer
from framelift.values.tensor import TensorValue

MOST_NODES = 32
MOST_NUMBERS = 4096
_CHANCE = ("rand", "dropout", "bernoulli", "multinomial", "normal", "poisson", "exponential", "empty")


def truth_now(m: Tracer, condition: TensorValue) -> bool | None:
    """What a condition is in this call, if small tensors that modules keep decide it alone."""
    inputs = {tensor.input_node: tensor for tensor in m.input_tensors()}
    order: dict[Node, None] = {}
    if not _collect(condition.node, inputs, order):
        return None
    if not all(_is_kept(m, inputs[node]) for node in order if node.op == "placeholder"):
        return None
    try:
        with torch.no_grad():
            return bool(_compute(list(order), inputs))
    except Exception:  # noqa: BLE001 - whatever it is, the graph will come to it
        return None


def _collect(node: Node, inputs: dict[Node, TensorValue], order: dict[Node, None]) -> bool:
    """All that a node is computed from, in order; False if it is too much, or not for certain."""
    if node in order:
        return True
    if node.op == "placeholder" and node not in inputs:
        return False
    if node.op not in ("placeholder", "call_function", "call_method") or not _is_certain(node):
        return False
    if not all(_collect(needed, inputs, order) for needed in node.all_input_nodes):
        return False
    order[node] = None
    return len(order) <= MOST_NODES


def _is_certain(node: Node) -> bool:
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    fake = node.meta.get("example_value")
    parts = fake if isinstance(fake, tuple | list) else (fake,)
    if not all(isinstance(part, torch.Tensor) and _is_small(part) for part in parts):
        return False
    return not any(word in name for word in _CHANCE) or node.op == "placeholder"


def _is_small(fake: torch.Tensor) -> bool:
    sizes = tuple(fake.shape)
    known = all(type(size) is int for size in sizes) and fake.layout is torch.strided and fake.device.type == "cpu"
    return known and not fake.requires_grad and fake._version == 0 and fake.numel() <= MOST_NUMBERS


def _is_kept(m: Tracer, tensor: TensorValue) -> bool:
    """Whether it is by way of a module that a tensor was found."""
    assert tensor.seen is not None
    modules = m.paths_of_instances(torch.nn.Module)
    path: Path | None = tensor.seen.path
    while path is not None:
        if path in modules:
            return True
        path = path.parent
    return False


def _compute(order: list[Node], inputs: dict[Node, TensorValue]) -> Any:
    made: dict[Node, Any] = {}
    for node in order:
        if node.op == "placeholder":
            seen = inputs[node].seen
            assert seen is not None
            made[node] = seen.convert(lambda tensor: tensor)
            continue
        args, kwargs = map_arg((node.args, node.kwargs), made.__getitem__)
        target: Any = node.target
        if node.op == "call_method":
            target, args = getattr(args[0], target), args[1:]
        made[node] = target(*args, **kwargs)
    return made[order[-1]]
