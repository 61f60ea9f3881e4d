"""Texts of tensors: f-strings, `str`, `format` and what is made of them, left to the residual.

A message about a tensor is seldom looked at by the program that makes it: it goes into an exception that is not raised,
a log, or to the screen. So the text is made when the graph has run. The tensor may have changed by then, so the graph
gives a copy of what it was. Whoever has to know what the text says breaks.
"""

from __future__ import annotations

import logging
import operator
from collections.abc import Callable
from typing import Any

import torch

from framelift.models import registry
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.sequence import TupleValue
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue
from framelift.values.text import TextValue

_METHODS = {name: getattr(torch.Tensor, name) for name in ("__repr__", "__str__", "__format__")}


def refusal() -> Break:
    return Break(DATA_DEPENDENT, "the text of a tensor")


def of_tensor(m: Tracer, function: Callable[..., str], tensor: TensorValue, *spec: Value) -> Value:
    """`str`, `repr` or `ascii` of a tensor; with a specification, its format."""
    found = {name: m.class_attribute(tensor.cls, name) for name in _METHODS}
    if any(not isinstance(value, Known) or value.obj is not _METHODS[name] for name, value in found.items()):
        raise refusal()
    if m.modes or tensor.cls is not torch.Tensor or not _is_simple(tensor.fake):
        raise refusal()
    if spec and tensor.fake.dim() == 0:  # the format of the number
        if not _is_format(_number(tensor.fake.dtype), spec[0]):
            raise refusal()
    elif tensor.fake.requires_grad or any(not isinstance(part, Known) or part.obj != "" for part in spec):
        raise refusal()  # the text of a tensor names the operation that it comes from
    return _deferred(m, function, [tensor, *spec])


def of_numbers(m: Tracer, function: Callable[..., str], value: Value, *spec: Value) -> Value | None:
    """The text of a symbolic number, or of a tuple with some; None if it is none, or Python has to complain."""
    if isinstance(value, SymbolValue):
        is_one = value.cls in (int, float) and all(_is_format(value.cls(), part) for part in spec)
        return _deferred(m, function, [value, *spec]) if is_one else None
    if not isinstance(value, TupleValue) or value.seen is not None or value.cls not in (tuple, torch.Size):
        return None
    items = value.all(m)
    if not any(isinstance(item, SymbolValue) for item in items) or not all(_is_number(item) for item in items):
        return None
    return _deferred(m, function, [value, *spec]) if all(_is_format((), part) for part in spec) else None


def _is_number(value: Value) -> bool:
    return isinstance(value, SymbolValue) or (isinstance(value, Known) and value.literal)


def number_of_tensor(m: Tracer, template: str, tensor: TensorValue) -> Value:
    """`template % tensor`, of the number in a tensor."""
    fake = tensor.fake
    numeric = not fake.dtype.is_complex and template[-1] in "diuoxXeEfFgG"
    whole = not fake.dtype.is_floating_point or template[-1] in "eEfFgG"
    if fake.numel() != 1 or not numeric or not whole or not _is_simple(fake) or tensor.cls is not torch.Tensor:
        raise refusal()
    return _deferred(m, operator.mod, [Known(template), tensor])


def _is_simple(fake: Any) -> bool:
    """Whether a copy of a tensor is one like it."""
    if fake.layout is not torch.strided or fake.is_quantized or fake.is_inference():
        return False
    return fake.device.type != "meta" and not torch._C._are_functorch_transforms_active()


def _is_format(example: Any, spec: Value) -> bool:
    """Whether objects of a kind can be formatted so."""
    try:
        format(example, spec.obj)  # type: ignore[attr-defined]
    except (AttributeError, TypeError, ValueError):
        return False
    return True


def _number(dtype: torch.dtype) -> Any:
    """A number like those in a tensor."""
    return torch.zeros((), dtype=dtype).item()


# What goes on with a text whatever it says.
KEEPS_TEXTS: frozenset[Any] = frozenset({
    str.__add__, str.join, str.format, str.__mod__, str.__new__, str.__str__, str.__repr__, str.__format__, print,
    format, repr, ascii, logging.Logger._log, isinstance, callable, type, object.__init__, list.append, list.insert,
    list.__setitem__, list.__init__, tuple.__new__, dict.__setitem__, dict.setdefault, dict.get, dict.__init__,
})  # fmt: skip
registry.symbolic.update(map(id, KEEPS_TEXTS))  # numbers become part of the text, whatever they are


def check(function: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Break if a model would have to know what a text says."""
    if any(isinstance(arg, TextValue) for arg in (*args, *kwargs.values())) and not keeps(function):
        raise refusal()


_NAMED = frozenset(map(id, (getattr, setattr, hasattr, delattr)))


def settled(
    m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """The arguments with texts that say nothing but numbers taken for what they are in this call."""
    if not any(isinstance(arg, TextValue) for arg in (*args, *kwargs.values())):
        return args, kwargs
    found = [specialized(m, arg) if isinstance(arg, TextValue) else arg for arg in args]
    if id(function) in _NAMED and any(isinstance(arg, TextValue) for arg in found[1:2]):
        raise refusal()
    return found, {name: specialized(m, arg) if isinstance(arg, TextValue) else arg for name, arg in kwargs.items()}


def keeps(function: Any) -> bool:
    """Whether a callable goes on with a text whatever it says."""
    owner = getattr(function, "__objclass__", None) or getattr(function, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, BaseException):
        return True  # exceptions keep what they are given
    try:
        return function in KEEPS_TEXTS
    except TypeError:
        return False


def made_of(m: Tracer, function: Callable[..., str], args: list[Value]) -> Value:
    """What a function that cannot fail makes of texts and literals."""
    return _deferred(m, function, args)


def formatted(m: Tracer, text: TextValue, spec: Value) -> Value:
    """`format(text, spec)`"""
    if not isinstance(spec, Known) or not _is_format("", spec):
        raise refusal()
    return text if spec.obj == "" else made_of(m, format, [text, spec])


def joined(m: Tracer, parts: list[Value]) -> Value:
    """The concatenation of texts."""
    if all(isinstance(part, Known) for part in parts):
        return Known("".join(part.obj for part in parts if isinstance(part, Known)))
    return _deferred(m, "".join, [TupleValue(parts, tuple)])


def _deferred(m: Tracer, function: Callable[..., str], args: list[Value]) -> Value:
    return TextValue(function, args, m.recorder.graph._root.prev, m.steps)


def copied(m: Tracer, text: TextValue, value: Value) -> Value:
    """For the residual: an argument of a text, a tensor as it was when the text was asked for."""
    if not isinstance(value, TensorValue):
        return value
    graph = m.recorder.graph
    if text.after.graph is not graph or text.after._erased:  # it was moved into a graph inside
        m.steps = text.step
        raise refusal()
    after = text.after
    while after.op in ("placeholder", "root") and after.next.op == "placeholder":
        after = after.next
    with graph.inserting_after(after):
        detached, fake = m.recorder.call("call_method", "detach", (value.node,), {}, value.fake.detach)
    with graph.inserting_after(detached):
        node, fake = m.recorder.call("call_method", "clone", (detached,), {}, fake.clone)
    return TensorValue(node, fake, torch.Tensor)
