"""What a graph calls for `tensor.data = value`: what stands for the tensor from then on."""

from __future__ import annotations

from typing import Any

import torch


class _Replaced(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, tensor: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return value.detach()

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        return gradients[0], None


def with_data_of(tensor: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """The memory of `value`, with gradients that go to `tensor`."""
    if not tensor.requires_grad:
        return value.detach()
    with torch.enable_grad():  # whether a tensor requires gradients does not depend on the mode
        result: torch.Tensor = _Replaced.apply(tensor, value)  # type: ignore[no-untyped-call]
        return result
