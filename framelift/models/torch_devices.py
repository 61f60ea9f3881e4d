"""`torch.device(...)`: a literal made of literals."""

from __future__ import annotations

import torch

from framelift.models.contents import known_class
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


@model(torch.device.__new__)
def make(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    given = [*args, *kwargs.values()]
    if known_class(cls) is not torch.device or not all(isinstance(arg, Known) and arg.literal for arg in given):
        raise Break(UNKNOWN_OPERATION, "a device described by something that is not constant")
    real = [arg.obj for arg in args if isinstance(arg, Known)]
    named = {name: arg.obj for name, arg in kwargs.items() if isinstance(arg, Known)}
    try:
        return Known(torch.device(*real, **named))
    except (TypeError, RuntimeError) as error:
        m.throw(error.__class__, *error.args)
