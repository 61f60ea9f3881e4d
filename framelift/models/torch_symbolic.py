"""Operations that PyTorch does for one number only, made of others that take symbolic ones; in Python, to be traced."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from framelift.models import torch_sized
from framelift.models.symbols import TENSOR, contains_symbol, settled
from framelift.models.torch_windows import WINDOWS
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.tensor import TensorValue


def _as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    return torch.tensor(data, dtype=dtype, device=device)


def _as_array(obj: Any, *, dtype: Any = None, device: Any = None, copy: Any = None, requires_grad: Any = False) -> Any:
    return torch.tensor(obj, dtype=dtype, device=device, requires_grad=requires_grad)


def _new_tensor(self: Any, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    kind = self.dtype if dtype is None else dtype
    place = self.device if device is None else device
    return torch.tensor(data, dtype=kind, device=place, requires_grad=requires_grad)


def _linspace(
    start: Any,
    end: Any,
    steps: Any,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """From both ends towards the middle, as PyTorch does it."""
    kind = torch.get_default_dtype() if dtype is None else dtype
    if steps < 2 or not kind.is_floating_point:
        return torch.linspace(start, end, settled(steps), dtype=kind, device=device, requires_grad=requires_grad)
    width = (end - start) / (steps - 1)
    places = torch.arange(steps, device=device)
    left, right = start + places.to(kind) * width, end - (steps - 1 - places).to(kind) * width
    made = torch.where(places < steps // 2, left, right)
    return made.requires_grad_() if requires_grad else made


def _max_pool1d(
    input: Any,  # noqa: A002
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: Any = False,
) -> Any:
    """As a picture of one row."""
    size, step, margin, gap = [_across(part) for part in (kernel_size, stride, padding, dilation)]
    row = input.contiguous().unsqueeze(-2)
    pooled = torch.max_pool2d(row, (1, size), (1, size if step is None else step), (0, margin), (1, gap), ceil_mode)
    return pooled.squeeze(-2)


def _across(size: Any) -> Any:
    if isinstance(size, (list, tuple)):
        return size[0] if size else None
    return size


def _one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    """By writing ones, which fails where the operation does."""
    made = torch.zeros((*tensor.shape, num_classes), dtype=torch.int64, device=tensor.device)
    return made.scatter_(-1, tensor.unsqueeze(-1), 1)


def _histc(input: Any, bins: Any = 100, min: Any = 0, max: Any = 0) -> Any:  # noqa: A002
    """How many of the numbers are in each part of an interval that is given."""
    if not min < max or not input.is_floating_point():
        return torch.histc(input, settled(bins), min, max)
    flat = input.reshape(-1)
    inside = (flat >= min) & (flat <= max)
    places = torch.where(inside, (flat - min) * bins / (max - min), 0).to(torch.int64).clamp(max=bins - 1)
    return torch.zeros(bins, dtype=input.dtype, device=input.device).index_add_(0, places, inside.to(input.dtype))


def _kron(input: Any, other: Any) -> Any:  # noqa: A002
    dims = max(input.dim(), other.dim())
    left = (*[1] * (dims - input.dim()), *input.shape)
    right = (*[1] * (dims - other.dim()), *other.shape)
    pairs = input.reshape([n for size in left for n in (size, 1)]) * other.reshape(
        [n for size in right for n in (1, size)]
    )
    return pairs.reshape([n * k for n, k in zip(left, right, strict=True)])


_OF_NUMBERS: dict[Any, Any] = {
    **WINDOWS,
    **torch_sized.OF_NUMBERS,
    functional.one_hot: _one_hot,
    torch.histc: _histc,
    torch.Tensor.histc: _histc,
    torch.tensor: TENSOR,
    torch.as_tensor: _as_tensor,
    torch.asarray: _as_array,
    torch.Tensor.new_tensor: _new_tensor,
    torch.linspace: _linspace,
}
_OF_SIZES: dict[Any, Any] = {
    torch.max_pool1d: _max_pool1d,
    functional.max_pool1d: _max_pool1d,
    torch.kron: _kron,
    torch.Tensor.kron: _kron,
    **torch_sized.OF_SIZES,
}
_SPLITS = (torch.tensor_split, torch.Tensor.tensor_split)


def traced(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What is traced in place of an operation that is given symbolic numbers, or a tensor of a symbolic size."""
    if m.recorder.symbols is None:
        return None
    try:
        found = _OF_NUMBERS.get(function)
        sized = _OF_SIZES.get(function)
    except TypeError:
        return None
    if found is not None and any(contains_symbol(m, arg) for arg in (*args, *kwargs.values())):
        return found if function is not torch.linspace or _varies_in_steps(m, args, kwargs) else None
    if sized is not None and not _UNUSUAL.intersection(kwargs):
        tensors = [arg.fake for arg in args if isinstance(arg, TensorValue)]
        return sized if any(isinstance(size, torch.SymInt) for fake in tensors for size in fake.shape) else None
    if function in _SPLITS and len(args) > 1 and isinstance(args[1], Known) and type(args[1].obj) is int:
        return torch_sized.tensor_split
    return None


_UNUSUAL = frozenset({"return_indices", "out"})


def _varies_in_steps(m: Tracer, args: list[Value], kwargs: dict[str, Value]) -> bool:
    steps = kwargs.get("steps", args[2] if len(args) > 2 else None)
    tensors = any(isinstance(arg, TensorValue) for arg in (*args, *kwargs.values()))
    return steps is not None and contains_symbol(m, steps) and not tensors and "out" not in kwargs
