"""Operations that PyTorch does for one number only, made of others that take symbolic ones; in Python, to be traced."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from framelift.models.symbols import TENSOR, contains_symbol
from framelift.values.base import Tracer, Value
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
        return torch.linspace(start, end, int(steps), dtype=kind, device=device, requires_grad=requires_grad)
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


_OF_NUMBERS: dict[Any, Any] = {
    torch.tensor: TENSOR,
    torch.as_tensor: _as_tensor,
    torch.asarray: _as_array,
    torch.Tensor.new_tensor: _new_tensor,
    torch.linspace: _linspace,
}
_OF_SIZES: dict[Any, Any] = {torch.max_pool1d: _max_pool1d, functional.max_pool1d: _max_pool1d}


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
    if sized is not None and args and isinstance(args[0], TensorValue) and "return_indices" not in kwargs:
        return sized if any(isinstance(size, torch.SymInt) for size in args[0].fake.shape) else None
    return None


def _varies_in_steps(m: Tracer, args: list[Value], kwargs: dict[str, Value]) -> bool:
    steps = kwargs.get("steps", args[2] if len(args) > 2 else None)
    tensors = any(isinstance(arg, TensorValue) for arg in (*args, *kwargs.values()))
    return steps is not None and contains_symbol(m, steps) and not tensors and "out" not in kwargs
