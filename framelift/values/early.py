"""What the residual does before it calls the graph: numbers drawn from generators, parameters made.

No backend has to know of such things: what comes of them are inputs of the graph. They are done in the order of the
program, and they need nothing that the graph computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.fx import Node

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.tensor import TensorValue


class EarlyStep(NamedTuple):
    """`function(*args)`, whose result `result` stands for; `changes`: something that existed before the call."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    result: Value | None
    changes: bool


class EarlyTensor(TensorValue):
    """A tensor that such a step makes, and the graph takes."""

    __slots__ = ()

    def __init__(self, node: Node, fake: Any, cls: type) -> None:
        super().__init__(node, fake, cls)


class RandomGenerator(Value):
    """A `torch.Generator` other than the one that everyone shares."""

    __slots__ = ("device",)

    def __init__(self, device: torch.device | None, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.device = device  # where known

    @property
    def cls(self) -> type:
        return torch.Generator


class Early:
    """The steps of one capture."""

    def __init__(self) -> None:
        self.steps: list[EarlyStep] = []
        self.inputs: dict[Node, TensorValue] = {}
        self.reseeded = False  # after the graph: whatever it draws now would come too early

    @property
    def changes(self) -> bool:
        return any(step.changes for step in self.steps)
