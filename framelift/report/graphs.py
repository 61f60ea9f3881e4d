"""Captured graphs as text: their code, what they call how often, and the sizes of their tensors."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.fx import GraphModule, Node

_NOISE = "# No stacktrace found for following nodes"
_CALLS = ("call_function", "call_method", "call_module")


def operations(graph: GraphModule) -> Counter[str]:
    """How often each operation is called."""
    return Counter(_target(node) for node in graph.graph.nodes if node.op in _CALLS)


def code(graph: GraphModule) -> str:
    """The graph as Python code, without what only matters to a machine."""
    text = graph.print_readable(print_output=False, include_stride=False, include_device=False)
    return "\n".join(line for line in text.strip().split("\n") if line.strip() != _NOISE)


def sizes(graph: GraphModule) -> str:
    """One tensor a line: its name, dtype and shape."""
    return "\n".join(_sizes(node) for node in graph.graph.nodes if node.op in (*_CALLS, "placeholder"))


def counted(operations: Counter[str]) -> str:
    """`3 operations: 2 add, 1 mul`"""
    total = operations.total()
    if not total:
        return "no operations"
    listed = ", ".join(f"{count} {name}" for name, count in operations.most_common())
    return f"{total} operation{'s' if total > 1 else ''}: {listed}"


def _target(node: Node) -> str:
    target = node.target
    return target if isinstance(target, str) else getattr(target, "__name__", str(target))


def _sizes(node: Node) -> str:
    return f"{node.name}: {_shape(node.meta.get('example_value'))}"


def _shape(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_shape, value))})"
    return str(value)
