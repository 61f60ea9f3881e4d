"""Keeps PyTorch's modes as they are while a backend compiles: tracing a graph runs its changes of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

DEVICES = ("cpu", "cuda")


@contextmanager
def preserved() -> Iterator[None]:
    """Afterwards grad mode and autocast are what they were before."""
    grad = torch.is_grad_enabled()
    cache = torch.is_autocast_cache_enabled()
    autocast = [(device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)) for device in DEVICES]
    try:
        yield
    finally:
        torch._C._set_grad_enabled(grad)
        torch.set_autocast_cache_enabled(cache)
        for device, enabled, dtype in autocast:
            torch.set_autocast_enabled(device, enabled)
            torch.set_autocast_dtype(device, dtype)
