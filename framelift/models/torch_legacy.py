"""Constructors from PyTorch's early days: `torch.FloatTensor([1, 2])`, `torch.LongTensor(2, 3)`."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import torch

from framelift.models.registry import model, polyfill
from framelift.values import numpy_numbers
from framelift.values.base import Tracer, Value
from framelift.values.known import boolean

_KINDS = {
    torch.FloatTensor: torch.float32,
    torch.DoubleTensor: torch.float64,
    torch.HalfTensor: torch.float16,
    torch.BFloat16Tensor: torch.bfloat16,
    torch.LongTensor: torch.int64,
    torch.IntTensor: torch.int32,
    torch.ShortTensor: torch.int16,
    torch.CharTensor: torch.int8,
    torch.ByteTensor: torch.uint8,
    torch.BoolTensor: torch.bool,
}


def is_array(obj: Any) -> bool:
    return numpy_numbers.is_array(obj)


@model(is_array)
def answer_is_array(m: Tracer, obj: Value, /) -> Value:
    return boolean(obj.cls in numpy_numbers.ARRAYS)


def _constructor(dtype: torch.dtype) -> FunctionType:
    def make(*args: Any) -> Any:
        """(traced)"""
        if len(args) == 1 and isinstance(args[0], (list, tuple)) and not isinstance(args[0], torch.Size):
            return torch.tensor(args[0], dtype=dtype, device="cpu")
        if len(args) == 1 and is_array(args[0]):
            return torch.as_tensor(args[0], dtype=dtype, device="cpu")
        if len(args) == 1 and isinstance(args[0], torch.Tensor) and args[0].dtype is dtype:
            return torch.ops.aten.alias.default(args[0])
        return torch.empty(*args, dtype=dtype, device="cpu")

    assert isinstance(make, FunctionType)
    return make


for _kind, _dtype in _KINDS.items():
    polyfill(_kind)(_constructor(_dtype))
