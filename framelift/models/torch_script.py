"""Methods that PyTorch's C++ makes, and functions compiled by TorchScript among what they are called on.

A TorchScript function remembers the Python function it was made from: that one is traced.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.function import MethodValue
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_CALL, Break

_ORIGINAL = "_torchdynamo_inline"  # the name under which TorchScript keeps the original

_Method: Any = next(type(part) for part in vars(torch._C.Graph).values() if type(part).__name__ == "instancemethod")


@model(_Method.__get__)
def bind_method(m: Tracer, self: Value, instance: Value, owner: Value | None = None, /) -> Value:
    """It binds as a function does."""
    return self if isinstance(instance, Known) and instance.obj is None else MethodValue(self, instance)


@model(_Method.__call__)
def call_method(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    assert isinstance(self, Known)
    function = self.obj.__func__
    if not args or not issubclass(args[0].cls, torch._C.ScriptFunction) or function.__name__ != "__call__":
        return m.call(Known(function), list(args), kwargs)
    try:
        original = m.getattr(args[0], _ORIGINAL)
    except Raised:
        raise Break(UNKNOWN_CALL, "a TorchScript function without its original") from None
    return m.call(original, list(args[1:]), kwargs)
