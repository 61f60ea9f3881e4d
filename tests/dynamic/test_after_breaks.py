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


def _chosen(count: int) -> torch.Tensor:
    """Nine numbers, so many of them positive."""
    return torch.cat([torch.linspace(1, 2, count), -torch.ones(9 - count)])


def test_loop_over_rows_with_a_break_in_it() -> None:
    """As experts are looped over: however many rows there are, one graph from each break to the next."""

    def function(x: torch.Tensor) -> Any:
        total, count = x.new_zeros(3), 0
        for row in (x > 0).nonzero():
            count += 1
            total = total + x[row[0]] * count
            if row[0].item() == 2:
                total = total * 2
        return total, count

    counting = Counting()
    compiled = framelift.compile(function, backend=counting)
    graphs = []
    for count in (3, 5, 2, 7, 4, 6, 9, 8):
        x = _chosen(count)
        same(compiled(x), function(x))
        graphs.append(len(counting.graphs))
    assert graphs == [5, *[6] * 7]


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_rows_that_are_left_at_a_break(taken: int) -> None:
    def function(x: torch.Tensor) -> Any:
        rows = iter((x > 0).nonzero())
        first = [next(rows, None) for _ in range(taken)]
        torch._dynamo.graph_break()
        rest = [next(rows, None), next(rows, None)]
        return first, rest, type(rows)

    compiled = framelift.compile(function, backend="eager")
    for count in (3, 5, 2, 0, 1, 7, 3):
        same(compiled(_chosen(count)), function(_chosen(count)))


def test_rows_of_something_with_gradients() -> None:
    """They are the views that PyTorch does not let anyone write to."""

    def function(x: torch.Tensor) -> Any:
        (kept,) = torch.where(x > 0)
        for row in x[kept] * 2:
            row.add_(1)
        return x

    compiled = framelift.compile(function, backend="eager")
    for count in (3, 5, 4):
        x = _chosen(count).requires_grad_()
        with pytest.raises(RuntimeError, match="view") as plain:
            function(x)
        with pytest.raises(RuntimeError, match="view") as captured:
            compiled(x)
        assert str(captured.value) == str(plain.value)


def test_a_tensor_that_is_only_passed_on() -> None:
    """A tensor of a caller's that no graph between two breaks uses may have any shape there."""

    def inner(y: torch.Tensor) -> torch.Tensor:
        torch._dynamo.graph_break()
        y = y + 1
        torch._dynamo.graph_break()
        return y * 2

    def middle(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        made = x * 2
        y = inner(y)
        torch._dynamo.graph_break()
        return made + y.sum()

    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return middle(x, y) + 1

    made = [(torch.randn(size, 2), torch.ones(3)) for size in (2, 3, 5, 7)]
    assert _graphs(function, made) == 4 + 2  # the first and the last are made again for any size
