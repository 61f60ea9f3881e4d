"""What users say about dimensions, and limits on recompiling."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import torch
from torch import nn

import framelift
from framelift import settings
from framelift.errors import DynamicError
from tests.dynamic.counting import Counting, compiles


class Range(NamedTuple):
    dim: int
    min: int | None
    max: int | None


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def marked(size: int, **bounds: Any) -> torch.Tensor:
    x = torch.randn(size, 3)
    framelift.mark_dynamic(x, 0, **bounds)
    return x


def count(function: Any, calls: list[torch.Tensor]) -> int:
    backend = Counting()
    compiled = framelift.compile(function, backend=backend, fullgraph=True)
    for x in calls:
        torch.testing.assert_close(compiled(x), function(x))
    return len(backend.graphs)


def test_dynamic() -> None:
    assert count(doubled, [marked(n) for n in (3, 5, 8)]) == 1


def test_dynamic_within_bounds() -> None:
    assert count(doubled, [marked(3, min=2, max=9), torch.randn(8, 3), torch.randn(20, 3)]) == 2


def test_marked_by_the_names_of_torch() -> None:
    x = torch.randn(4, 3)
    x._dynamo_dynamic_indices = {0}  # type: ignore[attr-defined]
    x._dynamo_dynamic_range = {Range(0, None, None)}  # type: ignore[attr-defined]
    assert count(doubled, [x, torch.randn(7, 3)]) == 1


def test_dynamic_but_one_size() -> None:
    compiled = framelift.compile(lambda x: x + torch.ones(4, 3), backend="eager")
    with pytest.raises(DynamicError, match=r"dimension 0 of x was marked as dynamic, but .* the size 4 only"):
        compiled(marked(4))


def test_maybe_dynamic() -> None:
    def added(x: torch.Tensor) -> torch.Tensor:
        return x + torch.ones(4, 3)

    x = torch.randn(4, 3)
    framelift.maybe_mark_dynamic(x, 0)
    assert count(added, [x, torch.randn(4, 3)]) == 1


def test_static() -> None:
    calls = []
    for size in (3, 4, 5):
        x = torch.randn(size, 3)
        framelift.mark_static(x)
        calls.append(x)
    assert count(doubled, calls) == 3


def test_unbacked() -> None:
    x = torch.randn(4, 3)
    framelift.mark_unbacked(x, 0)
    assert count(doubled, [x, torch.randn(1, 3), torch.randn(0, 3), torch.randn(9, 3)]) == 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: framelift.mark_dynamic(x, 2), IndexError, "no dimension 2 in a tensor of 2"),
        (lambda x: framelift.mark_dynamic(x, 0, min=9), ValueError, "has the size 4"),
        (lambda x: framelift.mark_dynamic(x, 0, min=9, max=3), ValueError, "larger than the largest"),
        (lambda x: framelift.mark_static(3), TypeError, "expected a tensor"),
        (lambda x: framelift.mark_dynamic(x, "a"), TypeError, "a dimension is an int"),
    ],
)
def test_bad_marks(call: Any, error: type[Exception], words: str) -> None:
    x = torch.randn(4, 3)
    with pytest.raises(error, match=words):
        call(x)
    assert not vars(x)


def test_zero_and_one_like_others() -> None:
    before = settings.change(specialize_zero_one=False)
    try:
        assert compiles(lambda x: x.sum(0), [(torch.randn(n, 3),) for n in (4, 6, 1, 8, 9)]) == 2
    finally:
        settings.change(specialize_zero_one=before.specialize_zero_one)


def test_limit(recwarn: pytest.WarningsRecorder, caplog: pytest.LogCaptureFixture) -> None:
    def unrolled(x: torch.Tensor, n: int) -> torch.Tensor:
        for _ in range(n):
            x = x + 1
        return x

    backend = Counting()
    compiled = framelift.compile(unrolled, backend=backend)
    for n in (*range(2, 20), 3, 2):
        assert compiled(torch.zeros(1), n).item() == n
    assert len(backend.graphs) == settings.current().recompile_limit


def test_each_instance_has_its_own_budget() -> None:
    class Fixed(nn.Module):
        def __init__(self, size: int) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.randn(size))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.weight

    backend = Counting()
    for size in range(2, 22):
        layer = Fixed(size)
        torch.testing.assert_close(framelift.compile(layer, backend=backend)(torch.ones(size)), layer.weight * 1)
    assert len(backend.graphs) == 20


def test_instances_of_one_structure_compile_once() -> None:
    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(4, 4)
            self.norm = nn.LayerNorm(4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.norm(self.linear(x).relu())

    backend = Counting()
    x = torch.randn(2, 4)
    for _ in range(6):
        block = Block()
        torch.testing.assert_close(framelift.compile(block, backend=backend, fullgraph=True)(x), block(x))
    assert len(backend.graphs) == 1


def test_reset_of_one_function() -> None:
    backend = Counting()
    compiled: Any = framelift.compile(doubled, backend=backend)
    compiled(torch.ones(2, 3))
    compiled.reset()
    compiled(torch.ones(2, 3))
    assert len(backend.graphs) == 2
