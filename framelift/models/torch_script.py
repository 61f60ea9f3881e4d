"""Functions compiled by TorchScript, which remember the Python function they were made from: that one is traced."""

from __future__ import annotations

import torch

from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.reasons import UNKNOWN_CALL, Break

_ORIGINAL = "_torchdynamo_inline"  # the name under which TorchScript keeps the original


@model(torch._C.ScriptFunction.__dict__["__call__"].__func__)
def call_script(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    try:
        original = m.getattr(self, _ORIGINAL)
    except Raised:
        raise Break(UNKNOWN_CALL, "a TorchScript function without its original") from None
    return m.call(original, list(args), kwargs)
