"""From real objects to symbolic values.

An object found on a path becomes a value by its type: literals are guarded by value, what never changes its nature
(functions, classes, modules, built-ins) by identity, tensors by their metadata, and everything mutable by its type
alone, its contents being looked at when the program does.
"""

from __future__ import annotations

import contextvars
import enum
import functools
import itertools
import re
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from types import (
    BuiltinFunctionType,
    CellType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    SimpleNamespace,
    TracebackType,
    WrapperDescriptorType,
)
from typing import TYPE_CHECKING, Any

import torch
from torch._subclasses.fake_tensor import UnsupportedFakeTensorException

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.models import class_facts, counting, numpy_graph, registry, torch_subclasses
from framelift.paths import reach
from framelift.values import numpy_numbers, symbol
from framelift.values.arrays import ArrayTensor, ArrayValue, ForeignArray, NumberTensor, NumberValue
from framelift.values.attribute_dict import NamespaceDict
from framelift.values.base import Value
from framelift.values.cached import CachedFunction
from framelift.values.early import RandomGenerator
from framelift.values.found_iterators import COMBINED, LEAVES, FoundIterator, found_combined
from framelift.values.function import CellValue, MethodValue
from framelift.values.generator import FoundGenerator
from framelift.values.instance import InstanceValue
from framelift.values.keys import PYBIND, key_of
from framelift.values.known import LITERALS, PINNED, Closure, Known
from framelift.values.mapping import DictValue
from framelift.values.namespace import Namespace
from framelift.values.opaque import OpaqueValue
from framelift.values.partial import PartialValue
from framelift.values.reasons import UNKNOWN_OBJECT, Break
from framelift.values.sequence import DequeValue, ListValue, TupleValue
from framelift.values.sets import SetValue
from framelift.values.signature import MappingProxyValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue
from framelift.values.weak import PROXIES, ProxyValue, WeakrefValue, behind

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

IMMUTABLE_TYPE = 1 << 8
HEAP_TYPE = 1 << 9

Lifter = Callable[["Machine", Observed, type], Value]


def constant(m: Machine, obj: Any) -> Value:
    """The value of a Python object that belongs to nobody: a literal, or a container of literals."""
    kind = type(obj)
    if kind is tuple:
        return TupleValue([constant(m, item) for item in obj], tuple)
    if kind is list:
        return ListValue([constant(m, item) for item in obj], list)
    if kind in (set, frozenset):
        made = SetValue(kind)
        keys = [key_of(m, constant(m, item)) for item in obj]
        made.become(keys, obj)  # nobody else has it, and its order is the real one
        return made
    if kind is dict:
        made_dict = DictValue()
        for name, item in obj.items():
            made_dict.put(m, constant(m, name), constant(m, item))
        return made_dict
    if kind in symbol.KINDS:
        return symbol.wrapped(obj)
    if numpy_numbers.is_array(obj):
        return m.arrays.of(obj)
    if kind is torch.Size:
        return TupleValue([constant(m, item) for item in obj], torch.Size)
    return Known(obj)


def lift(m: Machine, seen: Observed) -> Value:
    """The value of an object that existed before the call. The same object gives the same value."""
    kind = seen.convert(type)
    if type(kind) is not type:
        class_facts.refuse_keys_of_its_own(kind)
    if kind in _NUMBERS:  # equal numbers are often one object, but each place has its own
        return _lift_number(m, seen)
    known = m.lifted.get(seen.token())
    if known is not None:
        first, value = known
        if first.path is not seen.path:
            _reach_again(m, first, seen, value)
        return value
    value = _lift_new(m, seen)
    m.lifted[seen.token()] = (seen, value)  # holds the object, so that its id stays its own
    return value


def conceal(m: Machine, obj: list[Any]) -> bool:
    """Have nothing be known of a list from now on; False if it has been looked into."""
    if id(obj) not in m.lifted:
        seen = Observed(m.ledger.paths.start("object", obj), obj, m.ledger)
        m.lifted[id(obj)] = (seen, ListValue.found(seen, list))
    _, value = m.lifted[id(obj)]
    found = isinstance(value, ListValue) and value.untouched
    if isinstance(value, ListValue) and found:
        value.concealed = True
    return found


def _reach_again(m: Machine, first: Observed, seen: Observed, value: Value) -> None:
    """Guard that a second path leads to an object already known from another."""
    if isinstance(value, Known) and not isinstance(value, Closure):
        if numpy_numbers.is_number(value.obj) and isinstance(value.obj, float):
            seen.learn(facts.type_of)
            seen.learn(facts.base_value)
        elif value.literal and not numpy_numbers.is_number(value.obj):
            seen.learn(facts.value)
        else:
            seen.pin()
        return
    seen.learn(facts.type_of)
    m.ledger.relate(first.path, seen.path, same=True)


def _lift_new(m: Machine, seen: Observed) -> Value:
    kind = seen.convert(type)
    if kind in LITERALS:
        return Known(seen.learn(facts.value), seen)
    if kind is FunctionType and seen.convert(lambda function: function.__closure__ is not None):
        seen.learn(facts.type_of)
        seen.child("code").pin()
        return Closure(seen.convert(lambda function: function), seen)
    if issubclass(kind, PINNED) or issubclass(kind, enum.Enum):
        return _lift_builtin(m, seen) if issubclass(kind, BuiltinFunctionType) else pinned(m, seen)
    if seen.convert(registry.find) is not None:  # a callable of a kind that is not known, but this one is
        return Known(seen.pin(), seen)
    lifter = LIFTERS.get(kind)
    if lifter is None and type(kind) is PYBIND:
        return Known(seen.pin(), seen)
    seen.learn(facts.type_of)
    if lifter is not None:
        return lifter(m, seen, kind)
    if issubclass(kind, torch.Tensor):
        return _lift_tensor(m, seen, kind)
    if kind.__flags__ & HEAP_TYPE or issubclass(kind, BaseException):
        return _lift_instance(m, seen, kind)
    if hasattr(kind, "__next__"):
        return OpaqueValue(kind, seen)
    if issubclass(kind, tuple) and hasattr(kind, "n_sequence_fields"):  # a struct sequence
        return TupleValue.found(seen, kind)
    if seen.convert(lambda obj: m.history.keeps_changing(seen.path.text(), obj)):
        return OpaqueValue(kind, seen)
    return Known(seen.pin(), seen)


def pinned(m: Machine, seen: Observed) -> Known:
    """What stays this very object."""
    if seen.convert(lambda obj: isinstance(obj, type)):
        seen.convert(lambda cls: class_facts.metaclass(m, cls))
    return Known(seen.pin(), seen)


_NUMBERS = frozenset({int, float})


def _lift_number(m: Machine, seen: Observed) -> Value:
    """An int or float: what it is, or a symbol where it has been seen to change."""
    known = m.numbers.get(seen.path)
    if known is not None:
        return known
    number = seen.convert(lambda number: number)
    if m.history.varies(seen.path.text(), number):
        seen.learn(facts.type_of)
        symbols = m.use_symbols()
        sym = symbols.integer(number, seen) if type(number) is int else m.recorder.real(number, seen)
        value: Value = SymbolValue(sym, seen)
    else:
        value = Known(seen.learn(facts.value), seen)
    m.numbers[seen.path] = value
    return value


def _lift_tensor(m: Machine, seen: Observed, kind: type) -> Value:
    if kind is not torch.Tensor and kind is not torch.nn.Parameter:
        torch_subclasses.refuse_unknown(kind)
        m.class_attribute(kind, "__torch_function__")
    plain = _unchanged if torch_subclasses.is_plain(kind) else torch_subclasses.plain_tensor
    name = _input_name(seen)
    dims = seen.convert(lambda tensor: m.history.dims(seen.path.text(), plain(tensor)))
    if dims is not None:
        m.use_symbols()
        with suppress(UnsupportedFakeTensorException):  # a view of a sparse tensor cannot have sizes that vary
            node, fake, *which = seen.convert(lambda tensor: m.recorder.symbolic_input(plain(tensor), name, seen, dims))
            seen.learn(facts.tensor, *(which if any(which) else ()))
            return TensorValue(node, fake, kind, seen)
    seen.learn(facts.tensor)
    try:
        node, fake = seen.convert(lambda tensor: m.recorder.input(plain(tensor), name))
    except UnsupportedFakeTensorException:
        return OpaqueValue(kind, seen)
    node.meta["stays"] = kind is torch.nn.Parameter or _is_buffer(seen)
    return TensorValue(node, fake, kind, seen)


def _lift_array(m: Machine, seen: Observed, kind: type) -> Value:
    """An array that existed before: the graph gets the tensor that shares its memory."""
    over: Any = numpy_graph.tensor_over
    if seen.convert(over) is None:
        return ForeignArray(seen)
    dims = seen.convert(lambda array: m.history.dims(seen.path.text(), over(array)))
    name, which = _input_name(seen), []
    if dims is not None:
        m.use_symbols()
        node, fake, *which = seen.convert(lambda array: m.recorder.symbolic_input(over(array), name, seen, dims))
    else:
        node, fake = seen.convert(lambda array: m.recorder.input(over(array), name))
    seen.learn(facts.tensor, *(which if any(which) else ()))
    writeable = seen.convert(lambda array: bool(array.flags.writeable))
    made = m.arrays.inputs[node] = ArrayTensor(node, fake, torch.Tensor, seen, writeable)
    return ArrayValue(tensor=made, seen=seen, writeable=writeable)


def _lift_numpy_number(m: Machine, seen: Observed, kind: type) -> Value:
    """One of NumPy's numbers: known, or, where it has been seen to change, a tensor of the graph."""
    place = seen.path.text()
    if issubclass(kind, float) and not m.history.varies(place, seen.convert(float)):
        return Known(kind(seen.learn(facts.base_value)), seen)
    if not issubclass(kind, float) and not seen.convert(lambda number: m.history.is_new(place, number)):
        return Known(seen.pin(), seen)
    over: Any = numpy_graph.tensor_of_number
    node, fake = seen.convert(lambda number: m.recorder.input(over(number), _input_name(seen)))
    made = m.arrays.inputs[node] = NumberTensor(node, fake, torch.Tensor, seen)
    return NumberValue(made, kind, seen)


def _is_buffer(seen: Observed) -> bool:
    """Whether a tensor is a buffer of a module, by the way it was reached."""
    return seen.path.parent is not None and seen.path.parent.key == "_buffers"


def _unchanged(tensor: Any) -> Any:
    return tensor


def _input_name(seen: Observed) -> str:
    text = seen.path.text()
    return re.sub(r"\W", "_", text).strip("_") or "input"


def _lift_instance(m: Machine, seen: Observed, kind: type) -> Value:
    value = InstanceValue(kind, seen)
    for base, lifter in CONTENTS.items():
        if issubclass(kind, base):
            value.content = lifter(m, seen, kind)
            break
    return value


def _lift_deque(seen: Observed, kind: type) -> Value:
    value = DequeValue.found(seen, kind)
    assert isinstance(value, DequeValue)
    value.bound = seen.learn(facts.deque_bound)
    return value


def _lift_literal(seen: Observed) -> Value:
    """What an instance of a subclass of str, int, ... holds, which never changes."""
    return Known(seen.learn(facts.base_value))


def _lift_dict(m: Machine, seen: Observed, kind: type) -> Value:
    names = m.namespaces.get(seen.token())
    return DictValue(kind, seen) if names is None else NamespaceDict(names, seen)


def _lift_builtin(m: Machine, seen: Observed) -> Value:
    """A function written in C, or a method of one bound to an object."""
    found = Known(seen.pin(), seen)
    return unbound(m, found) or found


def unbound(m: Machine, function: Known) -> MethodValue | None:
    """For a method written in C that is bound to an object: the method and the object."""
    if not isinstance(function.obj, BuiltinFunctionType | MethodWrapperType):
        return None
    owner = function.obj.__self__
    if owner is None or isinstance(owner, type | ModuleType) or not type(owner).__flags__ & IMMUTABLE_TYPE:
        return None
    method = reach.class_attribute(type(owner), function.obj.__name__)
    if not isinstance(method, MethodDescriptorType | WrapperDescriptorType):
        return None
    if isinstance(function.obj, MethodWrapperType):  # pinned, and with it what it is bound to
        receiver = Observed(m.ledger.paths.start("object", owner), owner, m.ledger)
        return MethodValue(Known(method), lift(m, receiver), function.seen)
    seen = function.seen or Observed(m.ledger.paths.start("object", function.obj), function.obj, m.ledger)
    return MethodValue(Known(method), lift(m, seen.child("builtin_self")), function.seen)


def _lift_proxy(m: Machine, seen: Observed) -> Value:
    """A read-only view. One of a class's dictionary would not show what the call has assigned to the class."""
    if m.class_writes and seen.convert(lambda proxy: "__module__" in proxy):
        raise Break(UNKNOWN_OBJECT, "a read-only view that may be of a class")
    return MappingProxyValue(lift(m, seen.child("proxy_mapping")), seen)


def _lift_weak_proxy(m: Machine, seen: Observed, kind: type) -> Value:
    """A proxy, which leads to the same object for as long as that lives."""
    seen.pin()
    referent = seen.convert(behind)
    if referent is None:
        raise Break(UNKNOWN_OBJECT, "a weak proxy of an object that is gone")
    return ProxyValue(kind, lift(m, Observed(m.ledger.paths.start("object", referent), referent, m.ledger)), seen)


def _lift_method(m: Machine, seen: Observed, kind: type) -> Value:
    return MethodValue(lift(m, seen.child("method_func")), lift(m, seen.child("method_self")), seen)


def _lift_generator(m: Machine, seen: Observed) -> Value:
    """A generator of random numbers, of the program's own or the one that everyone shares."""
    shared = torch.default_generator
    if seen.convert(lambda generator: generator is shared):
        return Known(seen.pin(), seen)
    m.ledger.relate(m.ledger.paths.start("object", shared), seen.path, same=False)
    return RandomGenerator(None, seen)


def _lift_iterator(m: Machine, seen: Observed, kind: type) -> Value:
    """One that draws from no other. It is not any of those known already, which are moved on their own."""
    for first, other in m.lifted.values():
        if isinstance(other, FoundIterator):
            m.ledger.relate(first.path, seen.path, same=False)
    return FoundIterator(seen, kind)


CONTENTS: dict[type, Lifter] = {
    tuple: lambda m, seen, kind: TupleValue.found(seen, kind),
    list: lambda m, seen, kind: ListValue.found(seen, kind),
    dict: lambda m, seen, kind: DictValue(kind, seen),
    set: lambda m, seen, kind: SetValue(kind, seen),
    frozenset: lambda m, seen, kind: SetValue(kind, seen),
    deque: lambda m, seen, kind: _lift_deque(seen, kind),
    **{base: lambda m, seen, kind: _lift_literal(seen) for base in (int, float, complex, str, bytes)},
}

LIFTERS: dict[type, Lifter] = {
    **CONTENTS,
    dict: _lift_dict,
    OrderedDict: _lift_instance,
    defaultdict: _lift_instance,
    torch.Size: lambda m, seen, kind: TupleValue.found(seen, kind),
    torch.Tensor: _lift_tensor,
    torch.nn.Parameter: _lift_tensor,
    CellType: lambda m, seen, kind: CellValue(None, seen),
    slice: lambda m, seen, kind: SliceValue([lift(m, seen.child("slice_part", part)) for part in range(3)], seen),
    MethodType: _lift_method,
    functools.partial: lambda m, seen, kind: PartialValue(seen=seen),
    SimpleNamespace: _lift_instance,
    functools._lru_cache_wrapper: lambda m, seen, kind: CachedFunction(kind, seen),
    **dict.fromkeys(LEAVES, _lift_iterator),
    itertools.count: counting.found,
    **dict.fromkeys(COMBINED, found_combined),
    GeneratorType: lambda m, seen, kind: FoundGenerator(kind, seen),
    CoroutineType: lambda m, seen, kind: FoundGenerator(kind, seen),
    weakref.ref: lambda m, seen, kind: WeakrefValue(seen=seen),
    **dict.fromkeys(PROXIES, _lift_weak_proxy),
    MappingProxyType: lambda m, seen, kind: _lift_proxy(m, seen),
    TracebackType: lambda m, seen, kind: OpaqueValue(kind, seen),
    contextvars.Token: lambda m, seen, kind: OpaqueValue(kind, seen),  # a new one each time
    **dict.fromkeys(numpy_numbers.ARRAYS, _lift_array),
    **dict.fromkeys(numpy_numbers.SCALARS, _lift_numpy_number),
    **dict.fromkeys(numpy_numbers.GENERATORS, lambda m, seen, kind: OpaqueValue(kind, seen)),
    torch.Generator: lambda m, seen, kind: _lift_generator(m, seen),
    torch._C._InferenceMode: lambda m, seen, kind: OpaqueValue(kind, seen),
}


def namespace(m: Machine, storage: Observed) -> Namespace:
    """The view of a dict of globals; one for each dict, however it is reached."""
    found = m.namespaces.get(storage.token())
    if found is None:
        found = m.namespaces[storage.token()] = Namespace(storage)
    return found


def globals_of(m: Machine, function: FunctionType, seen: Observed | None) -> Namespace:
    """The globals of a function. A function without a path is one of our own."""
    if seen is None:
        seen = Observed(m.ledger.paths.start("object", function), function, m.ledger)
    return namespace(m, seen.child("func_globals"))


def module_namespace(m: Machine, module: Known) -> Namespace:
    """The dictionary of a module."""
    known = m.module_names.get(id(module.obj))
    if known is not None:
        return known
    assert isinstance(module.obj, ModuleType)
    seen = module.seen
    if seen is None:
        seen = Observed(m.ledger.paths.start("object", module.obj), module.obj, m.ledger)
    seen.learn(facts.type_of)
    found = m.module_names[id(module.obj)] = namespace(m, seen.child("dict"))
    return found
