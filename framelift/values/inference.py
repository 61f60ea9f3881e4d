"""The object behind `torch.inference_mode`: making it enters the mode."""

from __future__ import annotations

import torch

from framelift.values.base import Value


class InferenceGuard(Value):
    """One made in the call; `active` until it has been left."""

    __slots__ = ("mode", "active")

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = mode
        self.active = True

    @property
    def cls(self) -> type:
        found: type = torch._C._InferenceMode
        return found
