"""`tensor.data = value`.

Outside it is an effect: the tensor gets other memory when the graph has run. In the graph something else stands for the
tensor from then on: what was given, with gradients that go to the tensor.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.graph.replaced_data import with_data_of
from framelift.models import torch_ops, torch_subclasses
from framelift.models.registry import setter
from framelift.values.base import Tracer, Value
from framelift.values.reasons import EFFECT, Break
from framelift.values.tensor import TensorValue


@setter(torch._C.TensorBase.__dict__["data"])
def set_data(m: Tracer, self: Value, value: Value) -> None:
    refused = Break(EFFECT, f"other data for a {self.cls.__name__}")
    if type(self) is not TensorValue or not isinstance(value, TensorValue):
        raise refused
    if self is not value:
        if not _fits(self, value) or _is_looked_back_at(self):
            raise refused
        replaced = torch_ops.call_nodes(m, with_data_of, [torch_ops.node_of(self), torch_ops.node_of(value)])
        assert isinstance(replaced, TensorValue)
        self.original = self.input_node
        self.node, self.fake = replaced.node, replaced.fake
    elif self.seen is None:
        raise refused
    if self.seen is not None:
        m.effects.add(_assign, self, value)


def _fits(tensor: TensorValue, value: TensorValue) -> bool:
    """Whether a tensor stays what it is but for its contents and where they are."""
    if not all(torch_subclasses.is_plain(one.cls) for one in (tensor, value)):
        return False
    own, other = tensor.fake, value.fake
    if own.layout is not torch.strided or torch._C._are_functorch_transforms_active():
        return False
    if own.is_inference() or other.is_inference():
        return False
    return all(getattr(own, name) == getattr(other, name) for name in ("shape", "dtype", "device", "layout"))


def _is_looked_back_at(tensor: TensorValue) -> bool:
    """Whether the contents of before may be asked for: they were changed, or gradients are computed with them.

    Autograd keeps a leaf as it is, and computes with whatever data it has by then.
    """
    if tensor.seen is None:
        return bool(tensor.fake.requires_grad)
    if tensor.original is None and tensor.fake._version > tensor.node.meta["version"]:
        return True
    histories = [fake.grad_fn for user in tensor.node.users for fake in _tensors(user.meta.get("example_value"))]
    if tensor.original is not None:
        return any(function is not None for function in histories)
    return _is_kept_by(histories, tensor.fake)


def _is_kept_by(functions: list[Any], leaf: Any) -> bool:
    """Whether functions of autograd, or those they lead to, have kept a leaf."""
    seen: set[Any] = set()
    pending = list(functions)
    while pending:
        function = pending.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        following = [found for found, _ in function.next_functions]
        if any(getattr(found, "variable", None) is leaf for found in following) and _keeps(function, leaf):
            return True
        pending += following
    return False


def _keeps(function: Any, leaf: Any) -> bool:
    if isinstance(function, torch.autograd.function.BackwardCFunction):
        return True  # which may have it in many ways
    names = [name for name in dir(function) if name.startswith("_saved_")]
    try:
        return any(fake is leaf for name in names for fake in _tensors(getattr(function, name)))
    except RuntimeError:
        return False  # it was used up


def _tensors(result: Any) -> list[Any]:
    if isinstance(result, torch.Tensor):
        return [result]
    return [fake for part in result for fake in _tensors(part)] if isinstance(result, tuple | list) else []


def _assign(tensor: Any, value: Any) -> None:
    """For the residual."""
    tensor.data = value
