"""Numbers and sizes that only the data decides, kept in the graph on request."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

import framelift
from framelift import settings
from tests.dynamic.counting import Counting, compiles, same


@pytest.fixture
def captured() -> Iterator[None]:
    before = settings.change(capture_scalars=True, capture_dynamic_outputs=True)
    yield
    settings.change(capture_scalars=before.capture_scalars, capture_dynamic_outputs=before.capture_dynamic_outputs)


def head(x: torch.Tensor, count: torch.Tensor) -> Any:
    n = count.item()
    torch._check(n >= 0)
    torch._check(n <= x.shape[0])
    return x[:n].sum() * 2, n + 1


USES: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "item": (head, [(torch.arange(8.0), torch.tensor(n)) for n in (3, 5, 0, 8)]),
    "nonzero": (lambda x: (x.nonzero() * 2, x.nonzero().shape[1]), [(torch.tensor([0, 1, n]),) for n in (0, 1, 2)]),
    "masked_select": (lambda x: x.masked_select(x > 0) + 1, [(torch.tensor([-1.0, 2.0, n]),) for n in (-1.0, 3.0)]),
    "by_mask": (lambda x: x[x > 0] * 2, [(torch.tensor([-1.0, 2.0, n]),) for n in (-1.0, 3.0)]),
    "unique": (lambda x: x.unique() + 1, [(torch.tensor([1, 2, n]),) for n in (1, 5)]),
    "tolist": (lambda x: x.sum() + sum(x.tolist()), [(torch.tensor([1, 2, n]),) for n in (1, 5)]),
    "float_of": (lambda x: x * float(x.sum()), [(torch.tensor([1.0, n]),) for n in (1.0, 5.0)]),
    "repeat_interleave": (
        lambda x, r: x.repeat_interleave(r) + 1,
        [(torch.tensor([1.0, 2.0]), torch.tensor([1, n])) for n in (1, 3)],
    ),
}


@pytest.mark.usefixtures("captured")
@pytest.mark.parametrize("name", USES)
def test_captured(name: str) -> None:
    use, calls = USES[name]
    assert compiles(use, calls) == 1


@pytest.mark.parametrize("name", USES)
def test_broken_at_otherwise(name: str) -> None:
    use, calls = USES[name]
    framelift.reset()
    compiled = framelift.compile(use, backend="eager")
    for args in calls:
        same(compiled(*args), use(*args))
    assert all(reason.startswith("value of a tensor needed") for reason in framelift.counters()["graph_break"])


@pytest.mark.usefixtures("captured")
def test_broken_promise() -> None:
    compiled = framelift.compile(head, backend="eager", fullgraph=True)
    compiled(torch.arange(8.0), torch.tensor(3))
    with pytest.raises(RuntimeError):
        compiled(torch.arange(8.0), torch.tensor(11))


@pytest.mark.usefixtures("captured")
def test_branch_breaks() -> None:
    def chosen(x: torch.Tensor) -> Any:
        return x + 1 if x.sum().item() > 2 else x - 1

    compiled = framelift.compile(chosen, backend="eager")
    for value in (0.0, 2.0, 1.0):
        x = torch.full((2,), value)
        same(compiled(x), chosen(x))


def test_checks_of_numbers_in_tensors() -> None:
    def masked(lengths: torch.Tensor, size: int) -> Any:
        assert lengths.max().item() <= size, f"{lengths} are too long"
        if lengths.min().item() < 0:
            raise ValueError(f"{lengths.min()} is negative")
        return torch.arange(size)[None] < lengths[:, None]

    backend = Counting()
    compiled = framelift.compile(masked, backend=backend, fullgraph=True)
    for lengths in ([1, 3], [4, 2], [5, 0]):
        same(compiled(torch.tensor(lengths), 5), masked(torch.tensor(lengths), 5))
    assert len(backend.graphs) == 1
    with pytest.raises(AssertionError, match="are too long"):
        compiled(torch.tensor([6, 1]), 5)
    with pytest.raises(ValueError, match="-2 is negative"):
        compiled(torch.tensor([-2, 1]), 5)


def test_extremes_of_sizes() -> None:
    def padded(x: torch.Tensor) -> Any:
        places = [torch.nonzero(row) for row in x]
        longest = max(place.shape[0] for place in places)
        return x.new_zeros(longest), x.new_ones(min([place.shape[0] for place in places])), max([2, x.shape[0]])

    compiled = framelift.compile(padded, backend="eager", fullgraph=True)
    for rows in ([[1.0, 0, 1], [1, 1, 1]], [[0.0, 0, 1], [0, 0, 0]], [[1.0, 1, 1], [1, 1, 0]]):
        same(compiled(torch.tensor(rows)), padded(torch.tensor(rows)))


def test_floats_in_inference_mode() -> None:
    backend = Counting()
    compiled = framelift.compile(lambda x, scale: x * scale, backend=backend)
    with torch.inference_mode():
        for scale in (0.5, 0.7, 0.9, 1.1):
            same(compiled(torch.ones(2), scale), torch.ones(2) * scale)
    assert len(backend.graphs) == 2


def flipped(x: torch.Tensor) -> torch.Tensor:
    if random.random() < 0.5:
        x = x.flip(-1)
    return x + 1


def repeated(x: torch.Tensor) -> torch.Tensor:
    for _ in range(random.randint(1, 3)):
        x = x + 1
    return x


def drawn(x: torch.Tensor) -> int:
    return random.randint(1, 3)


@pytest.mark.parametrize(("function", "graphs"), [(flipped, 2), (repeated, 3), (drawn, 0)])
def test_numbers_of_python_alone_are_no_graph(function: Any, graphs: int) -> None:
    framelift.reset()
    compiled = framelift.compile(function, backend="eager")
    for seed in range(8):
        random.seed(seed)
        mine, after = compiled(torch.arange(3.0)), random.getstate()
        random.seed(seed)
        same(mine, function(torch.arange(3.0)))
        assert random.getstate() == after
    assert sum(framelift.counters().get("graphs", {}).values()) == graphs
