"""Indices of tensors with symbolic numbers in them, which PyTorch would take for the numbers of this call."""

from __future__ import annotations

from typing import Any

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


def cut(m: Tracer, tensor: TensorValue, key: Value) -> Any:
    """Tells views of sizes that only the graph knows from each other; None if an index gives none.

    PyTorch makes up a size for each, also if it is one of the same place, and loses it where one is written to.
    """
    if m.recorder.symbols is None:
        return None
    items = key.all(m) if isinstance(key, TupleValue) else [key]
    parts = [_parts(item) for item in items]
    bounds = [part for item in items if isinstance(item, SliceValue) for part in item.parts]
    if None in parts or not any(isinstance(part, SymbolValue) and not part.sym.node.has_hint() for part in bounds):
        return None
    return (tensor.node, str(tensor.fake.shape), *parts)


def _parts(item: Value) -> Any:
    """What a part of an index consists of; None if a tensor or a sequence does."""
    if isinstance(item, SliceValue):
        found = tuple(map(_parts, item.parts))
        return None if None in found else found
    if isinstance(item, SymbolValue):
        return item.sym.node._expr
    return (type(item.obj), item.obj) if isinstance(item, Known) and item.literal else None


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
