"""Frames of the program, as `sys._getframe` gives them."""

from __future__ import annotations

from types import FrameType
from typing import Any

from framelift.values.base import Value


class FrameValue(Value):
    """A frame that is being captured. What it runs can be asked for, not what its variables hold."""

    __slots__ = ("frame",)

    def __init__(self, frame: Any) -> None:
        super().__init__()
        self.frame = frame

    @property
    def cls(self) -> type:
        return FrameType
