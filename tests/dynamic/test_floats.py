"""Floats that vary, in operations that AOTAutograd would make constants of them in."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional

import framelift
from tests.dynamic.counting import same

RATES = (0.2, 0.3, 0.45, 0.6, 0.7)


def _assigned(x: torch.Tensor, rate: float) -> torch.Tensor:
    made = x.clone()
    made[0] = rate
    return made


def _in_place(x: torch.Tensor, rate: float) -> torch.Tensor:
    made = x.clone()
    made += rate
    made.mul_(rate).sub_(rate).clamp_(max=rate)
    return made


OPERATIONS: dict[str, Callable[[torch.Tensor, float], Any]] = {
    "clamp": lambda x, r: (x.clamp(max=r), x.clamp(min=r), x.clamp(-r, r), x.clip(0, r), x.clamp_min(r)),
    "arithmetic": lambda x, r: (x + r, x - r, r - x, x * r, x / r, r / x, x**r, r**x, x % r, x // r),
    "comparisons": lambda x, r: (x > r, x <= r, torch.eq(x, r), r < x),
    "scaled": lambda x, r: (torch.add(x, x, alpha=r), torch.sub(x, 1, alpha=r), torch.addcmul(x, x, x, value=r)),
    "divided": lambda x, r: (torch.addcdiv(x, x, x + 9, value=-r), torch.div(x, r, rounding_mode="floor")),
    "products": lambda x, r: torch.addmm(x[:, :4], x, x.t(), beta=r, alpha=r),
    "chosen": lambda x, r: (torch.where(x > r, x, r), torch.where(x > 0, r, 0.0), x.masked_fill(x > 0, r)),
    "filled": lambda x, r: (torch.full((3,), r), torch.full_like(x, r), x.new_full((2,), r), x.clone().fill_(r)),
    "made": lambda x, r: (torch.tensor(r), torch.tensor([r, 1.0], dtype=torch.float64), torch.linspace(0, r, 5)),
    "assigned": _assigned,
    "in_place": _in_place,
    "lerp": lambda x, r: x.lerp(x * 2, r),
    "activations": lambda x, r: (functional.leaky_relu(x, r), functional.elu(x, r), functional.softplus(x, r)),
    "more_activations": lambda x, r: (
        functional.celu(x, r),
        functional.threshold(x, r, 0.0),
        functional.hardtanh(x, -r, r),
    ),
    "normalized": lambda x, r: functional.normalize(x, eps=r),
    "lists": lambda x, r: (torch._foreach_mul([x, x], r), torch._foreach_add([x], [x], alpha=r)),
    "derived": lambda x, r: x.clamp(max=r * 0.5 + 1) * r**2,
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_two_compilations(name: str, dtype: torch.dtype) -> None:
    function, x = OPERATIONS[name], torch.randn(4, 6, dtype=dtype).abs() + 0.1
    framelift.reset()
    compiled = framelift.compile(function, backend="aot_eager", fullgraph=True)
    before = framelift.counters().get("graphs", {}).get("compiled", 0)
    for rate in RATES:
        same(compiled(x, rate), function(x, rate))
    assert framelift.counters()["graphs"]["compiled"] - before == 2


@pytest.mark.parametrize(
    "x", [torch.tensor(0.7), torch.arange(1, 7).view(2, 3), torch.randn(2, 2, dtype=torch.complex64)]
)
def test_other_tensors(x: torch.Tensor) -> None:
    """Of no dimensions, of ints, of complex numbers: the dtype is the one eager finds."""

    def worked(x: torch.Tensor, rate: float) -> Any:
        return x + rate, rate - x, x * rate, x / rate, torch.where(x == 2, x, rate)

    framelift.reset()
    compiled = framelift.compile(worked, backend="aot_eager", fullgraph=True)
    for rate in RATES:
        same(compiled(x, rate), worked(x, rate))


def test_gradients() -> None:
    def loss(x: torch.Tensor, rate: float) -> torch.Tensor:
        return (functional.elu(x, rate).clamp(max=rate) + functional.leaky_relu(x, rate) * rate).sum()

    compiled = framelift.compile(loss, backend="aot_eager", fullgraph=True)
    for rate in RATES:
        mine, theirs = (torch.linspace(-1000, 1000, 9, requires_grad=True) for _ in range(2))
        compiled(mine, rate).backward()
        loss(theirs, rate).backward()
        same(mine.grad, theirs.grad)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, r: functional.dropout(x, r, False),
        lambda x, r: functional.layer_norm(x, (6,), eps=r),
        lambda x, r: functional.huber_loss(x, x * 2, delta=r),
        lambda x, r: functional.pad(x, (1, 1), value=r),
        lambda x, r: torch.nan_to_num(x / 0, nan=r),
        lambda x, r: operator.truediv(x, r),
    ],
)
def test_numbers_that_say_nothing_of_shapes(function: Callable[[torch.Tensor, float], Any]) -> None:
    """A backend that runs the graph as it is gets the float as a float."""
    graphs: list[Any] = []

    def backend(module: Any, examples: Any) -> Any:
        graphs.append(module)
        return module.forward

    framelift.reset()
    compiled, x = framelift.compile(function, backend=backend, fullgraph=True), torch.randn(4, 6)
    for rate in RATES:
        same(compiled(x, rate), function(x, rate))
    assert len(graphs) == 2
