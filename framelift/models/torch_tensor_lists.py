"""`torch.tensor` of lists with tensors in them, each of which stands for one number; in Python, to be traced."""

from __future__ import annotations

from typing import Any

import torch

from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import Sequence
from framelift.values.tensor import TensorValue


def _tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    kind = _kind(data) if dtype is None else dtype
    made = _stacked(data, kind, torch.get_default_device() if device is None else device)
    return made.requires_grad_() if requires_grad else made


def _stacked(data: Any, kind: Any, device: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return torch.stack([_stacked(item, kind, device) for item in data])
    if isinstance(data, torch.Tensor):
        return data.detach().reshape(()).to(device=device, dtype=kind)
    return torch.scalar_tensor(data, dtype=kind, device=device)


def _kind(data: Any) -> Any:
    """The dtype that holds all of them; a number is no weaker than a tensor here."""
    if isinstance(data, (list, tuple)):
        kind = _kind(data[0])
        for item in data[1:]:
            kind = torch.promote_types(kind, _kind(item))
        return kind
    if isinstance(data, torch.Tensor):
        return data.dtype
    if isinstance(data, int):
        return torch.bool if isinstance(data, bool) else torch.int64
    return torch.get_default_dtype()


def _as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    return _tensor(data, dtype=dtype, device=device)


def _as_array(obj: Any, *, dtype: Any = None, device: Any = None, copy: Any = None, requires_grad: Any = False) -> Any:
    return _tensor(obj, dtype=dtype, device=device, requires_grad=requires_grad)


def _new_tensor(self: Any, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    kind = self.dtype if dtype is None else dtype
    place = self.device if device is None else device
    return _tensor(data, dtype=kind, device=place, requires_grad=requires_grad)


_MAKERS: dict[Any, Any] = {
    torch.tensor: _tensor,
    torch.as_tensor: _as_tensor,
    torch.asarray: _as_array,
    torch.Tensor.new_tensor: _new_tensor,
}
_IDS = {id(function) for function in _MAKERS}


def traced(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What is traced in place of a function that is given tensors in a list, if each has one element."""
    if id(function) not in _IDS or "pin_memory" in kwargs or len(args) != 1 + (function is torch.Tensor.new_tensor):
        return None
    leaves = _leaves(m, args[-1])
    tensors = [leaf.fake for leaf in leaves if isinstance(leaf, TensorValue)]
    if not tensors or not all(fake.numel() == 1 and type(fake.numel()) is int for fake in tensors):
        return None
    if not all(isinstance(leaf, TensorValue) or leaf.cls in (int, float, bool) for leaf in leaves):
        return None
    return _MAKERS[function] if _fits(m, function, args, kwargs, tensors) else None


def _leaves(m: Tracer, data: Value) -> list[Value]:
    """What is in nested lists; nothing if it is no list."""
    if not isinstance(data, Sequence):
        return []
    return [leaf for item in data.all(m) for leaf in (_leaves(m, item) if isinstance(item, Sequence) else [item])]


def _fits(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value], tensors: list[torch.Tensor]) -> bool:
    """Whether the numbers can be made what is asked for: no integers of others."""
    asked = kwargs.get("dtype")
    if isinstance(asked, Known) and isinstance(asked.obj, torch.dtype):
        kind = asked.obj
    elif function is torch.Tensor.new_tensor and isinstance(args[0], TensorValue):
        kind = args[0].fake.dtype
    else:
        return True
    whole = not (kind.is_floating_point or kind.is_complex)
    if any(fake.is_complex() for fake in tensors):
        return kind.is_complex
    return not (whole and any(fake.is_floating_point() for fake in tensors))
