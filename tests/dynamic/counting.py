"""Running a function compiled and eagerly on many arguments, counting how often it is compiled."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import torch

import framelift


class Counting:
    """A backend that runs the graph as it is and counts."""

    def __init__(self) -> None:
        self.graphs: list[torch.fx.GraphModule] = []

    def __call__(self, module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
        self.graphs.append(module)
        return module.forward


def compiles(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], **options: Any) -> int:
    """How many graphs the calls took; each is compared with eager, arguments included."""
    framelift.reset()  # programs of several tests may share a code object
    backend = Counting()
    compiled = framelift.compile(function, backend=backend, fullgraph=True, **options)
    for args in calls:
        mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
        same(compiled(*mine), function(*theirs))
        same(mine, theirs)
    return len(backend.graphs)


def same(left: Any, right: Any) -> None:
    """Equal in value and type, tensors by content."""
    if isinstance(left, torch.Tensor):
        assert isinstance(right, torch.Tensor)
        torch.testing.assert_close(left, right, equal_nan=True)
        strides = [
            [step for size, step in zip(tensor.shape, tensor.stride(), strict=True) if size > 1]
            for tensor in (left, right)
        ]
        assert strides[0] == strides[1]
    elif isinstance(left, list | tuple):
        assert type(left) is type(right)
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            same(a, b)
    elif isinstance(left, dict):
        assert list(left) == list(right)
        same(list(left.values()), list(right.values()))
    else:
        assert type(left) is type(right)
        assert left == right or (left != left and right != right)
