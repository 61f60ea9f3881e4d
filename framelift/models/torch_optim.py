"""Optimizers: PyTorch's own code around a step has requests in it that are meant for another compiler.

It asks for graph breaks where that one wants the grad mode to be a graph's own, and keeps functions away that it could
not trace. Here modes are part of the graph, so both are traced as if nothing stood there. Profiler labels do nothing in
a graph that a backend may rearrange.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

import torch
from torch.optim import asgd, optimizer, radam

from framelift.models import entering, torch_ops
from framelift.models.controls import nested_code
from framelift.models.registry import code_model, model, polyfill
from framelift.models.symbols import takes_symbols
from framelift.values.base import Tracer, Value
from framelift.values.function import CellValue
from framelift.values.known import NONE, TRUE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence
from framelift.values.tensor import TensorValue

_with_grad_mode: CodeType | None = nested_code(optimizer._use_grad_for_differentiable, "_use_grad")


def call_with_grad_mode(
    m: Tracer, function: Value, closure: dict[str, Value], args: list[Value], kwargs: dict[str, Value]
) -> Value:
    cell = closure["func"]
    step = cell.get(m) if isinstance(cell, CellValue) else None
    assert step is not None
    return m.call(Known(_in_grad_mode), [step, *args], kwargs)


def _in_grad_mode(step: Any, self: Any, /, *args: Any, **kwargs: Any) -> Any:
    before = torch.is_grad_enabled()
    try:
        torch.set_grad_enabled(self.defaults["differentiable"])
        return step(self, *args, **kwargs)
    finally:
        torch.set_grad_enabled(before)


if _with_grad_mode is not None:
    code_model(_with_grad_mode)(call_with_grad_mode)


_label = torch.autograd.profiler.record_function


@model(_label.__enter__)
def enter_label(m: Tracer, self: Value, /) -> Value:
    entering.enter(m, _label.__enter__, self)
    return self


@model(_label.__exit__)
def leave_label(m: Tracer, self: Value, /, *raised: Value) -> Value:
    if not entering.leave(m, _label.__enter__, self):
        m.effects.add(_leave, self)
    return NONE


def _leave(label: Any) -> None:
    """For the residual."""
    label.__exit__(None, None, None)


@model(torch.Tensor.addcdiv_)
def add_quotient(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`value` is a number; a tensor is only taken for one where its data is at hand."""
    if isinstance(kwargs.get("value"), TensorValue):
        return m.call(Known(_add_quotient), [self, *args], kwargs)
    return torch_ops.call(m, torch.Tensor.addcdiv_, [self, *args], kwargs)


def _add_quotient(self: Any, dividend: Any, divisor: Any, /, *, value: Any) -> Any:
    return self.add_(value * (dividend / divisor))


def _each(one: Any, function: Any) -> None:
    """Declare what a function of lists does where its numbers are tensors, by what does it to one of each."""

    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        numbers = kwargs.get("scalars", args[3] if len(args) > 3 else None)
        items = numbers.all(m) if isinstance(numbers, Sequence) else [numbers]
        if any(isinstance(item, TensorValue) for item in items):
            return m.call(Known(one), [*args[:3], numbers])  # type: ignore[list-item]
        return torch_ops.call(m, function, list(args), kwargs)


def _add_quotients(tensors: Any, dividends: Any, divisors: Any, numbers: Any) -> None:
    for index, tensor in enumerate(tensors):
        tensor.add_(numbers[index] * (dividends[index] / divisors[index]))


def _add_products(tensors: Any, left: Any, right: Any, numbers: Any) -> None:
    for index, tensor in enumerate(tensors):
        tensor.add_(numbers[index] * (left[index] * right[index]))


_each(_add_quotients, torch._foreach_addcdiv_)
_each(_add_products, torch._foreach_addcmul_)


def _on_tensors(function: Any) -> None:
    """Declare the step of an optimizer that can be told to keep its numbers in tensors, as a graph has to."""

    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        return m.inline(function, list(args), {**kwargs, "capturable": TRUE})


for _step in (
    radam._single_tensor_radam,
    radam._multi_tensor_radam,
    asgd._single_tensor_asgd,
    asgd._multi_tensor_asgd,
):
    _on_tensors(_step)


@polyfill(torch._C._group_tensors_by_device_and_dtype)
def group_tensors(lists: Any, with_indices: bool = False) -> Any:
    groups: dict[Any, Any] = {}
    for index, first in enumerate(lists[0]):
        key = (first.device, first.dtype)
        if key not in groups:
            groups[key] = ([[] for _ in lists], [])
        members, indices = groups[key]
        for position, items in enumerate(lists):
            members[position].append(items[index])
        if with_indices:
            indices.append(index)
    return groups


def _fused(function: Any) -> None:
    """A step in one kernel, in place, which AOTAutograd has no form of that it could trace."""

    @model(function)
    def step(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        if m.recorder.is_for_aot():
            raise Break(UNKNOWN_OPERATION, function, "which AOTAutograd cannot trace")
        return torch_ops.call(m, function, list(args), kwargs)

    takes_symbols(function)


for _name in ("_fused_adam_", "_fused_adamw_", "_fused_sgd_", "_fused_adagrad_"):
    if hasattr(torch, _name):
        _fused(getattr(torch, _name))
