"""Texts with data of tensors in them, which are only known when the graph has run."""

from __future__ import annotations

from collections.abc import Callable

from torch.fx import Node

from framelift.values.base import Value


class TextValue(Value):
    """What a function makes of its arguments, by the residual: pieces of text, formats, tensors as they were then."""

    __slots__ = ("function", "args", "after", "step", "copies")

    def __init__(self, function: Callable[..., str], args: list[Value], after: Node, step: int) -> None:
        super().__init__()
        self.function = function
        self.args = args
        self.after = after  # the last node of the graph at that time
        self.step = step  # of the capture
        self.copies: list[Value] | None = None  # the arguments as the residual has them

    @property
    def cls(self) -> type:
        return str
