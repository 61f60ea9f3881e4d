"""Numbers and sizes that only the data decides, kept in the graph on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

import framelift
from framelift import settings
from tests.dynamic.counting import compiles, same


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
