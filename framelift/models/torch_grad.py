"""What tensors keep for autograd: gradients read and assigned, and whether a tensor is a leaf."""

from __future__ import annotations

from typing import Any

import torch

from framelift.guards import facts
from framelift.models import early_steps, torch_ops
from framelift.models.registry import model, setter
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyTensor
from framelift.values.known import NONE, Known, boolean
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue

_GRAD = torch._C.TensorBase.__dict__["grad"]
_IS_LEAF = torch._C.TensorBase.__dict__["is_leaf"]


@model(_IS_LEAF)
def is_leaf(m: Tracer, self: Value, /) -> Value:
    return boolean(is_leaf_tensor(self))


def is_leaf_tensor(tensor: Value) -> bool:
    """Whether nothing computed a tensor."""
    assert isinstance(tensor, TensorValue)
    known = tensor.seen.learn(facts.is_leaf) if tensor.seen is not None else None
    if tensor.original is not None:
        return bool(known)
    return bool(tensor.fake.is_leaf)  # which an operation in place may have changed


def is_retained(m: Tracer, tensor: TensorValue) -> bool:
    """Whether `retain_grad` was called for a tensor that is computed here."""
    return any(kept is tensor for kept in m.retained)


@model(torch._C.TensorBase.__dict__["retains_grad"])
def retains_grad(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, TensorValue)
    if self.seen is not None and not is_leaf_tensor(self):
        raise Break(UNKNOWN_OPERATION, "the gradient of a tensor that is no leaf")
    return boolean(is_retained(m, self))


@model(torch._C.TensorBase.__dict__["grad_fn"])
def grad_fn(m: Tracer, self: Value, /) -> Value:
    """What computed a tensor is known only to be nothing."""
    if not isinstance(self, TensorValue) or not is_leaf_tensor(self):
        raise Break(UNKNOWN_OPERATION, "the function that computed a tensor")
    return NONE


@model(_GRAD)
def grad(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, TensorValue)
    if self.grad is None:
        if not is_leaf_tensor(self) and not is_retained(m, self):
            raise Break(UNKNOWN_OPERATION, "the gradient of a tensor that is no leaf")
        self.grad = NONE if self.seen is None else m.lift(self.seen.child("tensor_grad"))
    return self.grad


@setter(_GRAD)
def set_grad(m: Tracer, self: Value, value: Value) -> None:
    assert isinstance(self, TensorValue)
    if not _fits(m, self, value):
        raise Break(EFFECT, "a gradient that does not fit its tensor")
    self.grad = value
    if self.seen is not None or isinstance(self, EarlyTensor):
        m.effects.add(assign_grad, self, value)  # what is made in the call is rebuilt with its gradient


def _fits(m: Tracer, tensor: TensorValue, value: Value) -> bool:
    if isinstance(value, Known) and value.obj is None:
        return True
    if not isinstance(value, TensorValue) or not (is_leaf_tensor(tensor) or is_retained(m, tensor)):
        return False
    own, other = tensor.fake, value.fake
    return own is not other and all(
        getattr(own, name) == getattr(other, name) for name in ("shape", "dtype", "device", "layout")
    )


def assign_grad(tensor: Any, value: Any) -> None:
    """For the residual."""
    tensor.grad = value


@model(torch.Tensor.requires_grad_)
def require_grad(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    if m.recorder.is_for_aot() and isinstance(self, TensorValue) and self.seen is not None:
        wanted = [*args, *kwargs.values(), Known(True)][0]
        if isinstance(wanted, Known) and isinstance(wanted.obj, bool) and is_leaf_tensor(self):
            if wanted.obj is not self.fake.requires_grad:
                _require_early(m, self, wanted.obj)
            return self
        raise _refused()
    result = torch_ops.call(m, torch.Tensor.requires_grad_, [self, *args], kwargs)
    if isinstance(self, TensorValue) and self.seen is None and self.fake.requires_grad and self.fake.is_leaf:
        torch_ops.note_leaf(m, self)
    return result


def _refused() -> Break:
    return Break(EFFECT, "a tensor of the caller's that is to require gradients, or not to")


def _require_early(m: Tracer, tensor: TensorValue, wanted: bool) -> None:
    """Before the graph, which AOTAutograd differentiates to those of its inputs that require gradients when it begins.

    So nothing may have been computed from the tensor yet.
    """
    fake = tensor.fake
    if tensor.original is not None or tensor.node.users or fake.is_inference() or not _may_require(fake.dtype):
        raise _refused()
    fake.requires_grad_(wanted)
    m.recorder.require_grad(tensor.node, wanted)
    early_steps.add(m, set_whether_required, tensor, Known(wanted))


def _may_require(dtype: torch.dtype) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def set_whether_required(tensor: Any, wanted: bool) -> None:
    """For the residual."""
    tensor.requires_grad_(wanted)


@setter(torch._C.TensorBase.__dict__["requires_grad"])
def set_requires_grad(m: Tracer, self: Value, value: Value) -> None:
    require_grad(m, self, value)
