"""Calls of NumPy's functions in the graph, as torch._numpy does them.

The Python of torch._numpy runs as it is, on fakes, and every operation of PyTorch that it makes is recorded. So the
graph has plain tensor operations, and whatever needs data breaks.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from framelift.models import torch_ops
from framelift.values import numpy_numbers, symbol
from framelift.values.arrays import ArrayValue, ConstantTensor, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

np: Any = numpy_numbers.np


@cache
def library() -> Any:
    """torch._numpy, which only programs with NumPy in them need."""
    return import_module("torch._numpy")


# They make a tensor of no tensor; what they leave to PyTorch's defaults, NumPy does not.
_FACTORIES = frozenset(
    getattr(torch, name)
    for name in (
        "as_tensor", "tensor", "empty", "zeros", "ones", "full", "arange", "linspace", "logspace", "eye",
        "scalar_tensor", "tril_indices", "triu_indices",
    )
)  # fmt: skip


_AS_OPERATORS: dict[Any, Any] = {
    torch.Tensor.__getitem__: operator.getitem,
    torch.Tensor.__setitem__: operator.setitem,
}


@contextmanager
def _numpys_defaults() -> Iterator[None]:
    """Without this torch._numpy would ask the settings of torch._dynamo, and import it for that."""
    place: Any = import_module("torch._numpy._dtypes_impl")
    before = place._default_dtypes
    place._default_dtypes = place.DefaultDTypes(torch.float64, torch.complex128, torch.int64)
    try:
        yield
    finally:
        place._default_dtypes = before


class _Recording(TorchFunctionMode):
    """Records what is done with tensors while it is active."""

    def __init__(self, m: Tracer) -> None:
        super().__init__()
        self.m = m
        self.tensors: dict[int, TensorValue] = {}  # by the id of the fake

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__name__", "") == "__get__":
            return self._attribute(func.__self__.__name__, args[0])
        func = _AS_OPERATORS.get(func, func)
        given, named = (
            [self.value(arg) for arg in args],
            {name: self.value(arg) for name, arg in (kwargs or {}).items()},
        )
        if func in _FACTORIES and not any(isinstance(arg, TensorValue) for arg in given):
            with self.m.recorder.mode:
                made = func(*args, **(kwargs or {}))
            named |= {"dtype": Known(made.dtype), "device": Known(torch.device("cpu"))}
        return self.fake(torch_ops.call_plainly(self.m, func, given, named))

    def _attribute(self, name: str, tensor: Any) -> Any:
        found = getattr(tensor, name)
        if not isinstance(found, torch.Tensor):
            return found
        return self.fake(torch_ops.call_plainly(self.m, getattr, [self.value(tensor), Known(name)], {}))

    def value(self, obj: Any) -> Value:
        """The value of what an operation is given."""
        if isinstance(obj, torch.Tensor):
            known = self.tensors.get(id(obj))
            if known is None:
                raise Break(UNKNOWN_OPERATION, "a tensor that torch._numpy made unseen")
            return known
        if isinstance(obj, tuple):
            return TupleValue([self.value(item) for item in obj], tuple)
        if isinstance(obj, list):
            return ListValue([self.value(item) for item in obj], list)
        if isinstance(obj, slice):
            return SliceValue([self.value(part) for part in (obj.start, obj.stop, obj.step)])
        if type(obj) in symbol.KINDS:
            return symbol.wrapped(obj)
        return Known(obj)

    def fake(self, value: Value) -> Any:
        """What torch._numpy gets to see of a value."""
        if isinstance(value, TensorValue):
            self.tensors[id(value.fake)] = value
            return value.fake
        if isinstance(value, SymbolValue):
            return value.sym
        if isinstance(value, Sequence):
            items = [self.fake(item) for item in value.all(self.m)]
            return items if value.cls is list else value.cls(items)
        assert isinstance(value, Known)
        return value.obj


class GraphCall:
    """One call that torch._numpy makes for NumPy."""

    def __init__(self, m: Tracer) -> None:
        self.m = m
        self.library = library()
        self.recording = _Recording(m)
        self.shadows: dict[int, tuple[Value, Any]] = {}  # by the id of the value: what torch._numpy calls an array

    def shadow(self, value: Value, tensor: TensorValue) -> Any:
        known = self.shadows.get(id(value))
        if known is None:
            known = self.shadows[id(value)] = (value, self.library.ndarray(self.recording.fake(tensor)))
        return known[1]

    def argument(self, value: Value) -> Any:
        """What torch._numpy takes for a value."""
        if isinstance(value, ArrayValue):
            if value.apart is not None and not value.apart.is_good:
                raise Break(UNKNOWN_OPERATION, "a view that torch._numpy has copied, after a change")
            return self.shadow(value, value.tensor or constant_tensor(self.m, value.data))
        if isinstance(value, NumberValue):
            return self.shadow(value, value.tensor)
        if isinstance(value, SymbolValue):
            return value.sym
        if isinstance(value, Known):
            return self._known(value)
        if isinstance(value, Sequence):
            return value.cls(self.argument(item) for item in value.all(self.m))
        if isinstance(value, SliceValue):
            return slice(*map(self.argument, value.parts))
        assert isinstance(value, DictValue)
        return {self.argument(name): self.argument(item) for name, item in value.items(self.m)}

    def _known(self, value: Known) -> Any:
        obj = value.obj
        if numpy_numbers.is_number(obj):
            return self.shadow(value, constant_tensor(self.m, np.asarray(obj)))
        if isinstance(obj, np.dtype):
            return self.library.dtype(obj.name)
        if isinstance(obj, type) and issubclass(obj, np.generic):
            return self.library.dtype(np.dtype(obj).name)
        if value.literal or obj in (bool, int, float, complex):
            return obj
        raise Break(UNKNOWN_OPERATION, f"{obj!r} given to NumPy, with an array of the graph")

    def arguments(self, args: list[Value], kwargs: dict[str, Value]) -> tuple[list[Any], dict[str, Any]]:
        return list(map(self.argument, args)), {name: self.argument(arg) for name, arg in kwargs.items()}

    def run(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """Its result in terms of torch._numpy. Whatever it cannot do is a break."""
        with _numpys_defaults(), self.recording:
            try:
                return function(*given, **named)
            except Break:
                raise
            except Exception as error:
                said = f"torch._numpy cannot do this: {type(error).__name__}: {error}"
                raise Break(UNKNOWN_OPERATION, said) from error

    def operation(self, function: Any, *args: Any) -> Any:
        """Record an operation on fakes; its result."""
        with self.recording:
            return function(*args)


def tensor_over(array: Any) -> torch.Tensor | None:
    """The tensor that shares an array's memory, if there can be one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may be read-only, which is looked after here
        try:
            return torch.from_numpy(array)
        except (TypeError, ValueError):
            return None


def tensor_of_number(number: Any) -> torch.Tensor:
    """A tensor with one of NumPy's numbers in it."""
    return torch.from_numpy(np.asarray(number))


SMALL = 16
"""Up to so many items an array is written into the graph; larger ones are inputs."""


def constant_tensor(m: Tracer, data: Any, fresh: bool = False) -> TensorValue:
    """A tensor of the graph with known contents. `fresh`: it may be changed."""
    key = (data.dtype.char, data.shape, data.strides, data.tobytes())
    known = None if fresh else m.arrays.tensors.get(key)
    if known is None or known.node._erased:
        known = _input(m, data, fresh)
        if not fresh:
            m.arrays.tensors[key] = known
    return known


def _input(m: Tracer, data: Any, fresh: bool) -> TensorValue:
    real = data.copy("K")
    example = tensor_over(real)
    if example is None:
        raise Break(UNKNOWN_OPERATION, f"an array of dtype {data.dtype} in the graph")
    if data.size <= SMALL and data.flags.c_contiguous:
        options: dict[str, Value] = {"dtype": Known(example.dtype), "device": Known(torch.device("cpu"))}
        made = torch_ops.call_plainly(m, torch.tensor, [m.constant(data.tolist())], options)
        assert isinstance(made, TensorValue)
        return made
    node, fake = m.recorder.input(example, "constant")
    made = m.arrays.inputs[node] = ConstantTensor(node, fake, torch.Tensor, real, fresh)
    return made
