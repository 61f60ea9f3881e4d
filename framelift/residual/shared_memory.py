"""Inputs of a graph that turn out to share memory, where PyTorch cannot tell: arrays of NumPy."""

from __future__ import annotations

from types import CodeType

import torch

from framelift.residual import rerun
from framelift.residual.rebuild import Rebuilder
from framelift.values.arrays import ArrayTensor
from framelift.values.base import Value
from framelift.values.tensor import TensorValue


def leave_if_shared(r: Rebuilder, original: CodeType, inputs: list[Value]) -> None:
    """Run the call as plain Python if an array that the graph changes shares memory with another of its inputs.

    Of tensors PyTorch knows which share memory. Of those over arrays it does not.
    """
    tensors = [value for value in inputs if isinstance(value, TensorValue)]
    over = [value for value in tensors if isinstance(value, ArrayTensor)]
    if len(tensors) < 2 or not over or not any(value.fake._version for value in tensors):
        return
    r.emit.const_callee(_are_apart)
    r.emit.const(len(over))
    for value in [*over, *(value for value in tensors if value not in over)]:
        r.load(value)
    r.emit.call(1 + len(tensors))
    apart = r.emit.label()
    r.emit.jump_if(True, apart, is_bool=True)
    rerun.run_plainly(r, original)
    r.emit.place(apart)


def _are_apart(count: int, *tensors: torch.Tensor) -> bool:
    """Whether none of the first tensors shares memory with any other."""
    ranges = [(tensor.untyped_storage().data_ptr(), tensor.untyped_storage().nbytes()) for tensor in tensors]
    for index, (start, size) in enumerate(ranges[:count]):
        for other, length in ranges[index + 1 :]:
            if start < other + length and other < start + size:
                return False
    return True
