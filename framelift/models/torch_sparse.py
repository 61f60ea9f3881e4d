"""Sparse tensors. How many entries one has is data, and fake tensors have none: what tells of them is for Python."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.tensor import TensorValue

# Which dimension of the result is as long as there are entries.
_ENTRIES = {
    "values": 0, "_values": 0, "indices": 1, "_indices": 1, "crow_indices": 0, "col_indices": 0, "ccol_indices": 0,
    "row_indices": 0, "_nnz": None,
}  # fmt: skip


def _is_sparse(value: Value) -> bool:
    return isinstance(value, TensorValue) and value.fake.layout not in (torch.strided, torch.jagged)


def _part(name: str, dimension: int | None) -> None:
    method: Any = getattr(torch.Tensor, name)

    @model(method)
    def entries(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
        if _is_sparse(self):
            sizes = {} if dimension is None else {"": (dimension,)}
            raise Break(DATA_DEPENDENT, f".{name}() of a sparse tensor", sizes=sizes)
        return torch_ops.call(m, method, [self, *args], kwargs)


for _name, _dimension in _ENTRIES.items():
    _part(_name, _dimension)


@model(torch.Tensor.is_coalesced)
def is_coalesced(m: Tracer, self: Value, /) -> Value:
    """Guarded for those that existed before; of others it may depend on how many entries they have."""
    if _is_sparse(self) and self.seen is None:
        raise Break(DATA_DEPENDENT, ".is_coalesced() of a sparse tensor")
    return torch_ops.call(m, torch.Tensor.is_coalesced, [self], {})
