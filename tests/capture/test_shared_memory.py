"""Tensors that are changed, and that are two in one call and one in the next."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import framelift

BACKENDS = pytest.mark.parametrize("backend", ["eager", "aot_eager"])


def two() -> list[torch.Tensor]:
    return [torch.zeros(2), torch.ones(2)]


def one() -> list[torch.Tensor]:
    tensor = torch.ones(2)
    return [tensor, tensor]


def view() -> list[torch.Tensor]:
    tensor = torch.ones(2)
    return [tensor, tensor[:]]


def change_both(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a.add_(1)
    b.mul_(2)
    return a + b


def change_first(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a[0] = 5
    return a * b


@BACKENDS
@pytest.mark.parametrize("function", [change_both, change_first])
@pytest.mark.parametrize("calls", [(two, one, view), (one, two, view), (view, two, one)])
def test_arguments(
    function: Callable[..., torch.Tensor], calls: tuple[Callable[[], list[torch.Tensor]], ...], backend: str
) -> None:
    compiled = framelift.compile(function, backend=backend)
    for make in (*calls, *calls):
        mine, theirs = make(), make()
        assert torch.equal(compiled(*mine), function(*theirs))
        assert all(map(torch.equal, mine, theirs))


@BACKENDS
def test_attribute_and_argument(backend: str) -> None:
    def function(holder: Any, x: torch.Tensor) -> torch.Tensor:
        holder.buffer.add_(1)
        result: torch.Tensor = x * 2 + holder.buffer
        return result

    compiled = framelift.compile(function, backend=backend)
    results = []
    for call in (compiled, function):
        holder = SimpleNamespace(buffer=torch.zeros(2))
        results.append([call(holder, torch.ones(2)), call(holder, holder.buffer), call(holder, torch.ones(2))])
    assert all(map(torch.equal, *results))


@BACKENDS
def test_leaf_made_in_the_call(backend: str) -> None:
    def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        delta = torch.zeros_like(x, requires_grad=True)
        return delta, ((x + delta) ** 2).sum()

    delta, loss = framelift.compile(function, backend=backend)(torch.ones(3))
    loss.backward()  # type: ignore[no-untyped-call]
    assert delta.is_leaf
    assert delta.grad is not None
    assert delta.grad.tolist() == [2.0, 2.0, 2.0]


def test_id_as_a_key_of_a_dict_that_existed() -> None:
    class Thing:
        pass

    thing, other = Thing(), Thing()

    def make() -> Callable[[torch.Tensor], torch.Tensor]:
        known: dict[Any, torch.Tensor] = {}

        def function(x: torch.Tensor) -> torch.Tensor:
            if id(thing) not in known:
                known[id(thing)] = x.sum()
            known[id(other), "b"] = x.max()
            return x + known[id(thing)] + len(known)

        return function

    compiled, plain = framelift.compile(make(), backend="eager"), make()
    for number in (1.0, 2.0, 3.0):
        assert torch.equal(compiled(torch.full((2,), number)), plain(torch.full((2,), number)))
