"""Constraints of `torch.distributions` whose check goes one of two ways: the same answer, computed one way."""

from __future__ import annotations

from typing import Any

import torch
from torch.distributions import constraints

from framelift.models.registry import polyfill

_Square: Any = constraints._Square
_Symmetric: Any = constraints._Symmetric


@polyfill(constraints._Symmetric.check)
def is_symmetric(self: Any, value: Any) -> Any:
    if value.shape[-2] != value.shape[-1]:
        return _Square.check(self, value)
    return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


@polyfill(constraints._PositiveSemidefinite.check)
def is_positive_semidefinite(self: Any, value: Any) -> Any:
    if value.shape[-2] != value.shape[-1]:
        return _Square.check(self, value)
    symmetric = _Symmetric.check(self, value)
    return symmetric & (torch.linalg.eigvalsh(value).ge(0).all(-1) | ~symmetric.all())


@polyfill(constraints._PositiveDefinite.check)
def is_positive_definite(self: Any, value: Any) -> Any:
    if value.shape[-2] != value.shape[-1]:
        return _Square.check(self, value)
    symmetric = _Symmetric.check(self, value)
    # Where one of a batch is not symmetric the others are not looked at any further.
    return symmetric & (torch.linalg.cholesky_ex(value).info.eq(0) | ~symmetric.all())
