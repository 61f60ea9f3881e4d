"""Tensor operations: which callables belong in the graph, and how a call of one is recorded."""

from __future__ import annotations

import enum
import operator
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedOperatorException,
)
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.overrides import get_ignored_functions, get_overridable_functions

from framelift.graph import data_sizes
from framelift.graph.derived import hint_of
from framelift.models import (
    torch_float_operands,
    torch_function_modes,
    torch_inferred_types,
    torch_random,
    torch_resizing,
    torch_subclasses,
    torch_varying_numbers,
)
from framelift.models.registry import model
from framelift.values import numpy_numbers
from framelift.values.arrays import NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.ranges import RangeValue
from framelift.values.reasons import DATA_DEPENDENT, FAKE_FAILED, UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import NumpySymbol, SymbolValue, specialized
from framelift.values.tensor import MadeLeaf, TensorValue

# Their results are Python values of the moment, or they change state: not operations on tensors.
_NOT_OPERATIONS = frozenset(
    {
        "item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__", "__complex__", "__array__",
        "__iter__", "__len__", "__contains__", "__repr__", "__format__", "__hash__", "__reduce__", "__reduce_ex__",
        "__setstate__", "__deepcopy__", "backward", "register_hook", "data_ptr", "storage", "untyped_storage",
        "__dlpack__", "__dlpack_device__", "__dir__", "__cuda_array_interface__", "_typed_storage",
        "register_post_accumulate_grad_hook", "share_memory_", "is_shared", "pin_memory", "retain_grad",
    }
)  # fmt: skip


_NATIVE = tuple(vars(torch._C)[name] for name in ("_nn", "_linalg", "_fft", "_special", "_sparse", "_nested"))


_sparse: Any = vars(torch._C)["_sparse"]


@cache
def _operations() -> frozenset[int]:
    """The ids of every callable that PyTorch itself says works on tensors, and of its factories."""
    found: set[int] = set()
    for functions in get_overridable_functions().values():
        found.update(id(function) for function in functions if getattr(function, "__name__", "") not in _NOT_OPERATIONS)
    for name in dir(torch._C._VariableFunctions):
        if not name.startswith("__"):
            found.update(
                id(getattr(place, name)) for place in (torch, torch._C._VariableFunctions) if hasattr(place, name)
            )
    for module in _NATIVE:
        functions = [item for item in vars(module).values() if isinstance(item, types.BuiltinFunctionType)]
        found.update(map(id, functions))
    found.update(id(function) for name, function in vars(_sparse).items() if name.startswith("_sparse"))
    for function in get_ignored_functions():
        if getattr(function, "__module__", None) in ("torch.nn.functional", "torch.functional"):
            found.add(id(function))
    return frozenset(found)


def belongs_in_graph(function: Any) -> bool:
    """Whether a call of this becomes a node."""
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
        owner: type = function.__objclass__
        return owner in (torch._C.TensorBase, torch.Tensor) and function.__name__ not in _NOT_OPERATIONS
    if isinstance(function, torch._ops.OpOverload | torch._ops.OpOverloadPacket):
        return True
    return id(function) in _operations() and not isinstance(function, type)


@contextmanager
def _breaking(function: Any, args: Any = (), kwargs: Any = None) -> Iterator[None]:
    """What the fake run of an operation raises is a break."""
    try:
        yield
    except DynamicOutputShapeException as error:
        raise Break(DATA_DEPENDENT, function, sizes=data_sizes.of_results(function, args, kwargs or {})) from error
    except (DataDependentOutputException, GuardOnDataDependentSymNode) as error:
        raise Break(DATA_DEPENDENT, function) from error
    except UnsupportedOperatorException as error:
        raise Break(UNKNOWN_OPERATION, function) from error
    except Exception as error:
        raise Break(FAKE_FAILED, function, error) from error


def call(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Record a call and give its result; or have tensor subclasses say what it does."""
    drawn = torch_random.draw(m, function, args, kwargs) if "generator" in kwargs else None
    if drawn is not None:
        return drawn
    classes = torch_subclasses.overriding(m, [*args, *kwargs.values()])
    if (m.function_modes or m.function_modes_before) and torch._C._is_torch_function_enabled():
        if torch_function_modes.only_devices(m):
            kwargs = torch_function_modes.with_device(m, function, kwargs)
        elif id(function) not in _ignored() or isinstance(function, types.BuiltinFunctionType):
            return torch_function_modes.dispatch(m, function, args, kwargs, classes)
    if classes and id(function) not in _ignored():
        return torch_subclasses.dispatch(m, function, args, kwargs, classes)
    return call_plainly(m, function, args, kwargs)


@cache
def _ignored() -> frozenset[int]:
    """The ids of what subclasses are never told of."""
    return frozenset(map(id, get_ignored_functions()))


def call_plainly(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Record a call and give its result."""
    kwargs = torch_inferred_types.with_dtype(m, function, args, kwargs)
    if any(isinstance(arg, NumberValue) for arg in args):
        args = _with_numbers(m, function, args)
    if m.recorder.constant_floats:
        args = [arg.number if isinstance(arg, NumpySymbol) else arg for arg in args]
        found = torch_float_operands.call(m, function, args, kwargs)
        if found is not None:
            return found
    try:
        return _record(m, function, args, kwargs)
    except Break as broken:
        traced = broken.reason in (DATA_DEPENDENT, UNKNOWN_OPERATION) and not broken.sizes
        if not traced or not isinstance(function, types.FunctionType):
            raise
        return m.inline(function, args, kwargs)  # it may only look at data in order to raise, or break further on


def _record(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    inputs = _Inputs(m)
    node_args = tuple(inputs.node(arg) for arg in args)
    node_kwargs = {name: inputs.node(arg) for name, arg in kwargs.items()}
    inputs.opaque = m.recorder.symbols is not None and id(function) in torch_varying_numbers.OPAQUE
    fake_args = tuple(inputs.fake(arg) for arg in args)
    fake_kwargs = {name: inputs.fake(arg) for name, arg in kwargs.items()}
    kind, target = _target(function, args)
    sized = torch_resizing.before(function, kwargs, inputs.tensors.values())
    with _breaking(function, fake_args, fake_kwargs):
        node, result = m.recorder.call(
            kind, target, node_args, node_kwargs, lambda: function(*fake_args, **fake_kwargs)
        )
    if sized:
        torch_resizing.refuse(m, function, sized)
    torch_random.refuse_late_draw(m, node)
    if m.modes and isinstance(result, torch.Tensor):
        _check_dtype(m, function, node, result, fake_args)
    if m.recorder.symbols is not None:
        m.recorder.symbols.note_askers(m.ledger.asker)
    return _result(m, node, result, inputs.tensors)


def _with_numbers(m: Tracer, function: Any, args: list[Value]) -> list[Value]:
    """Arguments with what stands for NumPy's numbers that only the graph knows.

    To PyTorch these are plain numbers. A tensor without dimensions is as good where it does not decide on the dtype.
    """
    tensors = [arg.fake for arg in args if isinstance(arg, TensorValue)]
    if function in _ARITHMETIC and tensors and all(fake.is_floating_point() and fake.dim() > 0 for fake in tensors):
        return [arg.tensor if isinstance(arg, NumberValue) and _is_real(arg) else arg for arg in args]
    return [m.call(m.getattr(arg, "item"), []) if isinstance(arg, NumberValue) else arg for arg in args]


def _is_real(number: NumberValue) -> bool:
    return not number.tensor.fake.is_complex()


_ARITHMETIC = frozenset(
    {
        operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.gt, operator.ge, operator.lt,
        operator.le, operator.eq, operator.ne, operator.iadd, operator.isub, operator.imul, operator.itruediv,
    }
)  # fmt: skip


def _check_dtype(m: Tracer, function: Any, node: Any, result: torch.Tensor, args: tuple[Any, ...]) -> None:
    """See that a default dtype set in the call is the graph's too, whatever it is when a backend runs that."""
    before, now = m.modes.get((torch._C._set_default_dtype,), (None, None))
    if before is now or "dtype" in node.kwargs or not (result.is_floating_point() or result.is_complex()):
        return
    if torch_function_modes.is_factory(function):
        node.kwargs = {**node.kwargs, "dtype": result.dtype}
    elif not any(isinstance(arg, torch.Tensor) and arg.dtype is result.dtype for arg in args):
        raise Break(UNKNOWN_OPERATION, function, "under a default dtype set in the call")


def argument(m: Tracer, value: Value) -> Any:
    """What stands for a value among the arguments of a node."""
    return _Inputs(m).node(value)


def call_nodes(
    m: Tracer, function: Any, args: list[Any], kwargs: dict[str, Any] | None = None, keep: bool = False
) -> Any:
    """Record a call whose arguments are nodes and literals; with `keep` it stays even if it gives no tensor."""
    kwargs = kwargs or {}
    fake_args = torch.fx.map_arg(tuple(args), lambda node: node.meta["example_value"])
    fake_kwargs = torch.fx.map_arg(kwargs, lambda node: node.meta["example_value"])
    with _breaking(function):
        node, result = m.recorder.call(
            "call_function", function, tuple(args), kwargs, lambda: function(*fake_args, **fake_kwargs)
        )
    if keep and not _has_tensor(result):
        return m.constant(result)
    return _result(m, node, result, {})


def call_body(m: Tracer, function: Any, modules: list[Any], inputs: list[Any]) -> list[Value]:
    """Record a call of something that takes graphs and their inputs, and gives a tuple."""
    result = call_nodes(m, function, [*modules, *inputs])
    assert isinstance(result, TupleValue | ListValue)
    return result.all(m)


def record(m: Tracer, function: Any, args: list[Value]) -> Value:
    """Record a call that changes a mode, and make it."""
    real = [arg.obj for arg in args if isinstance(arg, Known)]
    _, result = m.recorder.call("call_function", function, tuple(real), {}, lambda: function(*real))
    return m.constant(result)


def _target(function: Any, args: list[Value]) -> tuple[str, Any]:
    """How the graph names a callable: methods of tensors by name, everything else by itself."""
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType) or (
        isinstance(function, types.FunctionType) and getattr(torch.Tensor, function.__name__, None) is function
    ):
        return "call_method", getattr(function, "__name__", "")
    return "call_function", function


def node_of(value: TensorValue) -> Any:
    """The node of a tensor that is to be used now."""
    if value.node._erased:
        raise Break(UNKNOWN_OPERATION, "a tensor of a function given to PyTorch, outside of that function")
    return value.node


class _Inputs:
    """The arguments of one call, as nodes for the graph and as fakes for the fake run."""

    def __init__(self, m: Tracer) -> None:
        self.m = m
        self.tensors: dict[int, TensorValue] = {}
        self.opaque = False  # whether floats tell nothing about the result but its numbers

    def node(self, value: Value) -> Any:
        if isinstance(value, NumpySymbol):
            value = value.number
        if isinstance(value, TensorValue):
            self.tensors[id(value.fake)] = value
            return node_of(value)
        if isinstance(value, SymbolValue):
            if self.m.recorder.must_be_constant(value.sym):
                return self.node(specialized(self.m, value))
            return self.m.recorder.number(value.sym)
        return self._other(value, self.node)

    def fake(self, value: Value) -> Any:
        if isinstance(value, NumpySymbol):
            value = value.number
        if isinstance(value, SymbolValue):
            known = hint_of(value.sym) if self.opaque and value.cls is float else None
            return value.sym if known is None else known
        return value.fake if isinstance(value, TensorValue) else self._other(value, self.fake)

    def _other(self, value: Value, convert: Any) -> Any:
        if isinstance(value, Known):
            if numpy_numbers.is_number(value.obj):
                return torch_inferred_types.plain(value.obj)
            if value.literal or isinstance(value.obj, torch._ops.OpOverload):
                return value.obj
            if isinstance(value.obj, type):
                return _named(value.obj) if convert == self.node else value.obj
        elif isinstance(value, Sequence):
            items = [convert(item) for item in value.all(self.m)]
            return items if isinstance(value, ListValue) else tuple(items)
        elif isinstance(value, SliceValue):
            return slice(*(convert(part) for part in value.parts))
        elif isinstance(value, RangeValue):
            return self._other(specialized(self.m, value), convert)
        elif isinstance(value, DictValue):
            return {self._other(name, convert): convert(item) for name, item in value.items(self.m)}
        elif isinstance(value, InstanceValue) and isinstance(value.content, TupleValue | ListValue):
            return convert(value.content)  # to tensor operations a subclass of tuple is just that
        elif (
            isinstance(value, InstanceValue)
            and isinstance(value.content, Known)
            and issubclass(value.cls, int | float | str)
        ):
            return convert(value.content)
        if isinstance(value, Known) and isinstance(value.obj, enum.Enum) and isinstance(value.obj, int | str):
            return int(value.obj) if isinstance(value.obj, int) else str.__str__(value.obj)
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} as the argument of a tensor operation")


def _named(kind: type) -> Any:
    """What PyTorch takes a class for. The text of a graph has no names for classes."""
    if isinstance(kind, _LEGACY):
        return f"{kind.__module__}.{kind.__name__}"
    return _DTYPES.get(kind, kind)


_LEGACY: Any = type(torch.FloatTensor)
_DTYPES: dict[type, torch.dtype] = {
    int: torch.int64,
    float: torch.float64,
    bool: torch.bool,
    complex: torch.complex128,
}


def _result(m: Tracer, node: Any, result: Any, tensors: dict[int, TensorValue]) -> Value:
    if not _has_tensor(result) and result is not None:
        if "unbacked_bindings" not in node.meta:
            m.recorder.forget(node)
        return m.constant(result)
    return _wrap(m, node, result, tensors)


def _has_tensor(result: Any) -> bool:
    if isinstance(result, torch.Tensor):
        return True
    return isinstance(result, tuple | list) and any(map(_has_tensor, result))


def _wrap(m: Tracer, node: Any, result: Any, tensors: dict[int, TensorValue]) -> Value:
    if isinstance(result, torch.Tensor):
        known = tensors.get(id(result))
        if known is not None:
            return known
        kind = torch.nn.Parameter if isinstance(result, torch.nn.Parameter) else torch.Tensor
        made = TensorValue(node, result, kind)
        if result.requires_grad and result.is_leaf:
            note_leaf(m, made)
        return made
    if isinstance(result, tuple | list):
        items = [
            _wrap(m, m.recorder.item(node, index, part), part, tensors) if _has_tensor(part) else m.constant(part)
            for index, part in enumerate(result)
        ]
        return ListValue(items, list) if type(result) is list else TupleValue(items, type(result))
    return m.constant(result)


def note_leaf(m: Tracer, tensor: TensorValue) -> None:
    """A tensor made in the call requires gradients of its own from now on."""
    m.leaves.setdefault(id(tensor.fake), MadeLeaf(tensor, m.steps))


def attribute(m: Tracer, tensor: TensorValue, name: str) -> Value:
    """`tensor.name` for what tensors keep in C++."""
    if name in ("grad", "grad_fn", "_grad", "_grad_fn", "_base", "_version", "data_ptr", "_cdata", "_backward_hooks"):
        raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a tensor")
    if name == "nbytes":
        return m.constant(tensor.fake.numel() * tensor.fake.element_size())
    if m.function_modes and not torch_function_modes.only_devices(m) and torch._C._is_torch_function_enabled():
        return torch_function_modes.attribute(m, tensor, name)
    found = call_plainly(m, getattr, [tensor, Known(name)], {})
    cls: Any = tensor.cls
    if torch_subclasses.overriding(m, [tensor]) and (
        isinstance(found, TensorValue) or cls.__torch_function__.__func__ is not _DEFAULT_FUNCTION
    ):
        raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a tensor subclass")
    return found


_DEFAULT_FUNCTION: Any = torch.Tensor.__torch_function__.__func__  # type: ignore[attr-defined]


def field(m: Tracer, value: TupleValue, name: str) -> Value | None:
    """A named field of a struct sequence, as operations with several results give."""
    names = getattr(value.cls, "__match_args__", ())
    return value.at(m, names.index(name)) if name in names else None


def _needs_data(*names: str) -> None:
    for name in names:

        def refuse(m: Tracer, *args: Value, name: str = name, **kwargs: Value) -> Value:
            raise Break(DATA_DEPENDENT, f".{name}()")

        model(getattr(torch.Tensor, name))(refuse)


_needs_data("__bool__", "__complex__")
