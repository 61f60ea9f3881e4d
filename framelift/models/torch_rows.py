"""The rows of a tensor: what iterating over it gives."""

from __future__ import annotations

import torch

from framelift.models import torch_ops, torch_subclasses
from framelift.values.base import Tracer
from framelift.values.iterators import IteratorValue, SequenceIterator
from framelift.values.known import Known
from framelift.values.row_iterator import RowIterator
from framelift.values.sequence import TupleValue
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue


def rows(m: Tracer, tensor: TensorValue) -> IteratorValue:
    """An iterator over the items of a tensor along its first dimension."""
    if tensor.fake.dim() == 0:
        m.throw(TypeError, "iteration over a 0-d tensor")
    if not tensor.fake.requires_grad and not m.function_modes and not torch_subclasses.overriding(m, [tensor]):
        count = m.call(Known(torch.Tensor.size), [tensor, Known(0)])
        if isinstance(count, SymbolValue):
            return RowIterator(tensor, count)
    return SequenceIterator(all_rows(m, tensor))


def all_rows(m: Tracer, tensor: TensorValue) -> TupleValue:
    """All of them, as views that know of each other."""
    found = torch_ops.call(m, torch.Tensor.unbind, [tensor, Known(0)], {})
    assert isinstance(found, TupleValue)
    return found
