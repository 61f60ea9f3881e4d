"""Subclasses of `torch.Tensor` that see every operation by `__torch_function__`.

Such a method is traced in place of the operation. Inside of the graph there are only plain tensors: what class a tensor
has is known here, inputs are handed to the graph as plain ones, and results are given their class when it has run.
"""

from __future__ import annotations

import inspect
import operator
from functools import cache
from typing import Any, ClassVar

import torch
from torch.nn import parameter
from torch.overrides import get_default_nowrap_functions

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.tensor import TensorValue

_disabled: Any = torch._C._disabled_torch_function_impl
_uninitialized: Any = vars(parameter)["UninitializedTensorMixin"]
_convert: Any = torch._tensor._convert
DisableTorchFunctionSubclass: Any = torch._C.DisableTorchFunctionSubclass


def is_plain(cls: Any) -> bool:
    """Whether operations on tensors of a class are just that."""
    if cls is torch.Tensor or cls is torch.nn.Parameter:
        return True
    method = getattr(cls.__torch_function__, "__func__", cls.__torch_function__)
    return bool(method is _disabled)


def _says_itself(arg: Value) -> bool:
    """Whether it is for the class of a tensor, or of something like one, to say what operations do with it."""
    if isinstance(arg, TensorValue):
        return not is_plain(arg.cls)
    method = inspect.getattr_static(arg.cls, "__torch_function__", None) if isinstance(arg, InstanceValue) else None
    return isinstance(method, classmethod)


def overriding(m: Tracer, args: Any) -> list[type]:
    """The classes among the arguments that want to see an operation, in the order in which they are asked."""
    if not torch._C._is_torch_function_enabled():
        return []
    found: list[type] = []
    for arg in args:
        if _says_itself(arg):
            if arg.cls not in found:
                later = [index for index, cls in enumerate(found) if issubclass(arg.cls, cls)]
                found.insert(later[0] if later else len(found), arg.cls)
        elif isinstance(arg, Sequence) and issubclass(arg.cls, tuple | list):
            found += [cls for cls in overriding(m, arg.all(m)) if cls not in found]
    return found


def dispatch(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value], classes: list[type]) -> Value:
    """Have the classes say what an operation does. A break in there is one at the operation."""
    if getattr(operator, getattr(function, "__name__", ""), None) is function:
        function, args = _as_seen(function, args, classes)
    keywords = DictValue()
    for name, value in kwargs.items():
        keywords.put(m, Known(name), value)
    types = TupleValue([Known(cls) for cls in classes], tuple)
    for cls in classes:
        method = m.getattr(Known(cls), "__torch_function__")
        result = m.call(method, [Known(function), types, TupleValue(list(args), tuple), keywords])
        if not (isinstance(result, Known) and result.obj is NotImplemented):
            return result
    raise Break(UNKNOWN_OPERATION, function, "that no tensor subclass implements")


def _as_seen(function: Any, args: list[Value], classes: list[type]) -> tuple[Any, list[Value]]:
    """What a subclass is told of an operator: the function of `torch.Tensor` behind it, and its arguments."""
    method = f"__{function.__name__.strip('_')}__"
    if not all(issubclass(cls, torch.Tensor) for cls in classes):
        raise Break(UNKNOWN_OPERATION, f"{method} of a tensor and what is like one")
    if any(getattr(cls, name, None) is not getattr(torch.Tensor, name, None) for cls in classes for name in (
        method, f"__r{method[2:]}",
    )):  # fmt: skip
        raise Break(UNKNOWN_OPERATION, f"the {method} of a tensor subclass")
    kinds = tuple(
        ("special" if not is_plain(arg.cls) else "plain") if isinstance(arg, TensorValue) else "" for arg in args
    )
    seen, order = _probed(function, kinds)
    return seen, [args[index] for index in order]


class _Probe(torch.Tensor):
    calls: ClassVar[list[tuple[Any, tuple[Any, ...]]]] = []

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        _Probe.calls.append((func, args))
        default: Any = super().__torch_function__
        return default(func, types, args, kwargs or {})


@cache
def _probed(function: Any, kinds: tuple[str, ...]) -> tuple[Any, list[int]]:
    """Ask PyTorch, with tensors of a class that writes down what it is told."""
    given = [torch.ones(1).as_subclass(_Probe) if kind == "special" else torch.ones(1) if kind else 0 for kind in kinds]
    _Probe.calls.clear()
    function(*given)
    seen, args = _Probe.calls[0]
    return seen, [next(index for index, one in enumerate(given) if one is arg) for arg in args]


@model(torch.Tensor.as_subclass)
def as_subclass(m: Tracer, self: Value, cls: Value, /) -> Value:
    """The same data as a tensor of another class."""
    if not isinstance(self, TensorValue) or not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "as_subclass() with a class made during the call")
    refuse_dispatching(cls.obj)
    alias, fake = torch.ops.aten.alias.default, self.fake
    node, made = m.recorder.call("call_function", alias, (self.node,), {}, lambda: alias(fake))
    return TensorValue(node, made, cls.obj)


@polyfill(torch.Tensor.__torch_function__.__func__)  # type: ignore[attr-defined]
def default_function(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """What a subclass inherits: do it, and give results the class."""
    if not all(issubclass(cls, other) for other in types):
        return NotImplemented
    with DisableTorchFunctionSubclass():
        result = func(*args, **({} if kwargs is None else kwargs))
        return result if keeps_class(func) else _convert(result, cls)


def keeps_class(function: Any) -> bool:
    """Whether results of a function are left as they are."""
    return function in get_default_nowrap_functions()


@model(keeps_class)
def answer_keeps_class(m: Tracer, function: Value, /) -> Value:
    return boolean(isinstance(function, Known) and keeps_class(function.obj))


def refuse_dispatching(cls: Any) -> None:
    """Classes that see operations by `__torch_dispatch__` hold tensors of which nothing is known here."""
    if cls.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        raise Break(UNKNOWN_OPERATION, f"a {cls.__name__}, which has a __torch_dispatch__")


def refuse_unknown(cls: Any) -> None:
    """Tensors that cannot be inputs of a graph."""
    refuse_dispatching(cls)
    if issubclass(cls, _uninitialized):
        raise Break(UNKNOWN_OPERATION, "a parameter that is not initialized yet")


@model(DisableTorchFunctionSubclass.__new__)
def make_manager(m: Tracer, cls: Value, /, *args: Value) -> Value:
    return InstanceValue(DisableTorchFunctionSubclass)


class _Leave:
    """Takes back that subclasses are not asked."""

    def __init__(self) -> None:
        self.manager: Any = DisableTorchFunctionSubclass()
        self.manager.__enter__()

    def __call__(self) -> None:
        self.manager.__exit__(None, None, None)


@model(DisableTorchFunctionSubclass.__enter__)
def enter(m: Tracer, self: Value, /) -> Value:
    if m.nesting < 2:
        raise Break(UNKNOWN_OPERATION, "DisableTorchFunctionSubclass where a break may come")
    m.undo.append(_Leave())
    return NONE


@model(DisableTorchFunctionSubclass.__exit__)
def leave(m: Tracer, self: Value, /, *raised: Value) -> Value:
    last = next((undo for undo in reversed(m.undo) if isinstance(undo, _Leave)), None)
    if last is None:
        raise Break(UNKNOWN_OPERATION, "leaving DisableTorchFunctionSubclass")
    m.undo.remove(last)
    last()
    return NONE


def plain_tensor(tensor: Any) -> Any:
    """For the residual: the tensor as the graph takes it."""
    with DisableTorchFunctionSubclass():
        return tensor.as_subclass(torch.Tensor)


def of_class(tensor: Any, cls: Any) -> Any:
    """For the residual: a tensor of the graph as the program had it."""
    with DisableTorchFunctionSubclass():
        return tensor.as_subclass(cls)
