"""Hooks on tensors.

A hook on something computed in the call, that only computes, goes into the graph as a graph of its own. Whatever else a
hook does has to happen when gradients are computed, on a tensor that exists: it is the result of one graph and an input
of the next.
"""

from __future__ import annotations

import torch

from framelift.graph.hooks import add_hook
from framelift.graph.subgraph import attach
from framelift.models import torch_grad, torch_ops
from framelift.models.registry import model
from framelift.models.torch_regions import Body, without_grad_mode
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyTensor
from framelift.values.function import FunctionValue
from framelift.values.handle import HookHandle
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue


def _refused(step: int | None = None) -> Break:
    return Break(UNKNOWN_OPERATION, "a hook of autograd", step=step)


@model(torch.Tensor.register_post_accumulate_grad_hook)
def keep_for_python(m: Tracer, self: Value, /, *args: Value) -> Value:
    raise _refused()


@model(torch.Tensor.retain_grad)
def retain_grad(m: Tracer, self: Value, /) -> Value:
    """A `backward` in the call gives the tensor its gradient. Who gets the tensor itself may call another one."""
    if not isinstance(self, TensorValue) or not self.fake.requires_grad:
        raise _refused()
    if torch_grad.is_leaf_tensor(self) or torch_grad.is_retained(m, self):
        return NONE
    if self.seen is not None or self.fake._backward_hooks or torch._C._are_functorch_transforms_active():
        raise _refused()  # hooks come before what is kept; torch.autograd.grad() gives what comes before hooks
    refused = _refused(m.steps)

    def check(outputs: list[Value]) -> None:
        if any(output is self for output in outputs):
            raise refused

    m.retained.append(self)
    m.final_checks.append(check)
    return NONE


@model(torch.Tensor.register_hook)
def register_hook(m: Tracer, self: Value, hook: Value, /) -> Value:
    if not isinstance(self, TensorValue) or self.seen is not None or isinstance(self, EarlyTensor):
        raise _refused()
    if not self.fake.requires_grad or not torch.is_grad_enabled() or torch._C._are_functorch_transforms_active():
        raise _refused()
    if torch_grad.is_retained(m, self):
        raise _refused()
    with without_grad_mode(m):
        body = Body(m, lambda region: m.call(hook, [region.argument(torch.empty_like(self.fake), torch.Tensor)]))
    given = body.result
    if isinstance(given, Known) and given.obj is None:
        result = body.region.arguments[0]  # it has looked at the gradient, and leaves it as it is
    elif isinstance(given, TensorValue) and _is_like(given, self):
        result = given.node
    else:
        raise _refused()
    others = body.region.used([result])
    module = body.region.graph_module(others, [result])
    body.region.take_out()
    handle = HookHandle(_refused(m.steps))
    torch_ops.call_nodes(m, add_hook, [attach(m.recorder, module, "hook"), torch_ops.node_of(self), *others])
    _check_later(m, self, hook, handle)
    return handle


def _is_like(gradient: TensorValue, tensor: TensorValue) -> bool:
    names = ("shape", "dtype", "device", "layout")
    return all(getattr(gradient.fake, name) == getattr(tensor.fake, name) for name in names)


def _check_later(m: Tracer, tensor: TensorValue, hook: Value, handle: HookHandle) -> None:
    """The hook is called when the function has ended: its variables must be then what they were here.

    And AOTAutograd calls it for what goes through the graph only, so the tensor must not leave.
    """
    cells = hook.closure if isinstance(hook, FunctionValue) else []
    contents = [cell.get(m) for cell in cells]

    def check(outputs: list[Value]) -> None:
        rebound = any(cell.get(m) is not content for cell, content in zip(cells, contents, strict=True))
        if rebound or (m.recorder.is_for_aot() and any(output is tensor for output in outputs)):
            raise handle.refused

    m.final_checks.append(check)
