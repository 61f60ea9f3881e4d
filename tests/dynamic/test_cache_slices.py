"""Slices with tensors as bounds, as caches of keys and values are read and written."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

import framelift
from tests.dynamic.counting import same


def step(cache: torch.Tensor, position: torch.Tensor, new: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    cache[:, position : position + 1] = new
    keys = cache[:, : position + 1]
    return (query @ keys.transpose(1, 2)).softmax(-1) @ keys


@pytest.mark.parametrize("backend", ["eager", "aot_eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_hundred_steps_one_graph(backend: str) -> None:
    framelift.reset()
    compiled = framelift.compile(step, backend=backend, fullgraph=True)
    mine, theirs = torch.zeros(2, 128, 4), torch.zeros(2, 128, 4)
    for index in range(100):
        args = torch.tensor(index), torch.randn(2, 1, 4), torch.randn(2, 1, 4)
        same(compiled(mine, *args), step(theirs, *args))
        same(mine, theirs)
    assert framelift.counters()["graphs"] == {"compiled": 1}
    assert not framelift.counters().get("graph_break")


READS: list[Any] = [
    lambda c, a, b: c[:, a:b],
    lambda c, a, b: c[..., a:b, :],
    lambda c, a, b: c[0, a:b],
    lambda c, a, b: c[:, None, a:b, 1],
    lambda c, a, b: c[:, a:],
    lambda c, a, b: c[:, :b],
    lambda c, a, b: c[:, a : a + 3] + 1,
    lambda c, a, b: c[:, a:b].add_(1),
    lambda c, a, b: c[:, a:-1],
    lambda c, a, b: c[:, 1:b],
    lambda c, a, b: c[:, -b:],
    lambda c, a, b: c[:, a:-b],
    lambda c, a, b: c[:, a::2],
    lambda c, a, b: c[:, a:100],
    lambda c, a, b: c[:, a],
    lambda c, a, b: c[..., a, None, :],
    lambda c, a, b: c[0, b - 1, 1:],
    lambda c, a, b: c[:, a].mul_(2),
]


@pytest.mark.parametrize("index", range(len(READS)))
def test_reads(index: int) -> None:
    read = READS[index]
    compiled = framelift.compile(read, backend="aot_eager", fullgraph=True)
    framelift.reset()
    for start, stop in ((0, 4), (2, 5), (3, 7), (5, 6)):
        mine = torch.arange(96.0).reshape(2, 12, 4)
        theirs = mine.clone()
        bounds = torch.tensor(start), torch.tensor(stop)
        same(compiled(mine, *bounds), read(theirs, *bounds))
        same(mine, theirs)
    assert framelift.counters()["graphs"] == {"compiled": 1}


@pytest.mark.parametrize("value", [torch.ones(2, 3, 4), torch.ones(4), torch.tensor(5.0), 7.0])
def test_writes(value: Any) -> None:
    def write(cache: torch.Tensor, start: torch.Tensor, new: Any) -> torch.Tensor:
        cache[:, start : start + 3] = new
        return cache.sum()

    compiled = framelift.compile(write, backend="aot_eager", fullgraph=True)
    framelift.reset()
    for start in (0, 2, 5, 9):
        mine, theirs = torch.zeros(2, 12, 4), torch.zeros(2, 12, 4)
        same(compiled(mine, torch.tensor(start), value), write(theirs, torch.tensor(start), value))
        same(mine, theirs)
    assert framelift.counters()["graphs"] == {"compiled": 1}


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_training_through_writes(backend: str) -> None:
    def write(cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor) -> Any:
        cache = cache * 1
        cache[:, place] = new[:, 0]
        cache[:, place + 1 : place + 3] += new[:, :2]
        cache[:, -place:, 0] = 0
        return (cache * cache).sum(), cache

    framelift.reset()
    compiled = framelift.compile(write, backend=backend, fullgraph=True)
    for place in (1, 3, 4, 7):
        found = []
        for function in (compiled, write):
            torch.manual_seed(place)
            cache, new = torch.randn(2, 12, 4, requires_grad=True), torch.randn(2, 3, 4, requires_grad=True)
            loss, written = function(cache, torch.tensor(place), new)
            loss.backward()
            found.append([written.detach(), cache.grad, new.grad])
        same(*found)
    assert framelift.counters()["graphs"] == {"compiled": 1}


def test_outside_of_the_tensor() -> None:
    """Slicing then gives less than was asked for. The graph cannot, and Python does it."""

    def read(cache: torch.Tensor, start: torch.Tensor) -> torch.Tensor:
        return cache[:, start : start + 3] * 2

    compiled = framelift.compile(read, backend="eager", fullgraph=True)
    cache = torch.arange(96.0).reshape(2, 12, 4)
    for start in (2, 11, -1, -5, 40, 9):
        same(compiled(cache, torch.tensor(start)), read(cache, torch.tensor(start)))


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("index", range(len(READS)))
def test_reads_at_any_place(index: int, backend: str) -> None:
    """Bounds before the start, after the end and crossed, in tensors of several sizes: results and errors of eager."""
    read = READS[index]
    compiled = framelift.compile(read, backend=backend)
    framelift.reset()
    for size in (6, 9, 12, 5):
        for start, stop in ((1, 4), (-1, 3), (0, -2), (4, 2), (size, size), (40, 50), (-3, -1), (-40, 2), (2, 40)):
            mine = torch.arange(8.0 * size).reshape(2, size, 4)
            theirs = mine.clone()
            bounds = torch.tensor(start), torch.tensor(stop)
            same(outcome(compiled, mine, *bounds), outcome(read, theirs, *bounds))
            same(mine, theirs)


def outcome(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def rolled(x: torch.Tensor) -> torch.Tensor:
    start = random.randint(0, 5)
    x = x.clone()
    x[:, start : start + 2] = 0
    x[0, start:] += 1
    return x


def test_writes_at_places_drawn_by_python() -> None:
    compiled = framelift.compile(rolled, backend="eager", fullgraph=True)
    framelift.reset()
    for seed in range(8):
        random.seed(seed)
        mine = compiled(torch.ones(2, 6))
        after = random.getstate()
        random.seed(seed)
        same(mine, rolled(torch.ones(2, 6)))
        assert random.getstate() == after
    assert framelift.counters()["graphs"] == {"compiled": 1}
