"""What a graph calls for a `torch.autograd.Function` of the user's: its forward and backward as graphs."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.fx import GraphModule


class Shape(NamedTuple):
    """What is known of a function besides its graphs."""

    results: int
    plain: tuple[int, ...]  # those that have no gradient
    given: tuple[tuple[bool, ...], ...]  # for each backward graph, which gradients it gets; none: zeros where needed
    dirty: tuple[int, ...]  # the arguments that forward changes, and gives back


class _CustomGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, forward: GraphModule, backwards: tuple[GraphModule, ...], shape: Shape, *args: Any) -> Any:
        results = forward(*args)
        outputs, kept = results[: shape.results], results[shape.results :]
        ctx.backwards = backwards
        ctx.shape = shape
        ctx.tensors = [isinstance(item, torch.Tensor) for item in kept]
        ctx.others = [item for item in kept if not isinstance(item, torch.Tensor)]
        ctx.save_for_backward(*(item for item in kept if isinstance(item, torch.Tensor)))
        ctx.mark_non_differentiable(*(outputs[index] for index in shape.plain))
        ctx.mark_dirty(*(args[index] for index in shape.dirty))
        ctx.set_materialize_grads(not shape.given)
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        tensors, others = iter(ctx.saved_tensors), iter(ctx.others)
        kept = [next(tensors) if is_tensor else next(others) for is_tensor in ctx.tensors]
        shape, graph = ctx.shape, ctx.backwards[0]
        if shape.given:
            grads = tuple(grad for index, grad in enumerate(grads) if index not in shape.plain)
            graph = ctx.backwards[shape.given.index(tuple(grad is not None for grad in grads))]
            grads = tuple(grad for grad in grads if grad is not None)
        return (None,) * _BEFORE + tuple(graph(*grads, *kept))


_BEFORE = 3  # arguments that are not the function's own


def custom_gradient(
    forward: GraphModule,
    backwards: tuple[GraphModule, ...],
    count: int,
    plain: tuple[int, ...],
    given: tuple[tuple[bool, ...], ...],
    dirty: tuple[int, ...],
    *args: Any,
) -> tuple[Any, ...]:
    """The first results of `forward(*args)`, with gradients by a graph of `(*grads, *the other results)`.

    For the numbers see `Shape`. A backward graph gives one gradient, or None, for each of `args`.
    """
    apply: Any = _CustomGradient.apply
    results: tuple[Any, ...] = apply(forward, backwards, Shape(count, plain, given, dirty), *args)
    return results
