"""What PyTorch code asks about the state it runs in. The answers are covered by the guard on the global state."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import torch_function_modes, torch_subclasses
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, TRUE, Known, boolean


def _answers(value: Value, *functions: Any) -> None:
    for function in functions:
        model(function)(lambda m, *args, **kwargs: value)


_answers(NONE, torch._C._get_tracing_state)
_answers(Known(0), torch._C._len_torch_dispatch_stack)  # no call under a dispatch mode is captured
_answers(
    TRUE,
    torch.compiler.is_compiling,
    torch.compiler.is_dynamo_compiling,
    torch._utils.is_compiling,
)
_answers(FALSE, torch.jit.is_scripting, torch.jit.is_tracing, torch.compiler.is_exporting)


def _asks(*functions: Any) -> None:
    """The answer is part of the global state: the same as now for as long as the guards hold."""
    for function in functions:

        def answer(m: Tracer, *args: Value, function: Any = function) -> Value:
            return m.constant(function(*(arg.obj for arg in args if isinstance(arg, Known))))

        model(function)(answer)


_asks(
    torch.is_grad_enabled,
    torch.is_inference_mode_enabled,
    torch.is_autocast_enabled,
    torch.is_autocast_cpu_enabled,
    torch.get_autocast_dtype,
    torch.is_autocast_cache_enabled,
    torch._C._is_autocast_available,
    torch._C._get_privateuse1_backend_name,
    torch._C._is_torch_function_all_disabled,
    torch.get_default_dtype,
    torch._C._is_torch_function_enabled,
    torch.are_deterministic_algorithms_enabled,
    torch.is_deterministic_algorithms_warn_only_enabled,
    torch._C._get_cudnn_enabled,
    torch._C._get_cudnn_benchmark,
    torch._C._get_cudnn_deterministic,
    torch._C._get_cudnn_allow_tf32,
    torch._C._get_mkldnn_enabled,
    torch._C._get_mkldnn_deterministic,
    torch._C._get_nnpack_enabled,
    torch._C._get_float32_matmul_precision,
    torch._C._get_cublas_allow_tf32,
    torch._C._get_cublas_allow_fp16_reduced_precision_reduction,
    torch._C._get_cublas_allow_bf16_reduced_precision_reduction,
    torch._C._get_cublas_allow_fp16_accumulation,
    torch._C._get_deterministic_fill_uninitialized_memory,
    torch.is_anomaly_enabled,
    torch.is_anomaly_check_nan_enabled,
    torch._C._is_fwd_grad_enabled,
    torch._C._get_flash_sdp_enabled,
    torch._C._get_mem_efficient_sdp_enabled,
    torch._C._get_math_sdp_enabled,
    torch._C._get_math_sdp_allow_fp16_bf16_reduction,
    torch._C._get_cudnn_sdp_enabled,
    torch._C._get_overrideable_sdp_enabled,
    torch._C._functorch.get_inplace_requires_grad_allowed,
)


@model(torch._C._has_torch_function, torch._C._has_torch_function_unary, torch._C._has_torch_function_variadic)
def has_torch_function(m: Tracer, *args: Value) -> Value:
    if m.function_modes and not torch_function_modes.only_devices(m):
        return boolean(torch._C._is_torch_function_enabled())
    return boolean(bool(torch_subclasses.overriding(m, args)))
