"""Operations that give a tensor another size or layout: `out=` where it does not fit, `resize_`, `t_`, `unsqueeze_`.

AOTAutograd writes what became of an input into the tensor as the caller knows it, which then has the wrong size, or too
little memory; and a view of other memory it lets begin where that begins. So behind it such an operation on a tensor
that existed is left to Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from framelift.values.base import Tracer, Value
from framelift.values.reasons import EFFECT, Break
from framelift.values.tensor import TensorValue

Sized = list[tuple[TensorValue, Any]]

_IN_PLACE = frozenset(
    {
        "t_",
        "transpose_",
        "swapaxes_",
        "swapdims_",
        "squeeze_",
        "unsqueeze_",
        "as_strided_",
        "resize_",
        "resize_as_",
        "set_",
    }
)


def before(function: Any, kwargs: dict[str, Value], tensors: Iterable[TensorValue]) -> Sized:
    """The tensors of the caller's to which this operation may give another layout, with the layout they have."""
    if not any(name.startswith("out") for name in kwargs) and getattr(function, "__name__", "") not in _IN_PLACE:
        return []
    return [(tensor, _layout(tensor)) for tensor in tensors if _is_of_caller(tensor)]


def refuse(m: Tracer, function: Any, sized: Sized) -> None:
    """Leave the operation to Python if it gave one of them another layout."""
    if any(_layout(tensor) != layout for tensor, layout in sized) and m.recorder.is_for_aot():
        raise Break(EFFECT, function, "gives a tensor of the caller's another size or layout")


def _is_of_caller(tensor: TensorValue) -> bool:
    fake = tensor.fake
    return (tensor.seen is not None or fake._base is not None) and fake.layout is torch.strided


def _layout(tensor: TensorValue) -> Any:
    fake = tensor.fake
    return fake.shape, fake.stride(), fake.untyped_storage()._cdata, fake.untyped_storage().nbytes()
