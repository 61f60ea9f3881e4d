"""Tensors of sizes that vary, with gradients of whatever layout, or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift

GRADIENTS: dict[str, Callable[[int], torch.Tensor | None]] = {
    "none": lambda rows: None,
    "plain": lambda rows: torch.ones(rows, 3),
    "turned": lambda rows: torch.ones(3, rows).t(),
    "slice": lambda rows: torch.ones(rows, 10)[:, :3],
    "growing slice": lambda rows: torch.ones(rows, 10 + rows)[:, :3],
}
USES: dict[str, Callable[[torch.Tensor], Any]] = {
    "tensor only": lambda x: x * 2 / x.shape[0],
    "gradient": lambda x: x + x.grad,
    "perhaps": lambda x: x if x.grad is None else x.grad * 2,
}


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kinds", [[name] * 4 for name in GRADIENTS] + [["plain", "none"] * 2], ids="-".join)
@pytest.mark.filterwarnings("ignore")
def test_gradients_that_are_there(kinds: list[str], use: str, backend: str) -> None:
    if use == "gradient" and "none" in kinds:
        return
    framelift.reset()
    compiled = framelift.compile(USES[use], backend=backend, fullgraph=True)
    for rows, kind in zip((2, 4, 5, 7), kinds, strict=True):
        results = []
        for function in (compiled, USES[use]):
            x = torch.arange(3.0 * rows).reshape(rows, 3).requires_grad_()
            x.grad = GRADIENTS[kind](rows)
            result = function(x)
            if result.requires_grad:
                result.sum().backward()
            results.append((result.detach(), x.grad))
        torch.testing.assert_close(*results)
    if use != "perhaps":
        assert sum(framelift.counters()["graphs"].values()) <= 2
