"""PyTorch's modules of settings (`torch._inductor.config` and its like): assigning to one is replayed as it is."""

from __future__ import annotations

from typing import Any

from torch.utils import _config_module

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.reasons import EFFECT, Break

_ConfigModule: Any = _config_module.ConfigModule


@model(_ConfigModule.__setattr__)
def assign(m: Tracer, self: Value, name: Value, value: Value, /) -> Value:
    """From now on the module seems to have the name itself, where look-ups find it first."""
    if self.seen is None or not isinstance(name, Known):
        raise Break(EFFECT, "a setting of PyTorch that cannot be reached again")
    m.namespace(self.seen.child("dict")).set(name.obj, value)
    m.effects.add(setattr, self, name, value)
    return NONE
