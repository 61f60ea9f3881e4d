"""Numbers that vary have to be what Python makes of them, in every call that an entry is used for."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import nn

import framelift
from framelift import settings
from tests.dynamic.counting import Counting, compiles, same

X = torch.arange(12.0).reshape(3, 4)
RATES = (0.5, 0.25, 0.3, 0.7, 1e-3, 0.1 + 0.2)


def test_floats_in_the_order_of_the_program() -> None:
    def orders(x: torch.Tensor, rate: float) -> Any:
        return x * rate, rate * 0.1 * 3, rate * (0.1 * 3), (rate + 0.1) + 0.2, rate + (0.1 + 0.2), rate / 3 * 7 - rate

    assert compiles(orders, [(X, rate) for rate in RATES]) == 2


def test_floored_floats() -> None:
    """`1.0 // 0.1` is 9.0, though 1.0 / 0.1 is 10.0."""

    def floored(x: torch.Tensor, rate: float) -> Any:
        return x * (rate // 0.1), rate % 0.1, divmod(rate, 0.1), x + 1 if rate // 0.1 > 8.5 else x - 1

    assert compiles(floored, [(X, rate) for rate in (0.5, 0.25, 1.0, 0.9, 0.3, 0.7)]) <= 6


def test_negative_divisors() -> None:
    def divided(x: torch.Tensor, a: int) -> Any:
        return x + a // 4 // -3, a // -3, a // -3 // 2, a % -4, (a // 5) % -3, -a // -2, divmod(a // 2, -5)

    assert compiles(divided, [(X, a) for a in (5, 2, -7, 30, 13, -2, 8, 4)]) == 2


def test_divisors_that_vary() -> None:
    def divided(x: torch.Tensor, a: int, b: int) -> Any:
        return x + a // b, a % b, a // 4 // b, a / b

    pairs = ((5, 3), (2, 7), (-7, 4), (30, 2), (8, -3), (-9, -5), (2, -2), (11, 6))
    assert compiles(divided, [(X, a, b) for a, b in pairs]) == 3


@pytest.mark.parametrize("use", [math.log, math.sqrt, math.acos, math.exp, lambda v: v**0.5, lambda v: (v - 3) ** -1])
def test_functions_that_fail_for_some(use: Any) -> None:
    log: list[float] = []

    def tried(x: torch.Tensor, value: float) -> Any:
        log.append(value)
        try:
            found = use(value)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            return x - 1, type(error).__name__
        return x + 1, found

    compiled = framelift.compile(tried, backend="eager")
    values = (0.5, 0.25, 0.75, -2.0, 3.0, 0.0, 1000.0, 0.125)
    for value in values:
        same(compiled(X, value), tried(X, value))
    assert log == [value for value in values for _ in range(2)]


def test_unused_but_failing() -> None:
    """The result is not needed; that it fails is."""

    def tried(x: torch.Tensor, value: float) -> Any:
        try:
            math.log(value)
        except ValueError:
            return x - 1
        return x + 1

    assert compiles(tried, [(X, value) for value in (0.5, 0.25, 0.75, -2.0, 0.125, -1.0)]) <= 3


def test_infinities_and_nan() -> None:
    def told(x: torch.Tensor, value: float) -> Any:
        return (
            x * value,
            value == value,
            value - value == 0.0,
            math.isnan(value),
            math.isfinite(value),
            value < math.inf,
        )

    values = (0.5, 0.25, math.nan, math.inf, -math.inf, 0.75)
    assert compiles(told, [(X, value) for value in values]) <= 5


def test_schedule() -> None:
    """What optimizers and schedules compute anew in every step."""

    def stepped(weight: torch.Tensor, grad: torch.Tensor, rate: float, step: int) -> Any:
        corrected = rate * math.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        decayed = 0.5 * rate * (1 + math.cos(math.pi * step / 100))
        warm = rate * min(1.0, step / 10)
        return weight - corrected * grad, weight * (1 - decayed), weight * warm, math.exp(-rate), math.pow(rate, 0.5)

    calls = [(torch.ones(3), torch.randn(3), 0.1 * 0.9**step, step) for step in range(2, 22)]
    assert compiles(stepped, calls) <= 3


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_schedule_on_backends(backend: str) -> None:
    def stepped(weight: torch.Tensor, grad: torch.Tensor, rate: float, step: int) -> Any:
        return weight - rate * math.sqrt(1 - 0.999**step) * grad, weight * math.cos(rate), rate * 0.1 * 3

    framelift.reset()
    compiled = framelift.compile(stepped, backend=backend)
    before = framelift.counters().get("graphs", {}).get("compiled", 0)
    for step in range(2, 9):
        args = (torch.ones(3), torch.randn(3), 0.1 * 0.9**step, step)
        same(compiled(*args), stepped(*args))
    assert framelift.counters()["graphs"]["compiled"] - before == 2


def test_attributes_of_modules() -> None:
    class Decayed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.rate = 0.5
            self.seen = 1

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.rate *= 0.9
            self.seen += 1
            return x * math.exp(-self.rate) + self.rate**self.seen

    backend = Counting()
    mine, theirs = Decayed(), Decayed()
    compiled = framelift.compile(mine, backend=backend, fullgraph=True)
    for _ in range(10):
        same(compiled(X), theirs(X))
    assert (mine.rate, mine.seen) == (theirs.rate, theirs.seen)
    assert len(backend.graphs) == 2


@pytest.mark.parametrize("dynamic", [None, True])
def test_empty_where_zero_is_a_size_like_others(dynamic: bool | None) -> None:
    def guarded(x: torch.Tensor) -> Any:
        n, m = x.shape
        return x.mean() if n * m else x.sum(), n * m, x + 1, bool(n), n / (n + 1)

    before = settings.change(specialize_zero_one=False)
    try:
        calls = [(torch.randn(*sizes),) for sizes in ((3, 4), (5, 6), (0, 3), (7, 0), (1, 2), (0, 0), (1, 1), (8, 9))]
        compiles(guarded, calls, dynamic=dynamic)
        compiles(guarded, calls[::-1], dynamic=dynamic)
    finally:
        settings.change(specialize_zero_one=before.specialize_zero_one)


def test_writing_at_a_symbolic_index() -> None:
    def written(x: torch.Tensor) -> Any:
        n = x.shape[0]
        x[n - 1] = 0
        x[n // 2, 1:] += 1
        x[:, n - n] *= 2
        return x[n - 1, [0, n - n]]

    assert compiles(written, [(torch.randn(size, 4),) for size in (6, 3, 9, 12)]) == 2


def test_equal_to_a_fixed_size_by_chance() -> None:
    """The second size is that of the other dimension; the third costs nothing."""
    layer = nn.Sequential(nn.Linear(5, 5), nn.LayerNorm(5), nn.ReLU(), nn.Linear(5, 5)).requires_grad_(False)

    def run(x: torch.Tensor) -> Any:
        return layer(x) + x, x @ x.t(), torch.cat([x, x * 2]), x.softmax(0)

    assert compiles(run, [(torch.randn(size, 5),) for size in (3, 5, 7, 9, 5, 3)]) == 2
