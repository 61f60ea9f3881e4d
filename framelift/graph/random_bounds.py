"""Comparisons of random numbers that can only end one way: none of `torch.rand(n)` is below 0, all are below 1.

Programs skip layers at random with a probability that is 0 by default: `if torch.rand([]) < self.layerdrop`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node

_COMPARISONS: dict[Any, Callable[[float], bool | None]] = {
    operator.lt: lambda bound: False if bound <= 0 else True if bound >= 1 else None,
    operator.le: lambda bound: False if bound < 0 else True if bound >= 1 else None,
    operator.gt: lambda bound: True if bound < 0 else False if bound >= 1 else None,
    operator.ge: lambda bound: True if bound <= 0 else False if bound >= 1 else None,
}
_MIRRORED = {
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
}


def outcome(node: Node) -> bool | None:
    """What a comparison gives whatever is drawn; None if that is not so."""
    if node.target not in _COMPARISONS or node.kwargs or len(node.args) != 2:
        return None
    left, right = node.args
    target: Any = node.target
    if isinstance(right, Node):
        left, right, target = right, left, _MIRRORED[target]
    if not isinstance(left, Node) or type(right) not in (int, float) or not _is_uniform(left):
        return None
    assert isinstance(right, int | float)
    return _COMPARISONS[target](right)


def _is_uniform(node: Node) -> bool:
    """Whether a node gives numbers from 0 to less than 1, and is what it was. Few digits may round up to 1."""
    fake = node.meta.get("example_value")
    drawn = node.op == "call_function" and node.target is torch.rand
    return (
        drawn and isinstance(fake, torch.Tensor) and not fake._version and fake.dtype in (torch.float32, torch.float64)
    )
