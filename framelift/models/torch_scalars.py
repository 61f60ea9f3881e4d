"""Numbers out of tensors: `.item()` and its relatives, and slices whose bounds are tensors.

The value of a tensor is not known while capturing. Asked for it, capture breaks, unless the user wants such numbers
in the graph (`settings.capture_scalars`); then the graph computes them and they are symbols without a value here.
Bounds of slices are always treated so, since that is how caches are read and written.
"""

from __future__ import annotations

import operator
from typing import Any

import torch

from framelift import settings
from framelift.graph import constant_tensors
from framelift.models import torch_ops, torch_rows
from framelift.models.registry import model
from framelift.models.symbols import check
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue, wrapped
from framelift.values.tensor import TensorValue

WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def scalar(m: Tracer, tensor: TensorValue) -> Value:
    """The number in a tensor of one element, computed by the graph."""
    m.use_symbols()
    derived = _derived(m, tensor)
    if derived is not None:
        return derived
    mode = m.recorder.mode
    before, mode.allow_scalar_outputs = mode.allow_scalar_outputs, True
    try:
        return torch_ops.call(m, torch.Tensor.item, [tensor], {})
    finally:
        mode.allow_scalar_outputs = before


_DERIVED = {
    operator.add: "+",
    torch.add: "+",
    "add": "+",
    operator.sub: "-",
    torch.sub: "-",
    "sub": "-",
    operator.mul: "*",
    torch.mul: "*",
    "mul": "*",
}


def _derived(m: Tracer, tensor: TensorValue) -> Value | None:
    """`position + 1` as the number of `position`, plus one: sizes computed from both are then known to be related."""
    node = tensor.node
    sign = _DERIVED.get(node.target)
    if sign is None or len(node.args) != 2 or node.kwargs or tensor.fake.dtype not in WHOLE or tensor.fake._version:
        return None
    parts = [_part(m, arg) for arg in node.args]
    if any(part is None for part in parts):
        return None
    return m.binary(sign, *parts)  # type: ignore[arg-type]


def _part(m: Tracer, arg: Any) -> Value | None:
    if type(arg) is int:
        return Known(arg)
    fake = arg.meta.get("example_value") if isinstance(arg, torch.fx.Node) else None
    if isinstance(fake, torch.SymInt):
        return wrapped(fake)
    if not isinstance(fake, torch.Tensor) or fake.dim() != 0 or fake.dtype not in WHOLE or fake._version:
        return None
    return scalar(m, TensorValue(arg, fake, torch.Tensor))


def _wanted(m: Tracer, tensor: Value, name: str) -> TensorValue:
    if not settings.current().capture_scalars or not isinstance(tensor, TensorValue):
        raise Break(DATA_DEPENDENT, f".{name}()")
    return tensor


def known_data(tensor: Value) -> torch.Tensor | None:
    """The data of a tensor that was made of constants, or that has none."""
    if not isinstance(tensor, TensorValue):
        return None
    fake = tensor.fake
    if not fake.is_sparse and 0 in tuple(size for size in fake.shape if type(size) is int):
        if all(type(size) is int for size in fake.shape):
            return torch.empty(tuple(fake.shape), dtype=fake.dtype, device="cpu")
        return None
    constant = getattr(fake, "constant", None)
    if isinstance(constant, torch.Tensor):
        return constant
    return constant_tensors.data_of(tensor.node)


def has_number(tensor: Value) -> bool:
    """Whether a number can be had from a tensor, known or symbolic."""
    return settings.current().capture_scalars or known_data(tensor) is not None


@model(torch.Tensor.item)
def item(m: Tracer, tensor: Value, /) -> Value:
    data = known_data(tensor)
    if data is not None and data.numel() == 1:
        return m.constant(data.item())
    if isinstance(tensor, TensorValue) and tensor.fake.dim() == 0 and m.is_only_checked():
        return tensor  # `assert x.all().item()`: nobody will see the difference
    return scalar(m, _wanted(m, tensor, "item"))


@model(torch.Tensor.__int__, torch.Tensor.__index__)
def whole(m: Tracer, tensor: Value, /) -> Value:
    data = known_data(tensor)
    if data is not None and data.numel() == 1:
        return m.constant(int(data))
    return m.call(Known(int), [scalar(m, _wanted(m, tensor, "__int__"))])


@model(torch.Tensor.__float__)
def real(m: Tracer, tensor: Value, /) -> Value:
    data = known_data(tensor)
    if data is not None and data.numel() == 1:
        return m.constant(float(data))
    return m.call(Known(float), [scalar(m, _wanted(m, tensor, "__float__"))])


@model(torch.Tensor.tolist)
def tolist(m: Tracer, tensor: Value, /) -> Value:
    data = known_data(tensor)
    if data is not None:
        return m.constant(data.tolist())
    found = _wanted(m, tensor, "tolist")
    if found.fake.dim() == 0:
        return scalar(m, found)
    return ListValue([tolist(m, row) for row in torch_rows.all_rows(m, found).all(m)], list)


# Slices


def has_tensor_bounds(m: Tracer, key: Value) -> bool:
    """Whether an index has a slice with a tensor in it, or is a whole number in a tensor."""
    if isinstance(key, SliceValue):
        return any(isinstance(part, TensorValue) for part in key.parts)
    if isinstance(key, TensorValue):
        return _is_place(key)
    return isinstance(key, TupleValue) and any(has_tensor_bounds(m, item) for item in key.all(m))


def _is_place(item: Value) -> bool:
    """Whether an index is a tensor that PyTorch takes for the number in it."""
    if not isinstance(item, TensorValue) or item.fake.dtype not in WHOLE or item.fake.dtype is torch.uint8:
        return False
    return item.fake.dim() == 0 and known_data(item) is None and not item.fake.is_sparse


def narrowed(m: Tracer, tensor: TensorValue, key: Value) -> tuple[TensorValue, Value]:
    """A view of the tensor without what such slices leave out, and the index that is left.

    `narrow` is used, for the size of what it gives is known: slicing would allow bounds outside of the tensor.
    """
    items = list(key.all(m)) if isinstance(key, Sequence) else [key]
    others = [item for item in items if not _is_place(item)]
    if any(isinstance(item, TensorValue | Sequence) or item.cls is bool for item in others):
        raise Break(DATA_DEPENDENT, "a slice with tensors as bounds beside an index that is a tensor")
    left: list[Value] = []
    dim = 0
    hidden = tensor.fake.dim() - sum(1 for item in items if not _is(item, None) and not _is(item, Ellipsis))
    for item in items:
        if isinstance(item, TensorValue):
            tensor = _at(m, tensor, dim, item)
            continue
        if isinstance(item, SliceValue) and has_tensor_bounds(m, item):
            tensor = _narrow(m, tensor, dim, item)
            left.append(SliceValue([Known(None), Known(None), item.parts[2]]))
        else:
            left.append(item)
        dim += hidden if _is(item, Ellipsis) else 0 if _is(item, None) else 1
    return tensor, TupleValue(left, tuple) if left else Known(Ellipsis)


def _at(m: Tracer, tensor: TensorValue, dim: int, place: TensorValue) -> TensorValue:
    """What is at one place of a dimension."""
    size = wrapped(tensor.fake.size(dim))
    first = _bound(m, place, m.binary("-", size, Known(1)))
    found = torch_ops.call(m, torch.select, [tensor, Known(dim), first], {})
    assert isinstance(found, TensorValue)
    return found


def _is(value: Value, what: Any) -> bool:
    return isinstance(value, Known) and value.obj is what


def _narrow(m: Tracer, tensor: TensorValue, dim: int, key: SliceValue) -> TensorValue:
    start, stop, step = key.parts
    if not _is(step, None) and not (isinstance(step, Known) and type(step.obj) is int and step.obj > 0):
        raise Break(DATA_DEPENDENT, "a slice with a tensor as its step")
    size = wrapped(tensor.fake.size(dim))
    first = Known(0) if _is(start, None) else _bound(m, start, size)
    last = size if _is(stop, None) else _bound(m, stop, size)
    length = m.binary("-", last, first)
    check(m, m.compare(">=", length, Known(0)))
    found = torch_ops.call(m, torch.Tensor.narrow, [tensor, Known(dim), first, length], {})
    assert isinstance(found, TensorValue)
    return found


def _bound(m: Tracer, bound: Value, size: Value) -> Value:
    """A bound as a number, promised to lie within the tensor; the graph checks it."""
    negated = _negated(bound) if isinstance(bound, TensorValue) else None
    if negated is not None:  # counted from the end
        count = scalar(m, negated)
        check(m, m.compare(">=", count, Known(1)))
        check(m, m.compare("<=", count, size))
        return m.binary("-", size, count)
    found = scalar(m, bound) if isinstance(bound, TensorValue) else bound
    if isinstance(found, SymbolValue):
        check(m, m.compare(">=", found, Known(0)))
        check(m, m.compare("<=", found, size))
        return found
    if isinstance(found, Known) and type(found.obj) is int:
        if found.obj < 0:
            return m.call(Known(max), [m.binary("+", size, found), Known(0)])
        return m.call(Known(min), [found, size])
    return found


def _negated(bound: TensorValue) -> TensorValue | None:
    """What a bound such as `-count` is made of."""
    node = bound.node
    if node.target not in (operator.neg, torch.neg, "neg") or len(node.args) != 1 or bound.fake._version:
        return None
    inner = node.args[0]
    fake = inner.meta.get("example_value") if isinstance(inner, torch.fx.Node) else None
    if not isinstance(fake, torch.Tensor) or fake.dim() != 0 or fake.dtype not in WHOLE or fake._version:
        return None
    assert isinstance(inner, torch.fx.Node)
    return TensorValue(inner, fake, torch.Tensor)
