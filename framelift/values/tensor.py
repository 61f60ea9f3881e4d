"""Tensors: a node of the graph and the fake that stands for the data."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch.fx import Node

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.namespace import Namespace


class TensorValue(Value):
    """A tensor in the graph."""

    __slots__ = ("node", "fake", "_cls", "attributes", "grad")

    def __init__(self, node: Node, fake: Any, cls: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.node = node
        self.fake = fake
        self._cls = cls
        self.attributes = Namespace(seen, attribute=True)
        self.grad: Value | None = None  # as read or assigned in the call

    @property
    def cls(self) -> type:
        return self._cls


class MadeLeaf(NamedTuple):
    """A tensor made in the call that requires gradients of its own, and the step at which it began to."""

    tensor: TensorValue
    step: int
