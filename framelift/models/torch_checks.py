"""`torch._check_tensor_all` and its kind: a branch on a tensor that is there to raise, and nothing else."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.registry import polyfill


@polyfill(torch._check_tensor_all_with)
def check_all(error_type: Any, cond: Any, message: Any = None) -> None:
    if not isinstance(cond, torch.Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype != torch.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    if not cond.all():
        raise error_type("Expected cond to be True" if message is None else str(message()))
