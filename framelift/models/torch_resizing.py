"""Operations that give a tensor another size: `out=` where it does not fit, and `resize_`.

AOTAutograd writes what became of an input into the tensor as the caller knows it, which then has the wrong size, or too
little memory. So behind it such an operation on a tensor that existed is left to Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from framelift.values.base import Tracer, Value
from framelift.values.reasons import EFFECT, Break
from framelift.values.tensor import TensorValue

Sized = list[tuple[TensorValue, Any, Any]]


def before(function: Any, kwargs: dict[str, Value], tensors: Iterable[TensorValue]) -> Sized:
    """The tensors of the caller's that this operation may give another size, with the size and memory they have."""
    if not _gives_out(kwargs) and not _name(function).startswith("resize"):
        return []
    found = [tensor for tensor in tensors if _is_of_caller(tensor) and tensor.fake.layout is torch.strided]
    return [(tensor, tensor.fake.shape, _memory(tensor)) for tensor in found]


def refuse(m: Tracer, function: Any, sized: Sized) -> None:
    """Leave the operation to Python if it gave one of them a size that AOTAutograd cannot give it."""
    for tensor, shape, memory in sized:
        moved = not _name(function).startswith("resize") or _memory(tensor) != memory
        if tensor.fake.shape != shape and moved and m.recorder.is_for_aot():
            raise Break(EFFECT, function, "gives a tensor of the caller's another size")


def _is_of_caller(tensor: TensorValue) -> bool:
    return tensor.seen is not None or tensor.fake._base is not None


def _gives_out(kwargs: dict[str, Value]) -> bool:
    return any(name.startswith("out") for name in kwargs)


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", ""))


def _memory(tensor: TensorValue) -> Any:
    return tensor.fake.untyped_storage().nbytes()
