"""Gradients computed inside of the program: `torch.autograd.grad` is an operation (for `backward` see its own file)."""

from __future__ import annotations

from typing import Any

import torch
from torch._functorch import eager_transforms

from framelift.guards import facts
from framelift.models import torch_ops
from framelift.models.registry import model, polyfill
from framelift.models.torch_modes import sets
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE
from framelift.values.reasons import UNKNOWN_OPERATION, Break


@model(torch.autograd.grad)
def grad(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    """Works on what the graph computed from leaves; the history of other tensors is not in it."""
    if not torch._C._are_functorch_transforms_active():
        for tensor in m.input_tensors():
            assert tensor.seen is not None
            if tensor.fake.requires_grad and not tensor.seen.learn(facts.is_leaf):
                raise Break(UNKNOWN_OPERATION, "torch.autograd.grad() where a tensor came with a history")
    if m.retained:
        raise Break(UNKNOWN_OPERATION, "torch.autograd.grad() where a tensor keeps its gradient")
    return torch_ops.call(m, torch.autograd.grad, list(args), kwargs)


@polyfill(eager_transforms._autograd_grad)
def grad_of_transform(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool = False, create_graph: bool = True
) -> Any:
    """What torch.func asks for: zeros where there is no gradient."""
    if grad_outputs is None:
        wanted, weights = tuple(output for output in outputs if output.requires_grad), None
    else:
        pairs = [(output, weight) for output, weight in zip(outputs, grad_outputs) if output.requires_grad]  # noqa: B905
        wanted, weights = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    if not wanted:
        return tuple(torch.zeros_like(given) for given in inputs)
    found = torch.autograd.grad(
        wanted, inputs, weights, retain_graph=retain_graph, create_graph=create_graph, allow_unused=True
    )
    return tuple(
        torch.zeros_like(given) if gradient is None else gradient
        for gradient, given in zip(found, inputs)  # noqa: B905
    )


def _disabled_hooks_message() -> Any:
    return torch._C._autograd._saved_tensors_hooks_get_disabled_error_message()


def set_hooks_message(message: str | None) -> None:
    """Forbid saved-tensor hooks, with the words of the error; None: allow them."""
    if message is None:
        torch._C._autograd._saved_tensors_hooks_enable()
    else:
        torch._C._autograd._saved_tensors_hooks_disable(message)


sets(set_hooks_message, _disabled_hooks_message)


@model(torch._C._autograd._saved_tensors_hooks_get_disabled_error_message)
def hooks_message(m: Tracer) -> Value:
    return m.constant(_disabled_hooks_message())


@model(torch._C._autograd._saved_tensors_hooks_disable)
def disable_hooks(m: Tracer, message: Value, fail: Value | None = None, /) -> Value:
    if fail is not None:
        raise Break(UNKNOWN_OPERATION, "disabling saved-tensor hooks only where there are none")
    return m.call(m.constant(set_hooks_message), [message])


@model(torch._C._autograd._saved_tensors_hooks_enable)
def enable_hooks(m: Tracer) -> Value:
    return m.call(m.constant(set_hooks_message), [NONE])


@model(
    torch._C._autograd._push_saved_tensors_default_hooks,
    torch._C._autograd._pop_saved_tensors_default_hooks,
)
def change_hooks(m: Tracer, *hooks: Value) -> Value:
    """Between them autograd calls the hooks on tensors that exist: the graphs there run under them."""
    raise Break(UNKNOWN_OPERATION, "hooks on what autograd saves")
