"""Indices of tensors with symbolic numbers in them, which PyTorch would take for the numbers of this call."""

from __future__ import annotations

import torch

from framelift.models import torch_ops
from framelift.models.symbols import contains_symbol
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue


def selected(m: Tracer, tensor: TensorValue, key: Value) -> tuple[TensorValue, Value]:
    """A view of the tensor at the symbolic indices, and the index that is left."""
    items = key.all(m) if isinstance(key, TupleValue) else [key]
    if m.recorder.symbols is None or not any(_is_symbolic(m, item) for item in items):
        return tensor, key
    others = tensor.fake.dim() - sum(_takes(item) for item in items)
    dim, left = 0, []
    for item in items:
        if isinstance(item, Known) and item.obj is Ellipsis:
            dim += others
        if isinstance(item, SymbolValue):
            found = torch_ops.call(m, torch.select, [tensor, Known(dim), item], {})
            assert isinstance(found, TensorValue)
            tensor = found
            continue
        dim += _takes(item)
        left.append(m.call(Known(torch.tensor), [item]) if contains_symbol(m, item) else item)
    return tensor, TupleValue(left, tuple) if left else Known(Ellipsis)


def is_cut_by_the_graph(m: Tracer, key: Value) -> bool:
    """Whether an index gives a view of a size that only the graph knows."""
    items = key.all(m) if isinstance(key, TupleValue) else [key]
    if any(isinstance(item, TensorValue | Sequence) for item in items):
        return False
    slices = [item for item in items if isinstance(item, SliceValue)]
    bounds = [part for item in slices for part in item.parts if isinstance(part, SymbolValue)]
    return any(not bound.sym.node.has_hint() for bound in bounds)


def _is_symbolic(m: Tracer, item: Value) -> bool:
    if isinstance(item, SymbolValue):
        return item.cls is int
    return isinstance(item, Sequence) and contains_symbol(m, item)


def _takes(item: Value) -> int:
    """How many dimensions of the tensor a part of an index is for."""
    if isinstance(item, TensorValue):
        return item.fake.dim() if item.fake.dtype is torch.bool else 1
    none = isinstance(item, Known) and (item.obj is None or item.obj is Ellipsis or type(item.obj) is bool)
    return 0 if none else 1
