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
from framelift.values.known import FALSE, NONE, TRUE, Known
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
sets(torch._C._set_default_dtype, torch.get_default_dtype)
sets(torch._C._set_cudnn_enabled, torch._C._get_cudnn_enabled)
sets(torch._C._set_cudnn_benchmark, torch._C._get_cudnn_benchmark)
sets(torch._C._set_cudnn_deterministic, torch._C._get_cudnn_deterministic)
sets(torch._C._set_mkldnn_enabled, torch._C._get_mkldnn_enabled)
sets(torch._C._set_mkldnn_deterministic, torch._C._get_mkldnn_deterministic)
sets(torch._C._set_float32_matmul_precision, torch._C._get_float32_matmul_precision)
sets(torch._C._set_cublas_allow_tf32, torch._C._get_cublas_allow_tf32)
sets(torch._C._set_deterministic_fill_uninitialized_memory, torch._C._get_deterministic_fill_uninitialized_memory)
sets(torch._C._set_sdp_use_flash, torch._C._get_flash_sdp_enabled)
sets(torch._C._set_sdp_use_mem_efficient, torch._C._get_mem_efficient_sdp_enabled)
sets(torch._C._set_sdp_use_math, torch._C._get_math_sdp_enabled)
sets(torch._C._set_sdp_use_cudnn, torch._C._get_cudnn_sdp_enabled)
sets(torch._C._set_sdp_use_overrideable, torch._C._get_overrideable_sdp_enabled)


def _determinism() -> int:
    return torch.are_deterministic_algorithms_enabled() + 2 * torch.is_deterministic_algorithms_warn_only_enabled()


def set_determinism(level: int) -> None:
    """Have only deterministic algorithms (1), and only warn of others (2)."""
    torch._C._set_deterministic_algorithms(bool(level & 1), warn_only=bool(level & 2))


def _anomalies() -> int:
    return torch.is_anomaly_enabled() + 2 * torch.is_anomaly_check_nan_enabled()


def set_anomalies(level: int) -> None:
    """Note where operations come from (1), and look for NaN in gradients (2)."""
    torch.set_anomaly_enabled(bool(level & 1), bool(level & 2))


sets(set_determinism, _determinism)
sets(set_anomalies, _anomalies)


@model(torch._C._set_deterministic_algorithms)
def set_deterministic(m: Tracer, mode: Value, /, warn_only: Value = FALSE) -> Value:
    return m.call(Known(set_determinism), [_level(set_determinism, mode, warn_only)])


@model(torch.set_anomaly_enabled)
def set_anomaly(m: Tracer, enabled: Value, check_nan: Value = TRUE) -> Value:
    return m.call(Known(set_anomalies), [_level(set_anomalies, enabled, check_nan)])


def _level(function: Any, *flags: Value) -> Value:
    first, second = constants(function, flags)
    return Known(bool(first) + 2 * bool(second))


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
