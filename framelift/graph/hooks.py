"""What a graph calls for `tensor.register_hook(hook)`, with the hook as a graph too."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import GraphModule
from torch.fx.node import has_side_effect


def add_hook(hook: GraphModule, tensor: torch.Tensor, *others: Any) -> None:
    """Have gradients of `tensor` become the first result of `hook(gradient, *others)`.

    A compiler that traces autograd traces the hook with it.
    """
    tensor.register_hook(lambda gradient: hook(gradient, *others)[0])  # type: ignore[no-untyped-call]


has_side_effect(add_hook)
