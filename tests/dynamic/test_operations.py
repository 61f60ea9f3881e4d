"""Operations that PyTorch does for one number or one size only, and NumPy's functions of sizes: two compilations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

import framelift
from tests.dynamic.counting import compiles, same

SIZES = (5, 7, 9, 12, 20)


def _drawn(x: torch.Tensor) -> Any:
    generator = torch.Generator().manual_seed(x.shape[0] + 1)
    filled = torch.empty(x.shape[0]).uniform_(0, 2, generator=generator)
    return torch.randn(x.shape[0], 3, generator=generator), torch.randperm(x.shape[0], generator=generator), filled


def _numbers(x: torch.Tensor) -> Any:
    size, root = np.int64(x.shape[0]), np.sqrt(x.shape[0])
    return x / root, root * 2, 1 / root, root > 2, float(root), root.item(), size, np.int64(3) * x.shape[0], int(size)


PROGRAMS: dict[str, Callable[[torch.Tensor], Any]] = {
    "one_hot": lambda x: functional.one_hot(torch.arange(x.shape[0]), x.shape[0]),
    "histc": lambda x: torch.histc(x, x.shape[0], -1.0, 1.0),
    "kron": lambda x: (torch.kron(x, torch.eye(2)), torch.kron(torch.eye(x.shape[0]), torch.ones(2))),
    "windows": lambda x: (torch.hann_window(x.shape[0]), torch.hamming_window(x.shape[0], False, 0.5, 0.4)),
    "more_windows": lambda x: (torch.blackman_window(x.shape[0]), torch.bartlett_window(x.shape[0], periodic=False)),
    "kaiser": lambda x: torch.kaiser_window(x.shape[0], False, 3.0),
    "triangles": lambda x: (
        torch.triu_indices(x.shape[0], x.shape[0], 1),
        torch.tril_indices(x.shape[0], x.shape[0], 2),
    ),
    "frequencies": lambda x: (torch.fft.fftfreq(x.shape[0], 0.5), torch.fft.rfftfreq(x.shape[0])),
    "logspace": lambda x: torch.logspace(0, 1, x.shape[0]),
    "vander": lambda x: (torch.vander(x[:, 0], 3), torch.vander(x[:, 0], 3, increasing=True)),
    "taken": lambda x: x.take_along_dim(x.argsort(0), 0),
    "affine_grid": lambda x: functional.affine_grid(torch.eye(2, 3)[None], (1, 1, x.shape[0], 4), align_corners=False),
    "tensor_split": lambda x: [part.sum() for part in torch.tensor_split(x, 3)],
    "drawn": _drawn,
    "numpy_numbers": _numbers,
    "numpy_products": lambda x: (x.view(int(np.prod(x.shape))), x.reshape(np.prod(x.shape)), np.sum((x.shape[0], 3))),
    "numpy_rounding": lambda x: (x * np.log(x.shape[0]), int(np.ceil(x.shape[0] / 2)), np.mean([x.shape[0], 3])),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_two_compilations(name: str) -> None:
    assert compiles(PROGRAMS[name], [(torch.randn(size, 4),) for size in SIZES]) <= 2


@pytest.mark.parametrize("name", PROGRAMS)
def test_with_aot(name: str) -> None:
    framelift.reset()
    compiled = framelift.compile(PROGRAMS[name], backend="aot_eager", fullgraph=True)
    before = framelift.counters().get("graphs", {}).get("compiled", 0)
    for size in SIZES:
        x = torch.randn(size, 4)
        same(compiled(x), PROGRAMS[name](x))
    assert framelift.counters()["graphs"]["compiled"] - before <= 2


@pytest.mark.parametrize("count", [2, 4, 7])
def test_classes_that_are_missing(count: int) -> None:
    """The same error, though the operation is made of others."""

    def coded(x: torch.Tensor, count: int) -> Any:
        return functional.one_hot(x, count)

    compiled = framelift.compile(coded, backend="eager")
    for size in (9, 10, 11):
        assert torch.equal(compiled(torch.arange(9), size), coded(torch.arange(9), size))
    with pytest.raises(RuntimeError, match="Class values must be smaller"):
        compiled(torch.arange(9), count)


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_triangles(size: int) -> None:
    def corners(x: torch.Tensor, offset: int) -> Any:
        return torch.triu_indices(x.shape[0], x.shape[0], offset), torch.tril_indices(x.shape[0], x.shape[0], offset)

    compiled = framelift.compile(corners, backend="eager", dynamic=True)
    for offset in range(-size - 1, size + 2):
        x = torch.randn(size)
        same(compiled(x, offset), corners(x, offset))


def test_seeds() -> None:
    def drawn(x: torch.Tensor, seed: int) -> Any:
        torch.manual_seed(seed * 2 + 1)
        return x + torch.rand(3)

    assert compiles(drawn, [(torch.randn(3), seed) for seed in SIZES]) == 2
