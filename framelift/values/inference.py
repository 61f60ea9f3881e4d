"""The object behind `torch.inference_mode`: making it enters the mode."""

from __future__ import annotations

import torch

from framelift.values.base import Value


class InferenceGuard(Value):
    """One made in the call; `active` until it has been left. `before`: the grad mode that it brings back then."""

    __slots__ = ("mode", "before", "active")

    def __init__(self, mode: bool, before: bool) -> None:
        super().__init__()
        self.mode = mode
        self.before = before
        self.active = True

    @property
    def cls(self) -> type:
        found: type = torch._C._InferenceMode
        return found
