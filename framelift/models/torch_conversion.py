"""What `Module.to` asks before it converts parameters. The answers must be those for real tensors, not for fakes."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, TRUE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import make_tuple
from framelift.values.tensor import TensorValue


@model(torch._C._nn._parse_to)
def parse_to(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    """The arguments of `to()` as (device, dtype, non_blocking, memory_format)."""
    if len(args) == 1 and not kwargs and isinstance(args[0], TensorValue):
        fake = args[0].fake
        return make_tuple([Known(fake.device), Known(fake.dtype), FALSE, NONE])
    real = [_literal(arg) for arg in args]
    options = {name: _literal(arg) for name, arg in kwargs.items()}
    try:
        return m.constant(torch._C._nn._parse_to(*real, **options))
    except (TypeError, RuntimeError) as error:
        m.throw(type(error), *error.args)


def _literal(value: Value) -> Any:
    if not isinstance(value, Known) or not value.literal:
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} as the argument of to()")
    return value.obj


@model(torch._has_compatible_shallow_copy_type)
def compatible(m: Tracer, left: Value, right: Value, /) -> Value:
    """Whether one tensor can take over the other's data."""
    assert isinstance(left, TensorValue)
    assert isinstance(right, TensorValue)
    mine, other = left.fake, right.fake
    if left is right:
        return TRUE
    if mine.device.type != other.device.type or mine.layout is not torch.strided or other.layout is not torch.strided:
        raise Break(UNKNOWN_OPERATION, "data of another kind for a tensor")
    return TRUE


@model(torch.quantize_per_tensor, torch.quantize_per_tensor_dynamic, torch.quantize_per_channel)
def quantize(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    """Fakes do not know what such a tensor is."""
    raise Break(UNKNOWN_OPERATION, "a quantized tensor")
