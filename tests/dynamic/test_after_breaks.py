"""What follows a break knows which sizes vary: those that depend on data, and those that varied before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift
from tests.dynamic.counting import Counting, same


def _graphs(function: Any, calls: list[tuple[Any, ...]]) -> int:
    counting = Counting()
    compiled = framelift.compile(function, backend=counting)
    for args in calls:
        same(compiled(*args), function(*args))
    return len(counting.graphs)


SELECTIONS: dict[str, Callable[[torch.Tensor], Any]] = {
    "nonzero": lambda x: (x > 0).nonzero().sum(0) + 1,
    "where": lambda x: torch.where(x.view(4, -1) > 0)[1] * 2,
    "mask": lambda x: x[x > 0].sum() + 1,
    "columns": lambda x: x.view(4, -1)[:, x[:10] > 0].sum(1) + 1,
    "masked_select": lambda x: torch.masked_select(x, x > 0) * 2,
    "unique": lambda x: torch.unique((x * 9).long(), return_counts=True)[1] * 2,
    "repeated": lambda x: torch.repeat_interleave(x, (x > 0).long() + 1) * 2,
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_sizes_that_depend_on_data(name: str) -> None:
    made = [torch.randn(40, generator=torch.Generator().manual_seed(seed)) for seed in range(6)]
    assert _graphs(SELECTIONS[name], [(x,) for x in made]) == 2 + (name == "columns")


def test_they_vary_behind_another_break() -> None:
    def function(x: torch.Tensor) -> Any:
        chosen = x[x > 0] * 2
        torch._dynamo.graph_break()
        return chosen + 1

    made = [torch.randn(40, generator=torch.Generator().manual_seed(seed)) for seed in range(6)]
    assert _graphs(function, [(x,) for x in made]) == 3


def test_experts() -> None:
    experts = torch.nn.ModuleDict({f"expert_{index}": torch.nn.Linear(4, 4) for index in range(4)})

    def routed(x: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for index in range(4):
            rows = torch.where(which == index)[0]
            out.index_add_(0, rows, experts[f"expert_{index}"](x[rows]))
        return out.relu()

    calls = []
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        calls.append((torch.randn(40, 4, generator=generator), torch.randint(4, (40,), generator=generator)))
    assert _graphs(routed, calls) == 5


def test_marks_hold_behind_a_break() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        torch._dynamo.graph_break()
        return y + x.shape[0]

    calls = []
    for size in (3, 5, 9):
        x = torch.randn(size, 2)
        framelift.mark_dynamic(x, 0)
        calls.append((x,))
    assert _graphs(function, calls) == 2
