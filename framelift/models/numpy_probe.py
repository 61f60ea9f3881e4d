"""What NumPy itself does with arrays like those of the graph, asked of NumPy with other data in them.

That tells, of a call in the graph, what kind of object its result is, of what dtype, shape and layout, and whether it
is a view. The data of the result is what torch._numpy computes.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import torch

from framelift.values import numpy_numbers
from framelift.values.arrays import ArrayValue, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue

np: Any = numpy_numbers.np


@cache
def numpy_dtype(dtype: torch.dtype) -> Any:
    """The dtype of an array over a tensor's memory; None if there is no such array."""
    try:
        return torch.empty(0, dtype=dtype).numpy().dtype
    except TypeError:
        return None


def hint(number: Any) -> int:
    """A size as it is in this call."""
    if type(number) is int:
        return number
    found = number.node.hint
    if found is None:
        raise Break(DATA_DEPENDENT, "an array of a size that only the graph knows")
    return int(found)


def like(fake: torch.Tensor, strides: tuple[int, ...] | None = None) -> Any:
    """An array of the same dtype, shape and layout as a tensor, or of a layout that no tensor has."""
    dtype = numpy_dtype(fake.dtype)
    shape = [hint(size) for size in fake.shape]
    steps = [hint(step) * dtype.itemsize for step in fake.stride()] if strides is None else strides
    reach = [0 if 0 in shape else (size - 1) * step for size, step in zip(shape, steps, strict=True)]
    room = 1 + sum(map(abs, reach)) // dtype.itemsize
    if dtype.kind in "fc":
        memory = (np.random.default_rng(0).random(room) + 0.5).astype(dtype)
    else:
        memory = np.zeros(room, dtype)
    return np.ndarray(shape, dtype, memory, -sum(far for far in reach if far < 0), steps)


class Probe:
    """One call of NumPy's, with stand-ins for what only the graph knows."""

    def __init__(self, m: Tracer) -> None:
        self.m = m
        self.arrays: dict[int, tuple[ArrayValue, Any]] = {}  # by the id of the value

    def real(self, value: Value) -> Any:
        """What stands in for a value."""
        if isinstance(value, ArrayValue):
            return self.arrays.setdefault(id(value), (value, self._array(value)))[1]
        if isinstance(value, NumberValue):
            return value.kind(like(value.tensor.fake)[()])
        if isinstance(value, SymbolValue):
            known = value.sym.node.hint
            return value.cls(1 if known is None else known)
        if isinstance(value, Known):
            return value.obj
        if isinstance(value, Sequence):
            return value.cls(map(self.real, value.all(self.m))) if value.cls in (list, tuple) else self._refuse(value)
        if isinstance(value, SliceValue):
            return slice(*map(self.real, value.parts))
        if isinstance(value, DictValue) and value.cls is dict:
            return {self.real(name): self.real(item) for name, item in value.items(self.m)}
        return self._refuse(value)

    def _refuse(self, value: Value) -> Any:
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} given to NumPy, with an array of the graph")

    def _array(self, value: ArrayValue) -> Any:
        if value.tensor is None:
            made = value.data.copy("K")
        else:
            made = like(value.tensor.fake, None if value.apart is None else value.apart.strides)
        if not value.writeable:
            made.setflags(write=False)
        return made

    def call(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
        """What NumPy gives. An exception is a break: Python raises it."""
        given, named = list(map(self.real, args)), {name: self.real(arg) for name, arg in kwargs.items()}
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                return function(*given, **named)
            except Exception as error:
                raise Break(UNKNOWN_OPERATION, f"NumPy raises {type(error).__name__}: {error}") from error

    def shared(self, result: Any) -> list[ArrayValue]:
        """The arguments of which an array is a view."""
        return [value for value, real in self.arrays.values() if np.may_share_memory(real, result)]

    def same(self, result: Any) -> ArrayValue | None:
        """The argument that an array is."""
        return next((value for value, real in self.arrays.values() if real is result), None)
