"""Calls of NumPy: done for real where everything is known, else in the graph, as NumPy says that they end."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from framelift.models import numpy_symbols
from framelift.models.numpy_graph import GraphCall, constant_tensor
from framelift.models.numpy_probe import Probe, hint, numpy_dtype
from framelift.models.real_exceptions import exception_value
from framelift.values import numpy_numbers
from framelift.values.arrays import Apart, ArrayValue, NumberValue
from framelift.values.base import Raised, Tracer, Value
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, NotConstant
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_CALL, UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue

np: Any = numpy_numbers.np


def call(
    m: Tracer,
    function: Any,
    args: list[Value],
    kwargs: dict[str, Value],
    theirs: Any = None,
    changes: bool = False,
    makes: bool = False,
) -> Value:
    """Call a function of NumPy's.

    `theirs`: what torch._numpy has in its place. `changes`: it writes into its first argument. `makes`: it makes an
    array of a size, which may be symbolic.
    """
    if not in_graph(m, [*args, *kwargs.values()]) and not (makes and _has_symbol(m, args)):
        return really(m, function, args, kwargs)
    if theirs is None:
        raise Break(UNKNOWN_CALL, function, "on an array of the graph")
    refuse_modes()
    out = kwargs.get("out", NONE)
    for target in [*(args[:1] if changes else []), *(out.all(m) if isinstance(out, Sequence) else [out])]:
        if isinstance(target, ArrayValue):
            if target.apart is not None:
                raise Break(UNKNOWN_OPERATION, "writing into a view that torch._numpy has copied")
            enter_graph(m, target)
    probe = Probe(m)
    wanted = probe.call(function, args, kwargs)
    if wanted is NotImplemented:
        return NOT_IMPLEMENTED
    return _Call(m, probe, function, args, kwargs, changes or "out" in kwargs).make(theirs, wanted)


def in_graph(m: Tracer, values: Any) -> bool:
    """Whether one of these is, or holds, an array or a number of the graph."""
    for value in values:
        if isinstance(value, NumberValue) or (isinstance(value, ArrayValue) and value.tensor is not None):
            return True
        if isinstance(value, Sequence) and value.cls in (list, tuple) and in_graph(m, value.all(m)):
            return True
        if isinstance(value, SliceValue) and in_graph(m, value.parts):
            return True
    return False


def _has_symbol(m: Tracer, values: Any) -> bool:
    return m.recorder.symbols is not None and any(
        isinstance(value, SymbolValue) or (isinstance(value, Sequence) and _has_symbol(m, value.all(m)))
        for value in values
    )


def refuse_modes() -> None:
    """NumPy takes no notice of autocast; the graph would."""
    if torch.is_autocast_enabled("cpu"):
        raise Break(UNKNOWN_OPERATION, "NumPy under autocast")
    if any(kind not in ("warn", "ignore") for kind in np.geterr().values()):
        raise Break(UNKNOWN_OPERATION, "NumPy that is to raise what it finds in the data")


# For real


def to_real(m: Tracer, value: Value) -> Any:
    """What a value stands for, if it is known."""
    value = specialized(m, value) if m.recorder.symbols is not None else value
    if isinstance(value, ArrayValue):
        if value.data is None:
            raise NotConstant
        return value.data
    if isinstance(value, Known):
        if value.literal or isinstance(value.obj, np.dtype | np.ufunc | type) or value.obj in _FUNCTIONS:
            return value.obj
        raise NotConstant
    if isinstance(value, Sequence) and value.cls in (list, tuple, torch.Size):
        return (tuple if value.cls is torch.Size else value.cls)(to_real(m, item) for item in value.all(m))
    if isinstance(value, SliceValue):
        return slice(*(to_real(m, part) for part in value.parts))
    if isinstance(value, DictValue) and value.cls is dict:
        return {to_real(m, name): to_real(m, item) for name, item in value.items(m)}
    raise NotConstant


_FUNCTIONS = (len, abs, sum, min, max)


def really(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Let NumPy do it now. What it warns of, it is to warn of in every call: that is left to Python."""
    found = numpy_symbols.apply(m, function, args) if m.recorder.symbols is not None and not kwargs else None
    if found is not None:
        return found
    try:
        given, named = [to_real(m, arg) for arg in args], {name: to_real(m, arg) for name, arg in kwargs.items()}
    except NotConstant:
        raise Break(UNKNOWN_CALL, function) from None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = function(*given, **named)
        except Exception as error:  # noqa: BLE001 - whatever the user's call raises is what it raises when traced
            raise Raised(exception_value(m, error)) from None
    if warned:
        raise Break(UNKNOWN_CALL, function, "which warns")
    return known(m, result, function)


def known(m: Tracer, result: Any, function: Any) -> Value:
    """The value of something that NumPy has just made."""
    if type(result) is np.ndarray:
        if result.dtype.hasobject or result.dtype.kind in "OSUVMmT":
            raise Break(UNKNOWN_OPERATION, f"an array of dtype {result.dtype}")
        return m.arrays.of(result)
    if type(result) in (list, tuple):
        items = [known(m, item, function) for item in result]
        return TupleValue(items, tuple) if type(result) is tuple else ListValue(items, list)
    found = Known(result)
    if found.literal or isinstance(result, np.dtype | type):
        return found
    raise Break(UNKNOWN_CALL, function, f"that gives a {type(result).__name__}")


# In the graph


def enter_graph(m: Tracer, array: ArrayValue) -> TensorValue:
    """The tensor of the graph that shares an array's memory; one that was known belongs to the graph from now on."""
    if array.apart is not None:
        raise Break(UNKNOWN_OPERATION, "a view that torch._numpy has copied")
    if array.tensor is None:
        if m.arrays.sharing(array):
            raise Break(UNKNOWN_OPERATION, "an array for the graph to change, whose memory another one shares")
        if not array.data.flags.writeable:
            raise Break(UNKNOWN_OPERATION, "an array for the graph to change that is read-only")
        array.tensor, array.data = constant_tensor(m, array.data, fresh=True), None
    return array.tensor


class _Call:
    """A call in the graph, and the result that NumPy wants it to have."""

    def __init__(
        self, m: Tracer, probe: Probe, function: Any, args: list[Value], kwargs: dict[str, Value], changes: bool
    ) -> None:
        self.changes = changes
        self.m = m
        self.function = function
        self.probe = probe
        self.args = args
        self.kwargs = kwargs
        self.graph = GraphCall(m)

    def make(self, theirs: Any, wanted: Any) -> Value:
        given, named = self.graph.arguments(self.args, self.kwargs)
        last = self.m.recorder.last()
        found = self.graph.run(theirs, given, named)
        if isinstance(wanted, np.ndarray | np.generic) and self._has_other_dtype(found, wanted):
            if "dtype" in named or self.changes:
                raise Break(UNKNOWN_OPERATION, f"torch._numpy computes with another dtype than {wanted.dtype}")
            self.m.recorder.take_back(last)
            name = "int64" if self._adds_up() else wanted.dtype.name
            named["dtype"] = self.graph.library.dtype(name)  # which most functions take
            found = self.graph.run(theirs, given, named)
        return self.result(found, wanted)

    def _adds_up(self) -> bool:
        """Whether NumPy sums bytes, which PyTorch sums as signed numbers."""
        first = self.args[0]
        is_bytes = isinstance(first, ArrayValue) and first.tensor is not None and first.tensor.fake.dtype is torch.uint8
        return is_bytes and self.function.__name__ in ("sum", "prod", "cumsum", "cumprod")

    def _has_other_dtype(self, found: Any, wanted: Any) -> bool:
        return isinstance(found, self.graph.library.ndarray) and numpy_dtype(found.tensor.dtype) != wanted.dtype

    def result(self, found: Any, wanted: Any) -> Value:
        """What torch._numpy gave, as what NumPy gives."""
        if type(wanted) is np.ndarray:
            same = self.probe.same(wanted)
            if same is not None:
                return same
            shared = self.probe.shared(wanted)
            tensor = self.tensor(found, wanted, shared)
            made = ArrayValue(tensor=tensor, writeable=bool(wanted.flags.writeable))
            made.apart = self._apart(made, wanted, shared)
            return made
        if isinstance(wanted, np.generic):
            return NumberValue(self.tensor(found, wanted, []), type(wanted))
        if type(wanted) in (tuple, list) and isinstance(found, tuple | list) and len(found) == len(wanted):
            items = [self.result(one, other) for one, other in zip(found, wanted, strict=True)]
            return TupleValue(items, tuple) if type(wanted) is tuple else ListValue(items, list)
        if wanted is None:
            return NONE
        raise Break(UNKNOWN_OPERATION, f"a {type(wanted).__name__} as the result of NumPy, from an array of the graph")

    def tensor(self, found: Any, wanted: Any, shared: list[ArrayValue]) -> TensorValue:
        """A tensor of the graph of the dtype, shape and layout that NumPy's result has, a view where that is one."""
        if not isinstance(found, self.graph.library.ndarray):
            found = self.graph.operation(self.graph.library.asarray, found)
        fake = found.tensor
        if wanted.dtype.name == "uint64" and fake.dtype is torch.int64 and self._adds_up():
            fake = self.graph.operation(torch.Tensor.view, fake, torch.uint64)  # the same bits
        elif wanted.dtype.name in ("uint16", "uint32", "uint64") and not shared:
            raise Break(UNKNOWN_OPERATION, f"PyTorch computes little with {wanted.dtype}")
        if numpy_dtype(fake.dtype) != wanted.dtype:
            raise Break(UNKNOWN_OPERATION, f"torch._numpy gives dtype {fake.dtype} for NumPy's {wanted.dtype}")
        if tuple(map(hint, fake.shape)) != wanted.shape:
            if fake.numel() != 1 or wanted.size != 1:
                raise Break(UNKNOWN_OPERATION, "torch._numpy gives another shape than NumPy")
            fake = self.graph.operation(torch.Tensor.reshape, fake, wanted.shape)
        memory = _memory(fake)
        if not shared and any(_memory(array.tensor) == memory for _, array in self.graph.shadows.values()):
            fake = self.graph.operation(torch.Tensor.clone, fake)
        if not shared and not _lie_alike(fake, wanted):
            fake = self._laid_out(fake, wanted)
        return self.graph.recording.tensors[id(fake)]

    def _laid_out(self, fake: Any, wanted: Any) -> Any:
        """A copy that lies in memory as NumPy's result does."""
        order = sorted(range(wanted.ndim), key=lambda dim: (-wanted.strides[dim], dim))
        fake = self.graph.operation(torch.Tensor.permute, fake, order)
        fake = self.graph.operation(torch.Tensor.contiguous, fake)
        fake = self.graph.operation(torch.Tensor.permute, fake, [order.index(dim) for dim in range(wanted.ndim)])
        if not _lie_alike(fake, wanted):
            raise Break(UNKNOWN_OPERATION, "torch._numpy lays an array out otherwise than NumPy")
        return fake

    def _apart(self, made: ArrayValue, wanted: Any, shared: list[ArrayValue]) -> Apart | None:
        """If NumPy has a view where the graph has a copy: how to make it, and of what."""
        if not shared:
            return None
        assert made.tensor is not None
        memory = _memory(made.tensor.fake)
        is_view = all(one.tensor is not None and _memory(one.tensor.fake) == memory for one in shared)
        if is_view and _lie_alike(made.tensor.fake, wanted) and all(one.apart is None for one in shared):
            return None
        if any(one.tensor is None for one in shared):
            raise Break(UNKNOWN_OPERATION, "a view of a known array in the graph")
        fakes = [one.tensor.fake for one in shared if one.tensor is not None] + [made.tensor.fake]
        versions = tuple((fake, fake._version) for fake in fakes)
        return Apart(self.function, self.args, self.kwargs, wanted.strides, versions)


def _memory(fake: Any) -> Any:
    return fake.untyped_storage()._cdata


def _lie_alike(fake: Any, wanted: Any) -> bool:
    """Whether the items lie in memory as NumPy has them."""
    if not isinstance(wanted, np.ndarray) or wanted.size <= 1:
        return True
    steps = [hint(step) * wanted.itemsize for step in fake.stride()]
    return all(size == 1 or one == other for size, one, other in zip(wanted.shape, steps, wanted.strides, strict=True))
