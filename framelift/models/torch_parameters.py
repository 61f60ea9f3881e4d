"""`nn.Parameter` made in the call.

The residual makes the parameter, without contents, and the graph takes it as an input and fills it. So it is a leaf for
every backend, gradients come to it, and it is the same object in the graph and outside.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import early_steps
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyTensor
from framelift.values.known import FALSE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue


class _Make:
    """Makes a parameter like a fake one. For the residual too."""

    def __init__(self, fake: Any, requires_grad: bool) -> None:
        self.like = tuple(fake.shape), tuple(fake.stride())
        self.options = {"dtype": fake.dtype, "device": fake.device}
        self.requires_grad = requires_grad

    def __call__(self) -> Any:
        return torch.nn.Parameter(torch.empty_strided(*self.like, **self.options), self.requires_grad)


@model(torch.Tensor._make_subclass)
def make(m: Tracer, cls: Value, data: Value, requires_grad: Value = FALSE, /) -> Value:
    if not isinstance(cls, Known) or cls.obj is not torch.nn.Parameter:
        raise Break(UNKNOWN_OPERATION, f"a {getattr(cls, 'obj', cls.cls).__name__} made of a tensor")
    if not isinstance(data, TensorValue) or not isinstance(requires_grad, Known):
        raise Break(UNKNOWN_OPERATION, "a parameter made of something else than a tensor")
    _check_own(m, data)
    shape = _Make(data.fake, bool(requires_grad.obj))
    made = early_steps.tensor(m, "parameter", shape)
    early_steps.add(m, shape, result=made, changes=False)
    m.call(Known(_fill), [made, data])
    if not data.fake.requires_grad:
        _share(m, made, data)
    elif m.is_held(data):
        raise Break(UNKNOWN_OPERATION, "a parameter made of a tensor with a history that is used on")
    return made


def _fill(parameter: Any, data: Any) -> None:
    with torch.no_grad():
        parameter.copy_(data)


def _check_own(m: Tracer, data: TensorValue) -> None:
    """The parameter takes the memory of its tensor over: nobody else may have it."""
    fake = data.fake
    if data.seen is not None or isinstance(data, EarlyTensor) or fake.layout is not torch.strided:
        raise Break(UNKNOWN_OPERATION, "a parameter in memory that existed before the call")
    if torch.is_inference_mode_enabled() or torch._C._are_functorch_transforms_active():
        raise Break(UNKNOWN_OPERATION, "a parameter made where there are no gradients")
    storage = fake.untyped_storage()._cdata
    for node in m.recorder.graph.nodes:
        other = node.meta.get("example_value")
        if isinstance(other, torch.Tensor) and other is not fake and _storage(other) == storage:
            raise Break(UNKNOWN_OPERATION, "a parameter in memory that another tensor has too")


def _storage(fake: Any) -> int | None:
    return fake.untyped_storage()._cdata if fake.layout is torch.strided else None


def _share(m: Tracer, parameter: TensorValue, data: TensorValue) -> None:
    """From now on the tensor is a view of the parameter."""
    view = m.call(Known(torch.Tensor.detach), [parameter])
    assert isinstance(view, TensorValue)
    data.node, data.fake = view.node, view.fake
