"""Ranges made of sizes: values like others, for all sizes, unless the program goes through the whole of one."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests.dynamic.counting import compiles

SIZES = (5, 7, 9, 12, 30)


def _first(x: torch.Tensor) -> Any:
    for index, item in enumerate(range(x.shape[0])):
        if index > 2:
            break
        x = x + item
    return x


KEPT: dict[str, Callable[[torch.Tensor], Any]] = {
    "given_back": lambda x: (x + 1, range(x.shape[0]), range(1, 2 * x.shape[0], 3), range(x.shape[0], 0, -1)),
    "length": lambda x: (x * len(range(x.shape[0])), len(range(0, x.shape[0], 2)), len(range(x.shape[0], -1, -2))),
    "items": lambda x: (x * range(2, x.shape[0])[1], range(x.shape[0])[-1], range(x.shape[0])[x.shape[0] // 2]),
    "slices": lambda x: (x + 1, range(x.shape[0])[2:], range(x.shape[0])[::-1], list(range(x.shape[0])[:2])),
    "attributes": lambda x: (x + range(x.shape[0]).stop, range(1, x.shape[0]).start, range(x.shape[0]).step),
    "search": lambda x: (x + (3 in range(x.shape[0])), range(x.shape[0]).index(2), range(x.shape[0]).count(99)),
    "compared": lambda x: (x + 1, range(x.shape[0]) == range(x.shape[0]), range(x.shape[0]) != range(3), range(3) == 3),
    "truth": lambda x: x + 1 if range(x.shape[0]) else x,
    "first_and_last": lambda x: (x * next(iter(range(x.shape[0]))), next(iter(reversed(range(x.shape[0]))))),
    "a_few": _first,
    "zipped": lambda x: (x + sum(a * b for a, b in zip([1, 2, 3], range(x.shape[0]), strict=False)), 1),
    "islice": lambda x: (x + 1, list(itertools.islice(range(x.shape[0]), 3))),
    "indices": lambda x: (x + 1, slice(1, None, 2).indices(x.shape[0]), slice(None, None, -1).indices(x.shape[0])),
    "kind": lambda x: (x + 1, isinstance(range(x.shape[0]), range), type(range(x.shape[0])).__name__),
    "half_used": lambda x: (x + 1, *itertools.islice(iter(range(x.shape[0])), 1, 3)),
    "in_a_known_one": lambda x: (x + 1, x.shape[0] in range(100), x.shape[0] in {1, 2, 3}),
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    assert compiles(KEPT[name], [(torch.randn(size, 4),) for size in SIZES]) <= 2


GONE_THROUGH: dict[str, Callable[[torch.Tensor], Any]] = {
    "loop": lambda x: sum(x[index] * index for index in range(x.shape[0])),
    "list": lambda x: (x + 1, list(range(x.shape[0])), tuple(range(x.shape[0])), {*range(x.shape[0])}),
    "functions": lambda x: (x + 1, sum(range(x.shape[0])), max(range(x.shape[0])), sorted(range(x.shape[0]))),
    "tensor": lambda x: (torch.tensor(range(x.shape[0])), x[range(x.shape[0])]),
    "key": lambda x: (x + 1, {range(x.shape[0]): 1}, hash(range(x.shape[0])), repr(range(x.shape[0]))),
}


@pytest.mark.parametrize("name", GONE_THROUGH)
def test_gone_through(name: str) -> None:
    """One graph each: a loop is unrolled."""
    assert compiles(GONE_THROUGH[name], [(torch.randn(size, 4),) for size in SIZES]) <= len(SIZES)


def test_blocks() -> None:
    """A loop in steps is the same for all sizes with as many steps."""

    def summed(x: torch.Tensor) -> Any:
        return torch.stack([x[start : start + 8].sum() for start in range(0, x.shape[0], 8)])

    assert compiles(summed, [(torch.randn(size, 4),) for size in (17, 18, 20, 23)]) == 2


def test_errors() -> None:
    def refused(x: torch.Tensor) -> Any:
        size, found = x.shape[0], []
        for attempt in (
            lambda: range(size, 2, 0),
            lambda: range(size)[100],
            lambda: range(size)["a"],
            lambda: range(size).index(77),
            lambda: range(size)[1.0],
            lambda: range(size)[::0],
        ):
            try:
                attempt()
            except (TypeError, ValueError, IndexError) as error:
                found.append((type(error).__name__, str(error)))
        return x + 1, found

    assert compiles(refused, [(torch.randn(size, 4),) for size in SIZES]) == 2
