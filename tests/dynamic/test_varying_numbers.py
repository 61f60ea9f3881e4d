"""Floats that vary, in operations that take them as they are, behind AOTAutograd: one graph for all of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional

import framelift
from tests.dynamic.counting import same

RATES = (0.2, 0.3, 0.45, 0.6, 0.7)
BACKENDS = ["aot_eager", pytest.param("inductor", marks=pytest.mark.slow)]


def _drawn_in_place(x: torch.Tensor, rate: float) -> Any:
    mask, times = torch.empty_like(x), x.detach().clone()
    mask.bernoulli_(rate)
    times[:, 1:4].exponential_(rate)
    return x * mask, times


def _dropped_in_place(x: torch.Tensor, rate: float) -> Any:
    made = x * 2
    functional.dropout(made, rate, True, True)
    return made


def _dropped_under_autocast(x: torch.Tensor, rate: float) -> Any:
    with torch.autocast("cpu", torch.bfloat16):
        return functional.dropout(x @ x.t(), rate, True), functional.dropout(x, rate, True)


OPERATIONS: dict[str, Callable[[torch.Tensor, float], Any]] = {
    "dropout": lambda x, r: functional.dropout(x, r, True),
    "dropout_twice": lambda x, r: functional.dropout(x, r, True) - functional.dropout(x, r, True),
    "dropout_under_autocast": _dropped_under_autocast,
    "dropout_of_channels": lambda x, r: functional.dropout1d(x, p=r),
    "alpha_dropout": lambda x, r: functional.alpha_dropout(x, r, True),
    "dropout_when_evaluating": lambda x, r: functional.dropout(x * 2, r, False),
    "drawn_in_place": _drawn_in_place,
    "layer_norm": lambda x, r: functional.layer_norm(x, (6,), torch.arange(6.0), eps=r),
    "group_norm": lambda x, r: functional.group_norm(x, 2, eps=r),
    "losses": lambda x, r: (functional.huber_loss(x, x * 2, delta=r), functional.smooth_l1_loss(x, x * 2, beta=r)),
    "label_smoothing": lambda x, r: functional.cross_entropy(x, torch.arange(4), label_smoothing=r),
    "margins": lambda x, r: functional.triplet_margin_loss(x, x + 1, x.flip(0), margin=r),
    "similarity": lambda x, r: functional.cosine_similarity(x, x.flip(0), eps=r),
    "attention": lambda x, r: functional.scaled_dot_product_attention(x[None], x[None], x[None], scale=r),
    "quantile": lambda x, r: torch.quantile(x, r),
    "norms": lambda x, r: (x.norm(p=1 + r), torch.linalg.vector_norm(x, 1 + r), torch.cdist(x, x + 1, p=1 + r)),
    "derived": lambda x, r: functional.dropout(x, r * 0.5 + 0.1, True),
}


def _outcomes(function: Any, x: torch.Tensor, rate: float) -> Any:
    """Results, gradients, and what the next random number is."""
    torch.manual_seed(7)
    leaf = x.clone().requires_grad_()
    made = function(leaf, rate)
    results = made if isinstance(made, tuple) else (made,)
    sum(result.sum() for result in results).backward()
    return *(result.detach() for result in results), leaf.grad, torch.rand(1)


@pytest.mark.parametrize("name", OPERATIONS)
def test_two_compilations(name: str) -> None:
    function = OPERATIONS[name]
    framelift.reset()
    compiled = framelift.compile(function, backend="aot_eager", fullgraph=True)
    before = framelift.counters().get("graphs", {}).get("compiled", 0)
    for number, rate in enumerate(RATES):
        x = torch.randn(4, 6, generator=torch.Generator().manual_seed(number))
        same(_outcomes(compiled, x, rate), _outcomes(function, x, rate))
    assert framelift.counters()["graphs"]["compiled"] - before == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_annealed_training(backend: str) -> None:
    """The dropout of a model and the momentum of its statistics change with every step."""

    def steps(compile_: Callable[[Any], Any]) -> tuple[torch.nn.Module, list[torch.Tensor]]:
        torch.manual_seed(3)
        model = torch.nn.Sequential(
            torch.nn.Linear(6, 8), torch.nn.BatchNorm1d(8), torch.nn.Dropout(0.0), torch.nn.Linear(8, 3)
        )
        stepped = compile_(model)
        losses = []
        for step, rate in enumerate(RATES):
            model[1].momentum = rate
            model[2].p = 0.0 if backend == "inductor" else rate / 2  # whose draws are its own
            torch.manual_seed(step)
            loss = functional.cross_entropy(stepped(torch.randn(4, 6)), torch.tensor([0, 1, 2, 0]))
            loss.backward()
            losses.append(loss.detach())
        return model, losses

    framelift.reset()
    before = framelift.counters().get("graphs", {}).get("compiled", 0)
    mine, losses = steps(lambda model: framelift.compile(model, backend=backend, fullgraph=True))
    assert framelift.counters()["graphs"]["compiled"] - before == 2
    theirs, expected = steps(lambda model: model)
    same(losses, expected)
    same(dict(mine.named_buffers()), dict(theirs.named_buffers()))
    same([part.grad for part in mine.parameters()], [part.grad for part in theirs.parameters()])


def test_dropout_in_place_and_under_autocast() -> None:
    """What an operator could not do: the number is a constant of each graph, and the results are eager's."""

    def cast(x: torch.Tensor, rate: float) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return functional.scaled_dot_product_attention(x[None], x[None], x[None], scale=rate)

    for function in (_dropped_in_place, cast):
        framelift.reset()
        compiled = framelift.compile(function, backend="aot_eager", fullgraph=True)
        for rate in RATES:
            x = torch.linspace(-1, 1, 24).view(4, 6)
            same(_outcomes(compiled, copy.copy(x), rate), _outcomes(function, x, rate))
