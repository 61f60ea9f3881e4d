"""One dimension that varies: two compilations at most, whatever the sizes and whatever is done with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch.nn import functional

from tests.dynamic.counting import compiles

PROGRAMS: dict[str, Callable[[torch.Tensor], Any]] = {}


def program(function: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor], Any]:
    PROGRAMS[function.__name__] = function
    return function


@program
def elementwise(x: torch.Tensor) -> Any:
    return torch.sin(x) * 2 + x.relu()


@program
def size_in_arithmetic(x: torch.Tensor) -> Any:
    return x * x.shape[0] + x.size(0) // 2 - x.shape[0] % 3


@program
def size_given_back(x: torch.Tensor) -> Any:
    return x + 1, x.shape, x.shape[0], x.size(), x.numel(), x.shape[0] * 2 + 1, x.shape[0] / 3


@program
def sizes_in_containers(x: torch.Tensor) -> Any:
    return x - 1, [x.shape[0], 1], {"n": x.size(0)}, (x.shape[0], (x.shape[1],))


@program
def flattened(x: torch.Tensor) -> Any:
    return x.flatten(), x.view(-1), x.reshape(x.shape[0] * x.shape[1])


@program
def viewed(x: torch.Tensor) -> Any:
    rows, columns = x.shape
    return x.view(rows, 1, columns) + x.view(1, rows, columns)


@program
def matrix_product(x: torch.Tensor) -> Any:
    return x @ x.t(), x.t() @ x


@program
def reductions(x: torch.Tensor) -> Any:
    return x.sum(0), x.mean(), x.amax(1), x.var(), torch.logsumexp(x, 0)


@program
def normalised(x: torch.Tensor) -> Any:
    return functional.layer_norm(x, (x.shape[1],)).softmax(0)


@program
def made_alike(x: torch.Tensor) -> Any:
    n = x.shape[0]
    return torch.zeros(n, n), torch.arange(n), x.new_ones(n, 2), torch.full((n,), 3.0), torch.eye(n)


@program
def concatenated(x: torch.Tensor) -> Any:
    return torch.cat([x, x * 2]), torch.stack([x, x]), torch.cat([x, x[:1]])


@program
def sliced(x: torch.Tensor) -> Any:
    n = x.shape[0]
    return x[1:], x[: n - 1], x[n // 2 :], x[..., :2], x[-1]


@program
def repeated(x: torch.Tensor) -> Any:
    return x.repeat(2, 1), x.expand(3, *x.shape), x.unsqueeze(0)


@program
def padded(x: torch.Tensor) -> Any:
    return functional.pad(x, (0, 1, 2, 0))


@program
def masked(x: torch.Tensor) -> Any:
    n = x.shape[0]
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    return (x @ x.t()).masked_fill(~mask, float("-inf")).softmax(-1) @ x


@program
def attention(x: torch.Tensor) -> Any:
    q = x[None, None]
    return functional.scaled_dot_product_attention(q, q, q)


@program
def scaled_by_size(x: torch.Tensor) -> Any:
    return x / math.sqrt(x.shape[0]), x * float(x.shape[0]), x + int(x.shape[0] / 2), x - round(x.shape[0] / 3)


@program
def bounded(x: torch.Tensor) -> Any:
    return x * max(x.shape[0], 1) + min(x.shape[0], 10**6)


@program
def asserted(x: torch.Tensor) -> Any:
    assert x.shape[0] > 0
    assert x.ndim == 2 and x.shape[1] == 5
    return x.cumsum(0)


@program
def written_to(x: torch.Tensor) -> Any:
    x.add_(1)
    x[0] = 0
    out = torch.empty_like(x)
    out.copy_(x)
    return out


@program
def through_a_call(x: torch.Tensor) -> Any:
    def halves(n: int) -> tuple[int, int]:
        return n // 2, n - n // 2

    a, b = halves(x.shape[0])
    return x[:a].sum() - x[b:].sum(), a + b


@program
def transformed(x: torch.Tensor) -> Any:
    return torch.fft.rfft(x), torch.einsum("ij,kj->ik", x, x), x.sort(0).values, x.topk(2, 1).values


@program
def tensors_of_sizes(x: torch.Tensor) -> Any:
    return torch.tensor(x.shape[0]), torch.tensor([x.shape[0], 3]), x + torch.tensor(float(x.shape[0]))


SIZES = st.lists(st.sampled_from([n for n in range(2, 60) if n != 5]), min_size=3, max_size=6)


@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(sizes=SIZES)
def test_one_dimension(name: str, sizes: list[int]) -> None:
    calls = [(torch.randn(size, 5),) for size in sizes]
    assert compiles(PROGRAMS[name], calls) <= min(2, len(set(sizes)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_dynamic_from_the_start(name: str) -> None:
    assert compiles(PROGRAMS[name], [(torch.randn(size, 5),) for size in (3, 7, 12)], dynamic=True) == 1


def test_never_dynamic() -> None:
    assert compiles(elementwise, [(torch.randn(size, 5),) for size in (3, 7, 12, 7, 3)], dynamic=False) == 3


def test_zero_and_one_have_their_own() -> None:
    sizes = (4, 6, 1, 8, 0, 9, 1, 0)
    assert compiles(elementwise, [(torch.randn(size, 5),) for size in sizes]) == 4


def test_two_dimensions_that_vary() -> None:
    sizes = ((3, 4), (6, 7), (8, 9), (9, 9), (4, 11))
    assert compiles(reductions, [(torch.randn(*pair),) for pair in sizes]) == 2


def test_equal_by_chance() -> None:
    """Two dimensions that are equal in the call that is compiled for need not be later."""

    def both(x: torch.Tensor, y: torch.Tensor) -> Any:
        return x.sum() + y.sum(), x.shape[0] - y.shape[0]

    sizes = ((3, 4), (6, 6), (8, 9), (9, 2))
    assert compiles(both, [(torch.randn(a), torch.randn(b)) for a, b in sizes]) == 2


def test_equal_by_need() -> None:
    def added(x: torch.Tensor, y: torch.Tensor) -> Any:
        return x + y

    assert compiles(added, [(torch.randn(n), torch.randn(n)) for n in (3, 6, 8, 9)]) == 2


def test_branch_on_a_size() -> None:
    def chosen(x: torch.Tensor) -> Any:
        return x.sum() if x.shape[0] > 10 else x * 2

    assert compiles(chosen, [(torch.randn(n),) for n in (3, 4, 20, 30, 5, 12, 10, 11)]) == 3


def test_divisible_or_not() -> None:
    def chosen(x: torch.Tensor) -> Any:
        return x.view(2, -1).sum(0) if x.shape[0] % 2 == 0 else x + 1

    assert compiles(chosen, [(torch.randn(n),) for n in (4, 6, 8, 9, 11, 12, 13)]) == 3


def test_strides_that_vary() -> None:
    """Rows of a wider tensor: the distance between rows is fixed, or is the width."""

    def doubled(x: torch.Tensor) -> Any:
        return x * 2

    calls = [(torch.randn(n, 8)[:, :5],) for n in (3, 4, 6)] + [(torch.randn(7, 5),), (torch.randn(9, 5),)]
    assert compiles(doubled, calls) == 3


def test_views_with_offsets() -> None:
    base = torch.randn(40, 4)

    def doubled(x: torch.Tensor) -> Any:
        return x * 2

    assert compiles(doubled, [(base[start : start + n],) for start, n in ((0, 3), (5, 7), (9, 2), (11, 20))]) == 2
