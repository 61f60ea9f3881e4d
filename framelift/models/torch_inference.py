"""`torch.inference_mode`.

While capturing it is entered for real, so that the fakes are what the tensors will be. In the graph it is grad mode
switched off, which every backend understands; the residual makes the tensors that come out ones of inference mode.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import entering
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.inference import InferenceGuard
from framelift.values.known import NONE, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break

_InferenceMode: Any = torch._C._InferenceMode
_ENTER, _EXIT = (vars(_InferenceMode)[name] for name in ("__enter__", "__exit__"))


class _Leave:
    """Leaves the mode again, of which `real` is the guard."""

    def __init__(self, guard: InferenceGuard) -> None:
        self.guard = guard
        self.real: Any = None

    def __call__(self) -> None:
        self.real.__exit__(None, None, None)


@model(_InferenceMode)
def make(m: Tracer, mode: Value, /) -> Value:
    """Making the guard enters the mode."""
    if not isinstance(mode, Known):
        raise Break(UNKNOWN_OPERATION, "inference mode by a flag that is not constant")
    guard = InferenceGuard(bool(mode.obj), torch.is_grad_enabled())
    leave = _Leave(guard)
    _set_grad_mode(m, not guard.mode)
    leave.real = _InferenceMode(guard.mode)
    m.undo.append(leave)
    entering.enter(m, _keep, guard)
    return guard


@model(_ENTER)
def enter(m: Tracer, self: Value, /) -> Value:
    return NONE


@model(_EXIT)
def leave(m: Tracer, self: Value, /, *raised: Value) -> Value:
    last = next((undo for undo in reversed(m.undo) if isinstance(undo, _Leave)), None)
    if last is None or last.guard is not self or not isinstance(self, InferenceGuard):
        raise Break(UNKNOWN_OPERATION, "leaving an inference mode entered before the call")
    entering.leave(m, _keep, self)
    self.active = False
    m.undo.remove(last)
    last()
    _set_grad_mode(m, self.before)
    return NONE


def _set_grad_mode(m: Tracer, on: bool) -> None:
    m.call(Known(torch._C._set_grad_enabled), [boolean(on)])


def _keep(guard: Any) -> None:
    """For the residual, which enters the mode by making the guard."""


def guard(mode: bool, active: bool, before: bool) -> Any:
    """For the residual: the guard, which is left or not. What has become of the grad mode stays."""
    now = torch.is_grad_enabled()
    torch._C._set_grad_enabled(before)
    made = _InferenceMode(mode)
    if not active:
        made.__exit__(None, None, None)
    torch._C._set_grad_enabled(now)
    return made


def of_inference(tensor: Any) -> Any:
    """For the residual: a tensor of the graph as one of inference mode, with the same data."""
    if tensor.is_inference():
        return tensor
    with torch.inference_mode():
        if tensor.layout is not torch.strided:
            return tensor.clone()
        made = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        return made.set_(tensor.untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride())
