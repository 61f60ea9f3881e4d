"""What a graph calls for a `torch.autograd.Function` of the user's: its forward and backward as graphs."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import GraphModule


class _CustomGradient(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, forward: GraphModule, backward: GraphModule, plain: tuple[int, ...], count: int, *args: Any
    ) -> Any:
        results = forward(*args)
        outputs, kept = results[:count], results[count:]
        ctx.backward_graph = backward
        ctx.before = 4
        ctx.tensors = [isinstance(item, torch.Tensor) for item in kept]
        ctx.others = [item for item in kept if not isinstance(item, torch.Tensor)]
        ctx.save_for_backward(*(item for item in kept if isinstance(item, torch.Tensor)))
        ctx.mark_non_differentiable(*(outputs[index] for index in plain))
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        tensors, others = iter(ctx.saved_tensors), iter(ctx.others)
        kept = [next(tensors) if is_tensor else next(others) for is_tensor in ctx.tensors]
        return (None,) * ctx.before + tuple(ctx.backward_graph(*grads, *kept))


def custom_gradient(
    forward: GraphModule, backward: GraphModule, plain: tuple[int, ...], count: int, *args: Any
) -> tuple[Any, ...]:
    """The first `count` results of `forward(*args)`, with gradients by `backward(*grads, *the other results)`.

    `plain`: which results have no gradient. `backward` gives one gradient, or None, for each of `args`.
    """
    apply: Any = _CustomGradient.apply
    results: tuple[Any, ...] = apply(forward, backward, plain, count, *args)
    return results
