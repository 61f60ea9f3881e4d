"""Tensors: a node of the graph and the fake that stands for the data."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch.fx import Node

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.namespace import Namespace


class TensorValue(Value):
    """A tensor in the graph."""

    __slots__ = ("node", "fake", "_cls", "attributes", "grad", "original")

    def __init__(self, node: Node, fake: Any, cls: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.node = node
        self.fake = fake
        self._cls = cls
        self.attributes = Namespace(seen, attribute=True)
        self.grad: Value | None = None  # as read or assigned in the call

        self.original: Node | None = None  # the input of the graph, where the tensor was given other data since

    @property
    def input_node(self) -> Node:
        """As which the graph gets a tensor that existed before."""
        return self.node if self.original is None else self.original

    @property
    def cls(self) -> type:
        return self._cls


class MadeLeaf(NamedTuple):
    """A tensor made in the call that requires gradients of its own, and the step at which it began to."""

    tensor: TensorValue
    step: int
