"""Which tensors share their memory."""

from __future__ import annotations

from typing import Any

import torch


def shared(one: Any, other: Any) -> bool:
    """Whether two tensors have one storage, or are one tensor."""
    if one is other:
        return True
    storages = [_storage(tensor) for tensor in (one, other)]
    return None not in storages and storages[0] == storages[1]


def _storage(tensor: Any) -> int | None:
    if not isinstance(tensor, torch.Tensor):
        return None
    with torch._C.DisableTorchFunctionSubclass():
        try:
            return int(tensor.untyped_storage()._cdata)
        except (RuntimeError, NotImplementedError):  # a sparse tensor has none
            return None
