"""Iterators over tensors of which the number of rows is symbolic: rows are cut out as they are asked for."""

from __future__ import annotations

import torch

from framelift.values.base import Tracer, Value
from framelift.values.iterators import IteratorValue
from framelift.values.known import Known
from framelift.values.range_iterator import RangeIterator
from framelift.values.ranges import RangeValue
from framelift.values.tensor import TensorValue


class RowIterator(IteratorValue):
    """Gives a row if there is one in this call, which becomes a condition. A graph that ends in the loop is for any."""

    __slots__ = ("tensor", "indices", "shape", "done")

    def __init__(self, tensor: TensorValue, count: Value) -> None:
        super().__init__()
        self.tensor = tensor
        self.indices = RangeIterator(RangeValue([Known(0), count, Known(1)]))
        self.shape = tensor.fake.shape
        self.done = False

    @property
    def cls(self) -> type:
        return type(iter(()))

    def steady(self) -> bool:
        """Whether the tensor still has the rows that it had."""
        return bool(self.tensor.fake.shape is self.shape or tuple(self.tensor.fake.shape) == tuple(self.shape))

    def advance(self, tracer: Tracer) -> Value | None:
        index = None if self.done else self.indices.advance(tracer)
        if index is None:
            self.done = True
            return None
        return tracer.call(Known(torch.Tensor.select), [self.tensor, Known(0), index])
