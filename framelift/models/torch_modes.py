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


def _sets(function: Any, ask: Callable[..., Any]) -> None:
    """Declare `function(*what, value)`, which changes the mode that `ask(*what)` gives."""

    @model(function)
    def change(m: Tracer, *args: Value) -> Value:
        *what, value = _constants(function, args)
        before = ask(*what)
        m.undo.append(lambda: function(*what, before))
        result = torch_ops.record(m, function, list(args))
        first, _ = m.modes.get((function, *what), (before, before))
        m.modes[function, *what] = first, value
        return result


_sets(torch._C._set_grad_enabled, torch.is_grad_enabled)
_sets(torch.set_autocast_enabled, torch.is_autocast_enabled)
_sets(torch.set_autocast_dtype, torch.get_autocast_dtype)
_sets(torch.set_autocast_cache_enabled, torch.is_autocast_cache_enabled)


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


def _constants(function: Any, args: tuple[Value, ...]) -> list[Any]:
    real = [arg.obj for arg in args if isinstance(arg, Known)]
    if len(real) != len(args):
        raise Break(UNKNOWN_OPERATION, f"{function.__name__} with an argument that is not constant")
    return real


@model(torch._C._log_api_usage_once)
def log_usage(m: Tracer, *args: Value) -> Value:
    return NONE
