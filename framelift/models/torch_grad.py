"""What tensors keep for autograd: gradients read and assigned, and whether a tensor is a leaf."""

from __future__ import annotations

from typing import Any

import torch

from framelift.guards import facts
from framelift.models import torch_ops
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
    return boolean(_leaf(self))


def _leaf(tensor: Value) -> bool:
    assert isinstance(tensor, TensorValue)
    known = tensor.seen.learn(facts.is_leaf) if tensor.seen is not None else None
    if tensor.original is not None:
        return bool(known)
    return bool(tensor.fake.is_leaf)  # which an operation in place may have changed


@model(torch._C.TensorBase.__dict__["grad_fn"])
def grad_fn(m: Tracer, self: Value, /) -> Value:
    """What computed a tensor is known only to be nothing."""
    if not isinstance(self, TensorValue) or not _leaf(self):
        raise Break(UNKNOWN_OPERATION, "the function that computed a tensor")
    return NONE


@model(_GRAD)
def grad(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, TensorValue)
    if self.grad is None:
        if not _leaf(self):
            raise Break(UNKNOWN_OPERATION, "the gradient of a tensor that is no leaf")
        self.grad = NONE if self.seen is None else m.lift(self.seen.child("tensor_grad"))
    return self.grad


@setter(_GRAD)
def set_grad(m: Tracer, self: Value, value: Value) -> None:
    assert isinstance(self, TensorValue)
    if not _fits(self, value):
        raise Break(EFFECT, "a gradient that does not fit its tensor")
    self.grad = value
    if self.seen is not None or isinstance(self, EarlyTensor):
        m.effects.add(assign_grad, self, value)  # what is made in the call is rebuilt with its gradient


def _fits(tensor: TensorValue, value: Value) -> bool:
    if isinstance(value, Known) and value.obj is None:
        return True
    if not isinstance(value, TensorValue) or not _leaf(tensor):
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
        if isinstance(wanted, Known) and wanted.obj is self.fake.requires_grad and _leaf(self):
            return self
        raise Break(EFFECT, "a tensor of the caller's that is to require gradients, or not to")
    result = torch_ops.call(m, torch.Tensor.requires_grad_, [self, *args], kwargs)
    if isinstance(self, TensorValue) and self.seen is None and self.fake.requires_grad and self.fake.is_leaf:
        torch_ops.note_leaf(m, self)
    return result


@setter(torch._C.TensorBase.__dict__["requires_grad"])
def set_requires_grad(m: Tracer, self: Value, value: Value) -> None:
    require_grad(m, self, value)
