"""Two views of one tensor, one of them changed: every way they can lie, and another way in the next call."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift

View = Callable[[torch.Tensor], torch.Tensor]
VIEWS: dict[str, View] = {
    "itself": lambda base: base,
    "all": lambda base: base[:],
    "begin": lambda base: base[0:6],
    "one on": lambda base: base[1:7],
    "half way": lambda base: base[3:9],
    "behind": lambda base: base[12:18],
    "even": lambda base: base[0:12:2],
    "odd": lambda base: base[1:13:2],
    "rows": lambda base: base[0:6].view(2, 3),
    "turned": lambda base: base[0:6].view(3, 2).t(),
    "strided": lambda base: base.as_strided((6,), (1,), 4),
    "detached": lambda base: base.detach()[2:8],
    "shorter": lambda base: base[20:23],
    "another": lambda base: torch.arange(6.0) + 100,
}


def change_first(x: torch.Tensor, y: torch.Tensor) -> Any:
    x.add_(1)
    return y * 2


def change_second(x: torch.Tensor, y: torch.Tensor) -> Any:
    y.mul_(2)
    return x + 1


def read_before_and_after(x: torch.Tensor, y: torch.Tensor) -> Any:
    before = y * 1
    x.copy_(x * 3)
    return y + before.sum()


def change_both(x: torch.Tensor, y: torch.Tensor) -> Any:
    x.add_(y.sum())
    y.sub_(x.mean())
    return x.clone(), y.clone()


def change_a_view(x: torch.Tensor, y: torch.Tensor) -> Any:
    view = x[1:]
    view.mul_(2)
    return y.sum(), view


def give_back(x: torch.Tensor, y: torch.Tensor) -> Any:
    x.mul_(2)
    return y.view(-1) if y.is_contiguous() else y, x


PROGRAMS = (change_first, change_second, read_before_and_after, change_both, change_a_view, give_back)


def outcome(function: Callable[..., Any], first: str, second: str, size: int) -> list[Any]:
    base = torch.arange(float(size))
    x, y = VIEWS[first](base), VIEWS[second](base)
    results = function(x, y)
    results = results if isinstance(results, tuple) else (results,)
    shared = [one.untyped_storage().data_ptr() == base.untyped_storage().data_ptr() for one in results]
    return [*(one.tolist() for one in (*results, base, x, y)), shared]


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_pairs_of_views(function: Callable[..., Any], backend: str) -> None:
    choice = random.Random(function.__name__)
    for _ in range(8):
        framelift.reset()
        compiled = framelift.compile(function, backend=backend)
        for _ in range(4):
            pair = choice.choice(list(VIEWS)), choice.choice(list(VIEWS))
            size = choice.choice((24, 30))
            assert outcome(compiled, *pair, size) == outcome(function, *pair, size), pair


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_parts_that_do_not_overlap_may_move(backend: str) -> None:
    def function(keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        keys.add_(1)
        values.mul_(2)
        return keys.sum() + values.sum()

    framelift.reset()
    compiled = framelift.compile(function, backend=backend, fullgraph=True)
    for length in range(2, 9):
        mine, theirs = (torch.arange(40.0).reshape(2, 20) for _ in range(2))
        assert torch.equal(
            compiled(mine[0, :length], mine[1, length:]), function(theirs[0, :length], theirs[1, length:])
        )
        assert torch.equal(mine, theirs)
    assert sum(framelift.counters()["graphs"].values()) == 2


def test_tensors_that_only_share() -> None:
    compiled = framelift.compile(lambda x, y: (x - y * 2).sum(), backend="aot_eager", fullgraph=True)
    for _ in range(2):
        x = torch.ones(4, requires_grad=True)
        compiled(x, x.detach()).backward()
        assert x.grad is not None
        assert x.grad.tolist() == [1.0] * 4
