"""Sparse tensors, of which fake ones tell neither how many entries they have nor what these are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift

Program = Callable[[torch.Tensor, torch.Tensor], Any]

PROGRAMS: dict[str, Program] = {
    "values": lambda s, d: (s.coalesce().values().shape, s.coalesce().values() * 2),
    "entries": lambda s, d: (s._values().numel(), s._values() + 1, s._indices()),
    "number of entries": lambda s, d: (s._nnz(), d + 1),
    "to dense": lambda s, d: s.to_dense() + d,
    "product": lambda s, d: torch.sparse.mm(s, d.t()) + 1,
    "added to dense": lambda s, d: d + s,
    "added in place": lambda s, d: d.clone().add_(s),
    "scaled": lambda s, d: (s * 2).to_dense(),
    "made of dense": lambda s, d: (d.to_sparse()._nnz(), d * 2),
    "values of dense": lambda s, d: d.to_sparse().values().shape,
    "masked": lambda s, d: d.sparse_mask(s.coalesce())._values() + 1,
    "made of entries": lambda s, d: torch.sparse_coo_tensor(s._indices(), s._values() * 2, s.shape).to_dense(),
    "sum": lambda s, d: torch.sparse.sum(s),
    "coalesced": lambda s, d: (s.is_coalesced(), s.coalesce().is_coalesced(), s.coalesce()._nnz(), d + 1),
    "transposed": lambda s, d: s.t().to_dense(),
    "properties": lambda s, d: (s.shape, s.is_sparse, s.layout, s.sparse_dim(), s.dense_dim(), d + 1),
    "branch": lambda s, d: d + 1 if s._values().numel() == 0 else d - 1,
    "length": lambda s, d: len(s.coalesce().values()),
}


def coo(rows: list[int], columns: list[int], values: list[float]) -> torch.Tensor:
    return torch.sparse_coo_tensor(torch.tensor([rows, columns]), torch.tensor(values), (2, 3))


INPUTS = [
    coo([0, 1, 1], [2, 0, 2], [3.0, 4.0, 5.0]),
    coo([0, 1, 1], [2, 0, 0], [3.0, 4.0, 5.0]),
    coo([0, 1], [2, 0], [3.0, 4.0]).coalesce(),
    coo([0], [1], [7.0]),
    coo([], [], []).float(),
]


def plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to_dense().tolist()
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program(program: Program, backend: str) -> None:
    compiled = framelift.compile(program, backend=backend)
    dense = torch.arange(6.0).reshape(2, 3)
    for sparse in (*INPUTS, *INPUTS):
        expected = plain(program(sparse.clone(), dense))
        assert plain(compiled(sparse.clone(), dense)) == expected


def test_sparse_dimensions_are_guarded() -> None:
    def dimensions(s: torch.Tensor) -> Any:
        return s.sparse_dim(), s.dense_dim(), s.to_dense() + 1

    compiled = framelift.compile(dimensions, backend="eager")
    dense = torch.eye(3)
    for tensor in (dense.to_sparse(2), dense.to_sparse(1), dense.to_sparse(2)):
        assert plain(compiled(tensor)) == plain(dimensions(tensor))
