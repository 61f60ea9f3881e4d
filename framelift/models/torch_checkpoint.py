"""`torch.utils.checkpoint`: the function becomes a graph of its own, whose intermediate results are not kept."""

from __future__ import annotations

from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch.utils.checkpoint import checkpoint, noop_context_fn

from framelift.graph.randomness import draws
from framelift.graph.subgraph import attach
from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.torch_regions import Body, parts
from framelift.values.base import Tracer, Value
from framelift.values.known import TRUE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


def checkpointed(body: torch.fx.GraphModule, *args: Any) -> Any:
    """What the graph calls. A compiler that traces it is told what may be recomputed; else it is done as always."""
    if detect_fake_mode(args) is not None:
        if any(map(_works_in_place, body.graph.nodes)):  # what is recomputed must not have been changed meanwhile
            return body(*args)
        return torch.ops.higher_order.tag_activation_checkpoint(body, *args)
    # Only what may need a gradient is an input: an input is checked for changes, and the function may count batches.
    wanted = [isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args]

    def run(*given: Any) -> Any:
        inputs = iter(given)
        return body(*(next(inputs) if wants else arg for arg, wants in zip(args, wanted, strict=True)))

    differentiable = [arg for arg, wants in zip(args, wanted, strict=True) if wants]
    return checkpoint(run, *differentiable, use_reentrant=False)


def _works_in_place(node: Any) -> bool:
    """Whether an operation changes a tensor, such as the running mean of a batch norm."""
    if node.target in (torch.nn.functional.batch_norm, torch.nn.functional.instance_norm):
        return any(arg is True for arg in (*node.args, *node.kwargs.values()))
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return node.op.startswith("call") and name.endswith("_") and not name.endswith("__")


def _changes(node: Any, tensors: list[Any]) -> bool:
    """Whether an operation changes one of these tensors."""
    if node.target in (torch.nn.functional.batch_norm, torch.nn.functional.instance_norm):
        return _works_in_place(node) and any(arg in tensors for arg in node.args[1:3])
    return _works_in_place(node) and bool(node.args) and node.args[0] in tensors


_DEFAULTS: dict[str, Any] = {"debug": False, "preserve_rng_state": True}
_NO_MATTER = ("determinism_check", "early_stop")  # how much is recomputed, and compared with what was there


@model(checkpoint)
def call_checkpoint(m: Tracer, function: Value, /, *args: Value, **kwargs: Value) -> Value:
    reentrant = kwargs.pop("use_reentrant", Known(None))
    context = kwargs.pop("context_fn", Known(noop_context_fn))
    given = {name: kwargs.pop(name) for name in _DEFAULTS if name in kwargs}
    for name in _NO_MATTER:
        kwargs.pop(name, None)
    if not isinstance(context, Known) or context.obj is not noop_context_fn:
        raise Break(UNKNOWN_OPERATION, "checkpoint() with a context_fn")
    keep_random = given.pop("preserve_rng_state", TRUE)
    if any(not isinstance(value, Known) or value.obj != _DEFAULTS[name] for name, value in given.items()):
        raise Break(UNKNOWN_OPERATION, f"checkpoint() with {', '.join(given)}")
    if not torch.is_grad_enabled():
        return m.call(function, list(args), kwargs)
    tensors = [tensor for arg in (*args, *kwargs.values()) for tensor in _tensors(m, arg)]
    if not isinstance(reentrant, Known) or reentrant.obj is None:
        raise Break(UNKNOWN_OPERATION, "checkpoint() that is not told use_reentrant, and warns of that")
    if reentrant.obj and not any(tensor.fake.requires_grad for tensor in tensors):
        raise Break(UNKNOWN_OPERATION, "checkpoint() with use_reentrant=True and no input that requires a gradient")
    body = Body(m, lambda _: m.call(function, list(args), kwargs))
    if not m.truth(keep_random) and any(map(draws, body.region.nodes)):
        raise Break(UNKNOWN_OPERATION, "checkpoint() that draws other random numbers when it recomputes")
    inputs = body.region.used(body.nodes)
    if m.recorder.is_for_aot() and any(_changes(node, inputs) for node in body.region.nodes):
        raise Break(
            UNKNOWN_OPERATION, "checkpoint() of what changes a tensor, which it does again in the backward pass"
        )
    module = body.region.graph_module(inputs, body.nodes)
    body.region.take_out()
    results = torch_ops.call_body(m, checkpointed, [attach(m.recorder, module, "checkpointed")], inputs)
    return body.rebuild(results)


def _tensors(m: Tracer, value: Value) -> list[Any]:
    try:
        return list(parts(m, value)[0])
    except Break:
        return []
