"""Ints and floats that vary, wherever they come from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import framelift
from tests.dynamic.counting import Counting, compiles, same

X = torch.arange(12.0).reshape(3, 4)
NUMBERS = (2, 3, 7, 12, 30, 5)

USES: dict[str, Callable[[torch.Tensor, Any], Any]] = {
    "added": lambda x, n: x + n,
    "scaled": lambda x, n: x * n - n / 2,
    "divided": lambda x, n: (x / n, x + n // 2, x + n % 3),
    "powers": lambda x, n: (x + n**2, x * n**0.5),
    "negative": lambda x, n: x + -n,
    "absolute": lambda x, n: x + abs(-n),
    "roots": lambda x, n: x * math.sqrt(n),
    "rounded": lambda x, n: x + round(n / 3) + math.floor(n / 4) + math.ceil(n / 5) + int(n / 7),
    "as_float": lambda x, n: x + float(n),
    "division_with_rest": lambda x, n: [x + part for part in divmod(n, 4)],
    "extremes": lambda x, n: x + max(n, 4) + min(n, 9),
    "given_back": lambda x, n: (x + 1, n, n + 1, [n], {"n": n * 2}),
    "sized": lambda x, n: (torch.zeros(n), torch.arange(n), x.repeat(n, 1)),
    "none_or_number": lambda x, n: x if n is None else x + n,
    "kinds": lambda x, n: x + (n if isinstance(n, int) and not isinstance(n, bool) else 0),
    "in_a_closure": lambda x, n: next(iter([lambda: x + n]))(),
    "kept_in_a_list": lambda x, n: [x * item for item in [n, n + 1]],
    "sums": lambda x, n: x + sum([n, n, 1]),
    "as_tensor": lambda x, n: (torch.tensor(n), torch.tensor([n, n])),
    "defaults": lambda x, n: next(iter([lambda k=n: x + k]))(),
}


@pytest.mark.parametrize("name", USES)
def test_int(name: str) -> None:
    assert compiles(USES[name], [(X, n) for n in NUMBERS]) == 2


FLOATS = ("added", "scaled", "negative", "absolute", "given_back", "none_or_number", "in_a_closure", "kept_in_a_list")


@pytest.mark.parametrize("name", FLOATS)
def test_float(name: str) -> None:
    assert compiles(USES[name], [(X, n * 0.37) for n in NUMBERS]) == 2


def test_floats_that_are_not_numbers() -> None:
    values = (0.5, 0.25, math.inf, -math.inf, math.nan, 0.75, -0.0, 0.0)
    assert compiles(USES["added"], [(X, value) for value in values]) <= 6


FUNCTIONS = ("sqrt", "log2", "cos", "sin", "tan", "cosh", "sinh", "acos", "asin", "atan", "tanh", "radians", "degrees")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_floats(name: str) -> None:
    function = getattr(math, name)
    values = (0.5, 0.25, 0.375, 0.875, 0.0625)
    assert compiles(lambda x, n: (x * function(n), function(n)), [(X, value) for value in values]) == 2


def test_functions_of_ints() -> None:
    assert compiles(lambda x, n: (x * math.cos(math.pi * n / 10), math.atan(n)), [(X, n) for n in NUMBERS]) == 2


@pytest.mark.parametrize("name", ("sqrt", "log2", "cos", "sinh", "acos"))
def test_outside_of_a_function(name: str) -> None:
    function, log = getattr(math, name), []

    def program(x: torch.Tensor, n: float) -> Any:
        log.append(n)
        try:
            return x + 1, function(n)
        except (ValueError, OverflowError) as error:
            return x - 1, str(error)

    backend = Counting()
    compiled = framelift.compile(program, backend=backend)
    values = (0.5, 0.25, 0.75, -2.0, 2.0, math.inf, -math.inf, 1000.0, 0.125)
    for value in values:
        same(compiled(X, value), program(X, value))
    assert log == [value for value in values for _ in range(2)]


def test_learning_rate() -> None:
    def step(weight: torch.Tensor, grad: torch.Tensor, rate: float) -> Any:
        return weight.add_(grad, alpha=-rate)

    rates = [0.1 * 0.9**n for n in range(20)]
    assert compiles(step, [(torch.ones(3), torch.randn(3), rate) for rate in rates]) == 2


@pytest.mark.parametrize(
    "use",
    [
        lambda x, n: (x + 1, -1 in (n, 40), 40 not in [n, n + 1], n is 40),  # noqa: F632
        lambda x, n: (x + n, (n, 3).count(40), [8, n].index(n) if n != 8 else 0),
    ],
)
def test_looking_for_a_number_among_others(use: Callable[..., Any]) -> None:
    assert compiles(use, [(X, n) for n in (5, 6, 9, 11, 30)]) == 2


def test_zero_and_one() -> None:
    assert compiles(USES["scaled"], [(X, n) for n in (5, 6, 0, 1, 7, 0, 1)]) == 2


def test_large_ints() -> None:
    assert compiles(USES["given_back"], [(X, n) for n in (2**40, 2**41, 2**70, 2**71)]) == 4


@pytest.mark.parametrize(
    "use",
    [
        lambda x, n: x + len(range(n)),
        lambda x, n: [x for _ in range(n)],
        lambda x, n: (x, f"{n} items"),
        lambda x, n: x + {2: 5, 3: 6}.get(n, 7),
        lambda x, n: x + (n in (3, 4)),
        lambda x, n: (x + 1, [0] * n, "-" * n),
        lambda x, n: (x + 1, hash(n), n.bit_length(), str(n)),
        lambda x, n: x.sum(n % 2),
        lambda x, n: (x + 1, "%d %s" % (n, n)),
        lambda x, n: x + ([1.0] * 40)[n],
        lambda x, n: x + math.log(n),
    ],
)
def test_where_python_needs_the_number(use: Callable[..., Any]) -> None:
    """Right each time; compiled for the number where that is needed."""
    assert compiles(use, [(X, n) for n in (2, 3, 4, 5)]) <= 4


def test_attribute_of_a_module() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.steps = 2

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.steps += 1
            return x * self.steps

    backend = Counting()
    mine, theirs = Scaled(), Scaled()
    compiled = framelift.compile(mine, backend=backend, fullgraph=True)
    for _ in range(10):
        same(compiled(X), theirs(X))
    assert mine.steps == theirs.steps
    assert len(backend.graphs) == 2


def test_shape_as_an_argument() -> None:
    def filled(shape: Any) -> Any:
        return torch.zeros(shape) + 1, shape[0] * 2, shape + (1,), shape[1:], shape.numel()  # noqa: RUF005

    assert compiles(filled, [(torch.Size([n, 3]),) for n in (2, 4, 6, 7)]) == 2


def test_numbers_across_a_break() -> None:
    def broken(x: torch.Tensor) -> Any:
        n = x.shape[0]
        y = x * n
        framelift.graph_break()
        return y + n * 2, n

    backend = Counting()
    compiled = framelift.compile(broken, backend=backend)
    for size in (3, 4, 6, 9, 12):
        x = torch.randn(size)
        same(compiled(x), broken(x))
    assert len(backend.graphs) == 4


class Stepping(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def forward(self, x: torch.Tensor) -> Any:
        self.steps += 1
        return x * self.steps, self.steps


def test_counters_that_start_at_zero() -> None:
    """0 and 1 are only then numbers of their own when nothing says that they change."""
    assert compiles(lambda x, n: (x + n, n - 1), [(torch.ones(2), number) for number in range(6)]) == 2
    framelift.reset()
    backend = Counting()
    module, plain = Stepping(), Stepping()
    compiled = framelift.compile(module, backend=backend, fullgraph=True)
    for _ in range(6):
        same(compiled(torch.ones(2)), plain(torch.ones(2)))
    assert len(backend.graphs) == 2


class Tallied:
    made = 0
    share = 0.5

    def __init__(self) -> None:
        Tallied.made += 1
        type(self).share /= 2
        self.number = self.made


class Inheriting(Tallied):
    pass


def tally(x: torch.Tensor) -> Any:
    return x + 1, Tallied().number, Inheriting().number * 2, Tallied.share, Inheriting.share, Inheriting.made


def test_counters_of_classes() -> None:
    Tallied.made, Tallied.share, Inheriting.share = 0, 0.5, 0.25
    expected = [tally(torch.ones(2)) for _ in range(6)]
    Tallied.made, Tallied.share, Inheriting.share = 0, 0.5, 0.25
    framelift.reset()
    backend = Counting()
    compiled = framelift.compile(tally, backend=backend, fullgraph=True)
    for each in expected:
        same(compiled(torch.ones(2)), each)
    assert len(backend.graphs) == 2
