"""`torch.device(...)`: devices are literals."""

from __future__ import annotations

import torch

from framelift.models.registry import model
from framelift.models.torch_modes import constants
from framelift.values.base import Tracer, Value


@model(torch.device.__new__)
def make_device(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    given = constants(torch.device, args)
    named = dict(zip(kwargs, constants(torch.device, tuple(kwargs.values())), strict=True))
    try:
        return m.constant(torch.device(*given, **named))
    except (RuntimeError, TypeError, ValueError) as error:
        m.throw(type(error), *error.args)
