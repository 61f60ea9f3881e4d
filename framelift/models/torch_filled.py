"""`torch.full` and its like with a tensor to fill with: the graph fills, so that nobody needs to know the number."""

from __future__ import annotations

from typing import Any

import torch

from framelift.values.base import Value
from framelift.values.tensor import TensorValue


def _full(size: Any, fill_value: Any, **options: Any) -> Any:
    dtype = options.pop("dtype", None)
    if dtype is None:  # as Python's numbers have it
        of_floats = fill_value.is_floating_point()
        dtype = (
            torch.get_default_dtype() if of_floats else torch.bool if fill_value.dtype == torch.bool else torch.int64
        )
    return _filled(torch.empty(size, dtype=dtype, **options), fill_value)


def _full_like(input: Any, fill_value: Any, **options: Any) -> Any:  # noqa: A002
    return _filled(torch.empty_like(input, **options), fill_value)


def _new_full(self: Any, size: Any, fill_value: Any, **options: Any) -> Any:
    return _filled(self.new_empty(size, **options), fill_value)


def _filled(made: Any, fill_value: Any) -> Any:
    with torch.no_grad():
        return made.fill_(fill_value)


_FILLING: dict[Any, tuple[Any, int]] = {
    torch.full: (_full, 1),
    torch.full_like: (_full_like, 1),
    torch.Tensor.new_full: (_new_full, 2),
}
"""What is traced in place of these, and where among the arguments the number stands."""


def traced(function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What is traced in place of an operation that fills with a tensor of one number."""
    try:
        instead, position = _FILLING.get(function, (None, 0))
    except TypeError:
        return None
    if instead is None or "out" in kwargs:
        return None
    given = kwargs.get("fill_value", args[position] if position < len(args) else None)
    if not isinstance(given, TensorValue) or given.fake.dim() > 0:
        return None
    return None if given.fake.requires_grad or given.fake.is_complex() else instead
