"""What users say about the dimensions of a tensor.

The marks are attributes of the tensor, under the names that programs written for torch.compile set too, so that marks
made either way are honoured.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from framelift.graph import history


class DimRange(NamedTuple):
    """The sizes a dimension may have; None: no bound."""

    dim: int
    min: int | None
    max: int | None


Dims = int | list[int] | tuple[int, ...]


def mark_dynamic(
    tensor: torch.Tensor,
    dim: Dims,
    *,
    min: int | None = None,  # noqa: A002 - the names that users know from torch
    max: int | None = None,  # noqa: A002
) -> None:
    """These dimensions vary from call to call, within bounds if given; a graph that needs one size is an error."""
    for index in _indices(tensor, dim):
        if min is not None and max is not None and min > max:
            raise ValueError(f"the smallest size of dimension {index} is {min}, larger than the largest, {max}")
        size = tensor.shape[index]
        if (min is not None and size < min) or (max is not None and size > max):
            raise ValueError(f"dimension {index} has the size {size}, outside of the range {min} to {max} given for it")
        _marks(tensor, history.DYNAMIC).add(index)
        _marks(tensor, history.RANGES).add(DimRange(index, min, max))


def maybe_mark_dynamic(tensor: torch.Tensor, dim: Dims) -> None:
    """These dimensions vary from call to call, if the graph allows it."""
    _marks(tensor, history.MAYBE_DYNAMIC).update(_indices(tensor, dim))


def mark_static(tensor: torch.Tensor, dim: Dims | None = None) -> None:
    """These dimensions, or all, are never to become symbolic: another size is another graph."""
    if dim is None:
        _check_is_tensor(tensor)
        dim = list(range(tensor.dim()))
    _marks(tensor, history.STATIC).update(_indices(tensor, dim))


def mark_unbacked(tensor: torch.Tensor, dim: Dims) -> None:
    """These dimensions vary, and the graph may assume nothing about their sizes, not even that they are not 0 or 1."""
    _marks(tensor, history.UNBACKED).update(_indices(tensor, dim))


def _marks(tensor: torch.Tensor, name: str) -> set[Any]:
    found: set[Any] = tensor.__dict__.setdefault(name, set())
    return found


def _indices(tensor: torch.Tensor, dim: Dims) -> list[int]:
    _check_is_tensor(tensor)
    indices = [dim] if isinstance(dim, int) else list(dim)
    for index in indices:
        if not isinstance(index, int):
            raise TypeError(f"a dimension is an int, got {index!r}")
        if not -tensor.dim() <= index < tensor.dim():
            raise IndexError(f"no dimension {index} in a tensor of {tensor.dim()} dimensions")
    return [index % tensor.dim() for index in indices]


def _check_is_tensor(tensor: object) -> None:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"expected a tensor, got {tensor!r}")
