"""Between tensors and arrays of NumPy."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.numpy_calls import enter_graph
from framelift.models.numpy_graph import constant_tensor
from framelift.models.numpy_probe import numpy_dtype
from framelift.models.registry import model
from framelift.values.arrays import ArrayValue, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE
from framelift.values.numpy_numbers import np
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.tensor import TensorValue


def viewed(m: Tracer, tensor: TensorValue) -> Value:
    """Another tensor over the same memory."""
    alias, fake = torch.ops.aten.alias.default, tensor.fake
    node, made = m.recorder.call("call_function", alias, (tensor.node,), {}, lambda: alias(fake))
    return TensorValue(node, made, torch.Tensor)


@model(torch.from_numpy)
def from_numpy(m: Tracer, array: Value, /) -> Value:
    if not isinstance(array, ArrayValue):
        raise Break(UNKNOWN_OPERATION, f"torch.from_numpy() of a {array.cls.__name__}")
    if not array.writeable or (array.data is not None and not array.data.flags.writeable):
        raise Break(UNKNOWN_OPERATION, "torch.from_numpy() of an array that is read-only, which warns")
    is_known = array.tensor is None
    tensor = enter_graph(m, array)
    return tensor if is_known else viewed(m, tensor)


def _forced(tensor: Any) -> Any:
    """Traced: what `numpy(force=True)` does first."""
    return tensor.detach().cpu().resolve_conj().resolve_neg()


@model(torch.Tensor.numpy)
def numpy(m: Tracer, tensor: Value, /, *, force: Value = FALSE) -> Value:
    """The array over a tensor's memory."""
    if m.truth(force):
        tensor = m.inline(_forced, [tensor])
    if not isinstance(tensor, TensorValue):
        raise Break(UNKNOWN_OPERATION, f"numpy() of a {tensor.cls.__name__}")
    fake = tensor.fake
    if fake.requires_grad:
        m.throw(RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    plain = fake.device.type == "cpu" and fake.layout is torch.strided and not fake.is_conj() and not fake.is_neg()
    if not plain or numpy_dtype(fake.dtype) is None or tensor.cls not in (torch.Tensor, torch.nn.Parameter):
        raise Break(UNKNOWN_OPERATION, "numpy() of such a tensor")
    return ArrayValue(tensor=tensor)


def as_tensors(m: Tracer, value: Value) -> Value:
    """The same with tensors in place of arrays, for PyTorch to read."""
    if isinstance(value, ArrayValue):
        if value.apart is not None:
            raise Break(UNKNOWN_OPERATION, "a view that torch._numpy has copied")
        return constant_tensor(m, value.data) if value.tensor is None else value.tensor
    return value


def as_index(m: Tracer, key: Value) -> Value:
    """An index for a tensor, with tensors in place of arrays. A mask that is known says where it is true."""
    items = key.all(m) if isinstance(key, TupleValue) else [key]
    if not any(isinstance(item, ArrayValue) for item in items):
        return key
    found = [part for item in items for part in where_true(m, item)]
    tensors = [as_tensors(m, item) for item in found]
    return tensors[0] if len(tensors) == 1 and key is items[0] else TupleValue(tensors, tuple)


def where_true(m: Tracer, item: Value) -> list[Value]:
    if not isinstance(item, ArrayValue) or item.data is None or item.data.dtype != bool or item.data.ndim == 0:
        return [item]
    return [m.arrays.of(places) for places in item.data.nonzero()]


def tensor_of(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Traced: `torch.tensor(array)`, a copy."""
    made = torch.clone(readable(data)).to(device=device, dtype=dtype)
    return made.requires_grad_() if requires_grad else made


def readable(array: Any) -> Any:
    """A tensor with the contents of an array, to be copied from."""
    return torch.tensor(array)


@model(readable)
def read(m: Tracer, array: Value, /) -> Value:
    return array.tensor if isinstance(array, NumberValue) else as_tensors(m, array)


def as_tensor_of(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """Traced: `torch.as_tensor(array)`, which shares memory if it can."""
    if isinstance(data, np.generic):
        return tensor_of(data, dtype=dtype, device=device)
    return torch.from_numpy(data).to(device=device, dtype=dtype)


def as_array_of(
    data: Any, *, dtype: Any = None, device: Any = None, copy: Any = None, requires_grad: Any = False
) -> Any:
    """Traced: `torch.asarray(array)`"""
    if copy:
        return tensor_of(data, dtype=dtype, device=device, requires_grad=requires_grad)
    made = as_tensor_of(data, dtype, device)
    return made.requires_grad_() if requires_grad else made


TAKE_ARRAYS: dict[Any, Any] = {torch.tensor: tensor_of, torch.as_tensor: as_tensor_of, torch.asarray: as_array_of}
"""What is traced in place of PyTorch's functions when they are given an array."""


def taking_array(m: Tracer, function: Any, args: list[Value]) -> Any:
    """What to trace in place of a function of PyTorch's that is given an array; None if it is not."""
    if not args or not isinstance(args[0], ArrayValue | NumberValue):
        return None
    if torch.get_default_device().type != "cpu":
        raise Break(UNKNOWN_OPERATION, "an array for another device than the CPU")
    try:
        return TAKE_ARRAYS.get(function)
    except TypeError:
        return None
