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

SETTINGS: list[tuple[Callable[[Any], Any], Callable[[], Any]]] = []
"""Modes of which there is one in a thread or in the process: what sets it, and what tells it."""


def sets(function: Any, ask: Callable[..., Any], kinds: bool = False) -> None:
    """Declare `function(*what, value)`, which changes the mode that `ask(*what)` gives; `kinds`: there is a `what`."""
    if not kinds:
        SETTINGS.append((function, ask))

    @model(function)
    def change(m: Tracer, *args: Value) -> Value:
        *what, value = constants(function, args)
        before = ask(*what)
        m.undo.append(lambda: function(*what, before))
        result = torch_ops.record(m, function, list(args))
        first, _ = m.modes.get((function, *what), (before, before))
        m.modes[function, *what] = first, value
        return result


sets(torch._C._set_grad_enabled, torch.is_grad_enabled)
sets(torch.set_autocast_enabled, torch.is_autocast_enabled, kinds=True)
sets(torch.set_autocast_dtype, torch.get_autocast_dtype, kinds=True)
sets(torch.set_autocast_cache_enabled, torch.is_autocast_cache_enabled)
sets(torch._C._set_sdp_use_flash, torch._C._get_flash_sdp_enabled)
sets(torch._C._set_sdp_use_mem_efficient, torch._C._get_mem_efficient_sdp_enabled)
sets(torch._C._set_sdp_use_math, torch._C._get_math_sdp_enabled)
sets(torch._C._set_sdp_use_cudnn, torch._C._get_cudnn_sdp_enabled)
sets(torch._C._set_sdp_use_overrideable, torch._C._get_overrideable_sdp_enabled)


def _counts(function: Any, back: Any) -> None:
    """Declare a function that takes part in counting how deep autocast is nested."""

    @model(function)
    def change(m: Tracer) -> Value:
        m.undo.append(back)
        return torch_ops.record(m, function, [])


_counts(torch.autocast_increment_nesting, torch.autocast_decrement_nesting)
_counts(torch.autocast_decrement_nesting, torch.autocast_increment_nesting)


@model(torch.clear_autocast_cache)
def clear_cache(m: Tracer) -> Value:
    return torch_ops.record(m, torch.clear_autocast_cache, [])


def constants(function: Any, args: tuple[Value, ...]) -> list[Any]:
    real = [arg.obj for arg in args if isinstance(arg, Known)]
    if len(real) != len(args):
        raise Break(UNKNOWN_OPERATION, f"{function.__name__} with an argument that is not constant")
    return real


@model(torch._C._log_api_usage_once)
def log_usage(m: Tracer, *args: Value) -> Value:
    return NONE
