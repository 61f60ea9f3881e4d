"""The dtype that PyTorch infers from NumPy's numbers, which keep theirs. In a graph they are plain numbers."""

from __future__ import annotations

from typing import Any

import torch

from framelift.values import numpy_numbers
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import FAKE_FAILED, Break
from framelift.values.sequence import Sequence
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue


def with_dtype(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """The keywords of a call, with the dtype of the result where a number of NumPy's decides on it."""
    found = next((way for way in _WAYS if way[0] is function), None)
    if found is None or "dtype" in kwargs:
        return kwargs
    _, index, dtype_of = found
    if len(args) != index + 1 or not _contains_number(m, args[index]):
        return kwargs
    try:
        return {**kwargs, "dtype": Known(dtype_of(_like(m, args[index])))}
    except (TypeError, ValueError) as error:  # as it will be when Python calls it
        raise Break(FAKE_FAILED, function, error) from error


def plain(number: Any) -> Any:
    """A number of NumPy's as PyTorch takes it for an operand: to it NumPy's booleans are floats."""
    found = number.item()
    return float(found) if isinstance(found, bool) else found


def _of_data(data: Any) -> torch.dtype:
    return torch.tensor(data, device="cpu").dtype


def _of_fill(value: Any) -> torch.dtype:
    return torch.full((), value, device="cpu").dtype


_WAYS = (
    (torch.tensor, 0, _of_data),
    (torch.as_tensor, 0, _of_data),
    (torch.asarray, 0, _of_data),
    (torch.full, 1, _of_fill),
)


def _contains_number(m: Tracer, data: Value) -> bool:
    if isinstance(data, Sequence):
        return any(_contains_number(m, item) for item in data.all(m))
    return isinstance(data, Known) and numpy_numbers.is_number(data.obj)


def _like(m: Tracer, data: Value) -> Any:
    """Something of the same type, whatever its value."""
    if isinstance(data, Sequence):
        return [_like(m, item) for item in data.all(m)]
    if isinstance(data, TensorValue):
        return torch.zeros((), dtype=data.fake.dtype, device="cpu")
    return data.obj if isinstance(data, Known) else data.cls(0) if isinstance(data, SymbolValue) else None
