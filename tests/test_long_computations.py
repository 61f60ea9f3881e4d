"""Loops of plain Python that go on and on are left to Python; those with tensors in them are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import framelift
from framelift import settings


@pytest.fixture(autouse=True)
def low_limit() -> Iterator[None]:
    framelift.reset()
    before = settings.change(long_computation=2_000)
    yield
    settings.change(long_computation=before.long_computation)


def count(x: torch.Tensor, rounds: int) -> Any:
    y = x + 1
    total = 0
    for i in range(rounds):
        total += i % 7
    return y * 2, total


def count_down(x: torch.Tensor, rounds: int) -> Any:
    y = x + 1
    seen = []
    while rounds:
        rounds -= 1
        seen.append(rounds)
    return y * 2, sum(seen)


def add_up(x: torch.Tensor, rounds: int) -> Any:
    for i in range(rounds):
        x = x + i
    return x


@pytest.mark.parametrize("function", [count, count_down])
def test_long_loop_is_left_to_python(function: Any) -> None:
    compiled = framelift.compile(function, backend="eager")
    x = torch.ones(2)
    for rounds in (5_000, 5_000, 10):
        result, total = compiled(x, rounds)
        assert (result.tolist(), total) == ([4.0, 4.0], function(x, rounds)[1])
    assert any("long computation in Python" in reason for reason in framelift.counters()["graph_break"])


def test_loop_with_tensors_is_captured() -> None:
    compiled = framelift.compile(add_up, backend="eager", fullgraph=False)
    assert torch.equal(compiled(torch.ones(2), 1_000), add_up(torch.ones(2), 1_000))
    assert not framelift.counters()["graph_break"]


def test_fullgraph_has_no_limit() -> None:
    compiled = framelift.compile(count, backend="eager", fullgraph=True)
    assert compiled(torch.ones(2), 3_000)[1] == count(torch.ones(2), 3_000)[1]


def test_no_limit_at_all() -> None:
    settings.change(long_computation=0)
    compiled = framelift.compile(count, backend="eager")
    assert compiled(torch.ones(2), 3_000)[1] == count(torch.ones(2), 3_000)[1]
    assert not framelift.counters()["graph_break"]
