"""Sizes that stay while strides change: slices of something that grows. Two compilations at most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift
from tests.dynamic.counting import Counting, compiles, same

SLICES: dict[str, Callable[[int], torch.Tensor]] = {
    "columns": lambda length: torch.randn(4, length)[:, :4],
    "last_of_one": lambda length: torch.randn(1, length, 8)[:, -1],
    "last_of_several": lambda length: torch.randn(4, length, 8)[:, -1],
    "every_other": lambda length: torch.randn(4, 2 * length)[:, :8:2],
    "turned": lambda length: torch.randn(length, 4)[:4].t(),
    "rows_of_indices": lambda length: torch.ones(length, 1).nonzero()[0],
}

USES: dict[str, Callable[[torch.Tensor], Any]] = {
    "elementwise": lambda x: torch.sin(x.double()) + 1,
    "reshaped": lambda x: x.reshape(-1) * 2,
    "steps": lambda x: (x * 2, x.stride(), x.t().stride() if x.dim() == 2 else 0),
    "layout": lambda x: x + 1 if x.is_contiguous() else x - 1,
    "changed": lambda x: x.clone().add_(1).contiguous(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("slices", SLICES)
def test_slices_of_something_that_grows(slices: str, use: str) -> None:
    calls = [(SLICES[slices](length),) for length in (9, 11, 14, 20, 31)]
    assert compiles(USES[use], calls) <= 2


def test_slices_with_gradients() -> None:
    counting = Counting()
    compiled = framelift.compile(lambda x: (x * 2).sum(0), backend=counting)
    for length in (9, 11, 14, 20):
        leaf = torch.randn(4, length, requires_grad=True)
        compiled(leaf[:, :4]).sum().backward()
        assert leaf.grad is not None
        assert leaf.grad.sum().item() == 32
    assert len(counting.graphs) == 2


def test_layouts_are_no_strides_that_vary() -> None:
    counting = Counting()
    compiled = framelift.compile(lambda x: x * 2, backend=counting)
    image = torch.randn(2, 3, 4, 5)
    for layout in (torch.contiguous_format, torch.channels_last) * 2:
        same(compiled(image.to(memory_format=layout)), image.to(memory_format=layout) * 2)
    inputs = [[node for node in module.graph.nodes if node.op == "placeholder"] for module in counting.graphs]
    assert [len(nodes) for nodes in inputs] == [1, 1]
