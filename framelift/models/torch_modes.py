"""Modes that change what operations do: grad mode, autocast, inference mode, default dtype.

A change is recorded in the graph and, since the fake run of what follows depends on it, made for real at once. The
modes are thread-local; capture undoes its changes when it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


def _sets(function: Any, undo: Callable[..., Callable[[], Any]]) -> None:
    """Declare a function that changes a mode. `undo(*args)`, called before the change, gives what takes it back."""

    @model(function)
    def change(m: Tracer, *args: Value) -> Value:
        real = [arg.obj for arg in args if isinstance(arg, Known)]
        if len(real) != len(args):
            raise Break(UNKNOWN_OPERATION, f"{function.__name__} with an argument that is not constant")
        m.undo.append(undo(*real))
        return torch_ops.record(m, function, list(args))


_sets(torch._C._set_grad_enabled, lambda mode: _restoring(torch._C._set_grad_enabled, torch.is_grad_enabled()))
_sets(
    torch.set_autocast_enabled,
    lambda *args: _restoring(torch.set_autocast_enabled, *args[:-1], torch.is_autocast_enabled(*args[:-1])),
)
_sets(
    torch.set_autocast_dtype,
    lambda device, dtype: _restoring(torch.set_autocast_dtype, device, torch.get_autocast_dtype(device)),
)
_sets(
    torch.set_autocast_cache_enabled,
    lambda enabled: _restoring(torch.set_autocast_cache_enabled, torch.is_autocast_cache_enabled()),
)
_sets(torch.autocast_increment_nesting, lambda: torch.autocast_decrement_nesting)
_sets(torch.autocast_decrement_nesting, lambda: torch.autocast_increment_nesting)
_sets(torch.clear_autocast_cache, lambda: lambda: None)


def _restoring(function: Any, *args: Any) -> Callable[[], Any]:
    return lambda: function(*args)


@model(torch._C._log_api_usage_once)
def log_usage(m: Tracer, *args: Value) -> Value:
    return NONE
