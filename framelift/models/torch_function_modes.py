"""Modes that see every call of a function of PyTorch: `with torch.device(...)`, `TorchFunctionMode`.

The stack of them is kept by the tracer. What a mode makes of a call is traced in place of the call, and the graph knows
nothing of modes; the real stack changes only where capture ends with another one than it began with.
"""

from __future__ import annotations

import inspect
import operator
from functools import cache
from typing import Any, ClassVar

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device
from torch.utils._device import DeviceContext

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.tensor import TensorValue

_DEVICE_FUNCTION = DeviceContext.__torch_function__


def _is_device(mode: Value) -> bool:
    return mode.cls is DeviceContext and DeviceContext.__torch_function__ is _DEVICE_FUNCTION


def only_devices(m: Tracer) -> bool:
    """Whether no mode does more than give factories a device."""
    return all(map(_is_device, m.function_modes))


def is_factory(function: Any) -> bool:
    """Whether a function makes tensors of a dtype and on a device that may be given."""
    return function in _device._device_constructors()


def with_device(m: Tracer, function: Any, kwargs: dict[str, Value]) -> dict[str, Value]:
    """The keywords of a call, with the device of the innermost `with torch.device(...)` where there is none."""
    if not is_factory(function):
        return kwargs
    given = kwargs.get("device", NONE)
    if not (isinstance(given, Known) and given.obj is None):
        return kwargs
    if not m.function_modes:
        raise Break(UNKNOWN_OPERATION, "a tensor made where the default device has been taken away")
    return {**kwargs, "device": m.getattr(m.function_modes[-1], "device")}


def dispatch(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value], classes: list[type]) -> Value:
    """Have the innermost mode say what a call does, with the others around it. A break in there is one at the call."""
    if getattr(operator, getattr(function, "__name__", ""), None) is function:
        function, args = _as_seen(function, args)
    keywords = DictValue()
    for name, value in kwargs.items():
        keywords.put(m, Known(name), value)
    types = TupleValue([Known(cls) for cls in classes], tuple)
    mode = m.function_modes.pop()
    try:
        method = m.getattr(mode, "__torch_function__")
        result = m.call(method, [Known(function), types, TupleValue(list(args), tuple), keywords])
    finally:
        m.function_modes.append(mode)
    if isinstance(result, Known) and result.obj is NotImplemented:
        raise Break(UNKNOWN_OPERATION, function, "that a torch-function mode does not implement")
    return result


def attribute(m: Tracer, tensor: TensorValue, name: str) -> Value:
    """`tensor.name`, which modes see as a call of what the descriptor of that name does."""
    getter = inspect.getattr_static(torch.Tensor, name).__get__
    return dispatch(m, getter, [tensor], {}, [])


_OF_INTEGERS = frozenset(
    {"and", "or", "xor", "lshift", "rshift", "invert", "inv", "iand", "ior", "ixor", "getitem", "setitem"}
)


class _Probe(TorchFunctionMode):
    calls: ClassVar[list[tuple[Any, tuple[Any, ...]]]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        _Probe.calls.append((func, args))
        return func(*args, **(kwargs or {}))


def _as_seen(function: Any, args: list[Value]) -> tuple[Any, list[Value]]:
    """What a mode is told of an operator: the function of `torch.Tensor` behind it, and its arguments."""
    seen, order = _probed(function, tuple(isinstance(arg, TensorValue) for arg in args))
    return seen, [args[index] for index in order]


@cache
def _probed(function: Any, tensors: tuple[bool, ...]) -> tuple[Any, list[int]]:
    """Ask PyTorch, with a mode that writes down what it is told."""
    dtype = torch.int64 if function.__name__.strip("_") in _OF_INTEGERS else torch.float32
    given: list[Any] = [torch.zeros(1, dtype=dtype, device="cpu") if tensor else 0 for tensor in tensors]
    _Probe.calls.clear()
    with _Probe():
        function(*given)
    seen, args = _Probe.calls[0]
    return seen, [next(index for index, one in enumerate(given) if one is arg) for arg in args]


# The stack


@model(torch._C._push_on_torch_function_stack)
def push(m: Tracer, mode: Value, /) -> Value:
    if not isinstance(mode, InstanceValue) or not issubclass(mode.cls, TorchFunctionMode):
        raise Break(UNKNOWN_OPERATION, "an unusual torch-function mode")
    m.function_modes.append(mode)
    return NONE


@model(torch._C._pop_torch_function_stack)
def pop(m: Tracer, /) -> Value:
    if not m.function_modes:
        raise Break(UNKNOWN_OPERATION, "taking a torch-function mode off an empty stack")
    mode: Value = m.function_modes.pop()
    return mode


@model(torch._C._len_torch_function_stack)
def depth(m: Tracer, /) -> Value:
    return Known(len(m.function_modes))


@model(torch._C._get_function_stack_at)
def at(m: Tracer, index: Value, /) -> Value:
    if not isinstance(index, Known) or not 0 <= index.obj < len(m.function_modes):
        raise Break(UNKNOWN_OPERATION, "a torch-function mode that is not on the stack")
    mode: Value = m.function_modes[index.obj]
    return mode


@model(torch._C._is_torch_function_mode_enabled)
def is_enabled(m: Tracer, /) -> Value:
    return boolean(bool(m.function_modes) and torch._C._is_torch_function_enabled())


@polyfill(torch.device.__enter__)
def enter_device(self: Any) -> Any:
    torch._C._push_on_torch_function_stack(DeviceContext(self))
    return self


@polyfill(torch.device.__exit__)
def leave_device(self: Any, *raised: Any) -> None:
    torch._C._pop_torch_function_stack()


@model(torch.set_default_device)
def set_default(m: Tracer, device: Value) -> Value:
    raise Break(EFFECT, "the default device of the thread")


_default_device: Any = torch.get_default_device


@model(_default_device)
def default_device(m: Tracer) -> Value:
    """With no mode on the stack there is no other default than this."""
    if not any(issubclass(mode.cls, DeviceContext) for mode in m.function_modes):
        return Known(torch.device("cpu"))
    return m.inline(_default_device, [])


def set_stack(*modes: Any) -> None:
    """For the residual: make these the modes on the stack."""
    for _ in range(torch._C._len_torch_function_stack()):
        torch._C._pop_torch_function_stack()
    for mode in modes:
        torch._C._push_on_torch_function_stack(mode)
