"""`torch.autograd.Function`: forward and backward of the user's are traced, each into a graph of its own.

Where no gradient can come of a call, forward is traced in place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import torch
from torch.autograd.function import _SingleLevelFunction

from framelift.graph.custom_gradient import custom_gradient
from framelift.graph.subgraph import attach
from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.torch_regions import Body, parts, without_grad_mode
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.tensor import TensorValue

MOST_UNMATERIALIZED = 3
"""For each way in which so many gradients may be missing there is a graph."""


class Context:
    """What `ctx` is while a function is traced."""

    saved_tensors: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize_grads = True

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self.materialize_grads = value


def _run_forward(function: Any, ctx: Any, args: Any, kwargs: Any) -> Any:
    """Traced: forward in either of its two forms."""
    if function.setup_context is _SingleLevelFunction.setup_context:
        return function.forward(ctx, *args, **kwargs)
    result = function.forward(*args, **kwargs)
    function.setup_context(ctx, args, result)
    return result


def _without_gradient(function: Any, ctx: Any, args: Any, kwargs: Any) -> Any:
    """Traced: a call of which no gradient can be asked."""
    with torch.no_grad():
        return _run_forward(function, ctx, args, kwargs)


@model(torch.autograd.Function.apply.__func__)  # type: ignore[attr-defined]
def apply(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function made during the call")
    if kwargs:
        raise Break(UNKNOWN_OPERATION, "keywords given to a torch.autograd.Function")
    if torch._C._are_functorch_transforms_active() and not _is_just_mapped(m, cls, args):
        raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function inside of torch.func")
    args = tuple(_viewed(m, arg) if _is_repeated(arg, args[:index]) else arg for index, arg in enumerate(args))
    needs = [isinstance(arg, TensorValue) and bool(arg.fake.requires_grad) for arg in args]
    ctx = InstanceValue(Context)
    ctx.attributes.set("needs_input_grad", m.constant(tuple(needs)))
    given = [cls, ctx, TupleValue(list(args), tuple), m.constant({})]
    if not (torch.is_grad_enabled() and any(needs)):
        plain = _without_gradient if torch.is_grad_enabled() else _run_forward
        return _distinct(m, m.inline(plain, given), args, ctx)
    return _Call(m, cls, ctx, list(args)).make(given)


def _is_just_mapped(m: Tracer, cls: Known, args: tuple[Value, ...]) -> bool:
    """Whether only vmap is at work, for which forward will do as it is, and no gradient can come of the call."""
    layers: Any = torch._C._functorch.get_interpreter_stack() or ()
    if any(layer.key() != torch._C._functorch.TransformType.Vmap for layer in layers):
        return False
    if torch.is_grad_enabled() and any(isinstance(arg, TensorValue) and _has_gradient(arg.fake) for arg in args):
        return False
    return m.truth(m.getattr(cls, "generate_vmap_rule"))


def _has_gradient(tensor: torch.Tensor) -> bool:
    while torch._C._functorch.is_batchedtensor(tensor):  # it does not tell
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor.requires_grad


def _dirty(m: Tracer, ctx: Value) -> list[Value]:
    """The inputs that the function says it has changed."""
    return _several(m, m.getattr(ctx, "dirty_tensors"))


def _is_from_before(m: Tracer, tensor: TensorValue) -> bool:
    """Whether a tensor has memory that existed before the graph."""
    inputs = [one.fake for one in (*m.input_tensors(), *m.early.inputs.values()) if one.fake.layout is torch.strided]
    if tensor.fake.layout is not torch.strided:
        return True
    return tensor.fake.untyped_storage()._cdata in {fake.untyped_storage()._cdata for fake in inputs}


def _distinct(m: Tracer, result: Value, args: tuple[Value, ...] | list[Value], ctx: Value) -> Value:
    """An input given back as it is becomes another tensor, as autograd has it; one that was changed stays the same."""
    tensors, rebuild = parts(m, result)
    dirty = _dirty(m, ctx)
    if not all(any(one is tensor for tensor in tensors) and any(one is arg for arg in args) for one in dirty):
        raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function that changes something and does not give it back")
    others = [arg for arg in args if not any(arg is one for one in dirty)]
    return rebuild([_viewed(m, tensor) if any(tensor is arg for arg in others) else tensor for tensor in tensors])


def _viewed(m: Tracer, tensor: Value) -> Value:
    return torch_ops.call(m, torch.Tensor.view_as, [tensor, tensor], {})


def _is_repeated(arg: Value, others: tuple[Value, ...]) -> bool:
    """Whether a tensor is given twice, each time with a gradient of its own."""
    return isinstance(arg, TensorValue) and arg.fake.requires_grad and any(arg is other for other in others)


def _all(groups: Iterable[Iterable[Any]]) -> list[Any]:
    """What is in any of them, each once."""
    return list(dict.fromkeys(itertools.chain.from_iterable(groups)))


def _several(m: Tracer, value: Value) -> list[Value]:
    return value.all(m) if isinstance(value, Sequence) else [value]


class _Call:
    """One call of which a gradient may be asked."""

    def __init__(self, m: Tracer, cls: Known, ctx: InstanceValue, args: list[Value]) -> None:
        self.m = m
        self.cls = cls
        self.ctx = ctx
        self.args = args

    def make(self, given: list[Value]) -> Value:
        m = self.m
        with without_grad_mode(m):  # as it is inside of forward; the graph need not say so
            forward = Body(m, lambda body: _distinct(m, m.inline(_run_forward, given), self.args, self.ctx))
            plain = self._plain(forward)
            which = self._which_are_given(len(forward.tensors) - len(plain))
            backwards = self._backwards(forward, plain, which)
        grads = [self._grads(backward) for backward in backwards]
        outside = forward.region.used(forward.nodes)
        kept = _all(body.region.used(found.values()) for body, found in zip(backwards, grads, strict=True))
        inputs = _all([*grads, outside, (node for node in kept if self._outside(forward, node))])
        dirty = [tensor for tensor in forward.tensors if any(tensor is one for one in _dirty(m, self.ctx))]
        if m.recorder.is_for_aot() and any(_is_from_before(m, tensor) for tensor in dirty):
            # It takes that for a change which autograd is not to know of.
            raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function that changes a tensor of the caller's")
        inner = forward.region.graph_module(inputs, [*forward.nodes, *kept])
        outer = [
            body.region.graph_module(kept, [found.get(node) for node in inputs])
            for body, found in zip(backwards, grads, strict=True)
        ]
        for body in (*reversed(backwards), forward):
            body.region.take_out()
        modules = [attach(m.recorder, inner, "forward"), tuple(attach(m.recorder, one, "backward") for one in outer)]
        numbers = [len(forward.tensors), tuple(plain), which, tuple(inputs.index(tensor.node) for tensor in dirty)]
        results = torch_ops.call_body(m, custom_gradient, [*modules, *numbers], inputs)
        pairs = zip(forward.tensors, results, strict=True)
        return forward.rebuild([tensor if tensor in dirty else result for tensor, result in pairs])

    def _which_are_given(self, count: int) -> tuple[tuple[bool, ...], ...]:
        """The ways in which gradients may be missing, for a function that wants to be told; else none."""
        m = self.m
        if m.truth(m.getattr(self.ctx, "materialize_grads")):
            return ()
        if count > MOST_UNMATERIALIZED:
            raise Break(
                UNKNOWN_OPERATION, f"a torch.autograd.Function that wants to know which of {count} gradients miss"
            )
        return tuple(itertools.product((True, False), repeat=count))

    def _backwards(self, forward: Body, plain: list[int], which: tuple[tuple[bool, ...], ...]) -> list[Body]:
        """Backward, once for each way in which gradients may be missing."""
        m = self.m
        if not which:
            return [Body(m, lambda body: self._backward(body, forward, [True] * len(forward.tensors)))]
        found = []
        before = dict(self.ctx.attributes.written)
        for ways in which:
            rest = iter(ways)
            given = [index not in plain and next(rest) for index in range(len(forward.tensors))]
            body = Body(m, lambda body, given=given: self._backward(body, forward, given))  # type: ignore[misc]
            m.recorder.forget_numbers(body.region.nodes)  # the next one is to have its own
            if before != self.ctx.attributes.written:
                raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function that notes something in backward")
            found.append(body)
        return found

    @staticmethod
    def _outside(body: Body, node: Any) -> bool:
        return node not in body.region.nodes

    def _plain(self, forward: Body) -> list[int]:
        """Which results have no gradient."""
        m = self.m
        marked = _several(m, m.getattr(self.ctx, "non_differentiable"))
        return [
            index
            for index, tensor in enumerate(forward.tensors)
            if any(tensor is one for one in marked) or not (tensor.fake.is_floating_point() or tensor.fake.is_complex())
        ]

    def _backward(self, body: Body, forward: Body, given: list[bool]) -> Value:
        m = self.m
        incoming: list[Value] = []
        for tensor, is_given in zip(forward.tensors, given, strict=True):
            with m.recorder.mode:
                fake = torch.empty_like(tensor.fake)
            incoming.append(body.argument(fake, torch.Tensor) if is_given else NONE)
        result = m.call(m.getattr(self.cls, "backward"), [self.ctx, *incoming])
        return result if isinstance(result, TupleValue) else TupleValue([result], tuple)

    def _grads(self, backward: Body) -> dict[Any, Any]:
        """The node of the gradient of each input's node."""
        found: dict[Any, Any] = {}
        results = _several(self.m, backward.result)
        for arg, grad in zip(self.args, results, strict=False):
            if not isinstance(arg, TensorValue) or not arg.fake.requires_grad or grad is NONE:
                continue
            if isinstance(grad, Known) and grad.obj is None:
                continue
            if not isinstance(grad, TensorValue) or arg.node in found:
                raise Break(UNKNOWN_OPERATION, "gradients of a torch.autograd.Function that cannot be told apart")
            if grad.fake.shape != arg.fake.shape:
                raise Break(UNKNOWN_OPERATION, "a gradient whose shape is not that of its input")
            found[arg.node] = grad.node
        if len(results) < len(self.args):
            raise Break(UNKNOWN_OPERATION, "a torch.autograd.Function that gives too few gradients")
        return found
