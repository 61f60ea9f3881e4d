"""Bytecode that makes the objects values stand for: each once, so that identity is kept, cycles included."""

from __future__ import annotations

import abc
import functools
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any

import torch

from framelift.code import Code
from framelift.code.emitter import Emitter
from framelift.graph.derived import Derivation, computed
from framelift.graph.symbols import Symbolic
from framelift.guards.observed import Observed
from framelift.models import aliases, class_making, deferred_texts, registry, torch_inference, torch_ops
from framelift.paths.reach import own_dict
from framelift.residual import arrays, collections_, generators, make, tracebacks
from framelift.values.attribute_dict import AttributeDict
from framelift.values.base import NULL, Tracer, Value
from framelift.values.class_dict import ClassDict
from framelift.values.classes import ClassValue
from framelift.values.combined import ArrangementIterator
from framelift.values.descriptors import DescriptorValue
from framelift.values.dict_namespace import DictNamespace
from framelift.values.function import CellValue, FunctionValue, MethodValue
from framelift.values.generator import GeneratorValue
from framelift.values.getter import GetterValue
from framelift.values.identity_number import IdentityNumber
from framelift.values.inference import InferenceGuard
from framelift.values.instance import InstanceValue
from framelift.values.keywrapper import KeyWrapperValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.namespace import Namespace
from framelift.values.partial import PartialValue
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.signature import MappingProxyValue, SignatureValue
from framelift.values.slices import SliceValue
from framelift.values.superclass import SuperValue
from framelift.values.symbol import FloatInput, NumpySymbol, SymbolValue
from framelift.values.tensor import TensorValue
from framelift.values.text import TextValue
from framelift.values.weak import WeakrefValue


class Rebuilder:
    """Emits loads of values into one piece of code.

    Run twice over the same values: first to find which tensors the graph must give back (`tensors`), then to emit.
    """

    def __init__(self, tracer: Tracer, code: Code, emitter: Emitter, first_input: int) -> None:
        self.tracer = tracer
        self.code = code
        self.emit = emitter
        self.first_input = first_input
        self.slots: dict[int, tuple[Value, int]] = {}
        self.tensors: dict[int, Value] = {}  # numbers too, where only the graph knows them

    def load(self, value: Value | Namespace) -> None:
        """Push the object."""
        if isinstance(value, DictNamespace):
            value = value.mapping
        if isinstance(value, Namespace):
            assert value.storage is not None
            self.emit.fast(self.first_input + value.storage.hand_over(), bound=True)
            return
        if value is NULL:
            self.emit.add("PUSH_NULL")
            return
        if value.seen is not None and not (isinstance(value, Known) and value.literal):
            self.emit.fast(self.first_input + value.seen.hand_over(), bound=True)
            return
        if isinstance(value, Known):
            made = self.tracer.made_classes.get(value.obj) if isinstance(value.obj, type) else None
            if made is None:
                self._constant(value)
                return
            value = made
        assert isinstance(value, Value)
        known = self.slots.get(id(value))
        if known is not None:
            self.emit.fast(known[1], bound=True)
            return
        self._make(value)

    def _constant(self, value: Known) -> None:
        """Push an object that is known for good; one that is made of a class of the call's own gets the real class."""
        made = self.tracer.made_classes
        if not made or value.literal or isinstance(value.obj, type | types.FunctionType | types.ModuleType):
            self.emit.const(value.obj)
            return
        known = self.slots.get(id(value.obj))
        if known is not None:
            self.emit.fast(known[1], bound=True)
            return
        mentioned = aliases.mentioned(value.obj, made)
        if not mentioned:
            if aliases.holds(value.obj, made):
                raise Break(REBUILD, f"a {value.cls.__name__} of a class made during the call")
            self.emit.const(value.obj)
            return
        real = TupleValue([Known(cls) for cls in mentioned], tuple)
        self.call(aliases.replaced, value.obj, tuple(mentioned), real)
        self.slots[id(value.obj)] = (value, slot := self.code.add_slot(f"made{len(self.slots)}"))
        self.emit.copy()
        self.emit.store_fast(slot)

    def keep(self, value: Value) -> int:
        """Store the top in a new local as the object of `value`; it stays on the stack."""
        slot = self.code.add_slot(f"made{len(self.slots)}")
        self.slots[id(value)] = (value, slot)
        self.emit.copy()
        self.emit.store_fast(slot)
        return slot

    def _make(self, value: Value) -> None:
        maker = MAKERS.get(type(value))
        if maker is None:
            raise Break(REBUILD, f"a {value.cls.__name__}")
        maker(self, value)

    def call(self, function: Callable[..., Any], *args: Any) -> None:
        """Push the result of a call; values are loaded, everything else is a constant."""
        self.emit.const_callee(function)
        for arg in args:
            if isinstance(arg, Value | Namespace):
                self.load(arg)
            else:
                self.emit.const(arg)
        self.emit.call(len(args))

    # One method per kind of value

    def tensor(self, value: TensorValue) -> None:
        torch_ops.node_of(value)
        if torch._C._functorch.is_functorch_wrapped_tensor(value.fake):
            raise Break(REBUILD, "a tensor of torch.func, outside of the transform")
        self.tensors[id(value)] = value
        self.emit.const(None)  # the first run only: in the second every tensor has its slot

    def symbol(self, value: SymbolValue) -> None:
        """A symbolic number: computed from the inputs, and from numbers that the graph gives back."""
        symbols = self.tracer.use_symbols()
        if symbols.is_made_by_graph(value.sym):
            self.tensors[id(value)] = value
            self.emit.const(None)
            return
        expr = symbols.expression(value.sym)
        derivation = symbols.derivations.get(expr)
        if derivation is not None:
            self._derived(value, self.tracer.symbol(expr), derivation)
            return
        function, sources = symbols.formula(value.sym)
        self.emit.const_callee(function)
        for source in sources:
            if isinstance(source, Observed):
                self.emit.fast(self.first_input + source.hand_over(), bound=True)
            else:
                self.load(self.tracer.symbol(source))
        self.emit.call(len(sources))
        self.keep(value)

    def _derived(self, value: SymbolValue, known: Value, derivation: Derivation) -> None:
        """A number that a function of Python's computes, once."""
        if known is not value:
            self.load(known)
            return
        args = [SymbolValue(arg) if isinstance(arg, Symbolic) else arg for arg in derivation.args]
        if derivation.may_fail:
            self.call(computed, derivation.function, derivation.kind, *args)
        else:
            self.call(derivation.function, *args)
        self.keep(value)

    def text(self, value: TextValue) -> None:
        if value.copies is None:
            value.copies = [deferred_texts.copied(self.tracer, value, arg) for arg in value.args]
        self.call(value.function, *value.copies)
        self.keep(value)

    def numpy_symbol(self, value: NumpySymbol) -> None:
        self.call(value.kind, value.number)
        self.keep(value)

    def float_input(self, value: FloatInput) -> None:
        self.call(make.double, value.number)

    def tuple(self, value: TupleValue) -> None:
        items = value.all(self.tracer)
        if self._is_made_by(value, *(item for item in items if not isinstance(item, Known | TensorValue))):
            return
        plain = value.cls is tuple
        if not plain:
            self.emit.const_callee(make.immutable)
            self.load(Known(value.cls))
        for item in items:
            self.load(item)
        self.emit.build_tuple(len(items))
        if not plain:
            self.emit.call(2)
        self.keep(value)

    def list(self, value: ListValue) -> None:
        self.emit.build_list(0)
        slot = self.keep(value)
        for item in value.all(self.tracer):
            self.load(item)
            self.emit.add("LIST_APPEND", 1)
        assert slot >= 0

    def dict(self, value: DictValue) -> None:
        self.emit.build_map(0)
        self.keep(value)
        for name, item in value.items(self.tracer):
            self.load(name)
            self.load(item)
            self.emit.add("MAP_ADD", 1)

    def attribute_dict(self, value: AttributeDict) -> None:
        self.call(own_dict, value.owner)
        self.keep(value)

    def slice(self, value: SliceValue) -> None:
        for part in value.parts:
            self.load(part)
        self.emit.add("BUILD_SLICE", 3)
        self.keep(value)

    def instance(self, value: InstanceValue) -> None:
        cls = Known(value.cls)
        if value.cls.__module__.startswith("framelift.models."):
            raise Break(REBUILD, "an object of framelift's own")
        if self._is_made_by(value, cls):
            return
        if issubclass(value.cls, BaseException):
            self.call(make.exception, cls, TupleValue(value.init_args, tuple))
        elif isinstance(value.content, TupleValue):
            self.call(make.immutable, cls, TupleValue(value.content.all(self.tracer), tuple))
        elif not collections_.start_instance(self, value):
            self.call(make.instance, cls)
        self.keep(value)
        collections_.fill(self, value, value.content)
        slots = {_name(slot): item for slot, item in value.slots.items() if slot not in NOT_ATTRIBUTES}
        for holder in (value.attributes.written, slots):
            present = [(name, item) for name, item in holder.items() if item is not None and item is not NULL]
            if present:
                self.emit.const_callee(make.attributes)
                self.load(value)
                for name, item in present:
                    self.emit.const(name)
                    self.load(item)
                self.emit.build_map(len(present))
                self.emit.call(2)
                self.emit.pop()
        shown = tracebacks.way_of(self.tracer, value)
        if shown:
            self.call(make.raised, value, tracebacks.raising(shown))
            self.emit.pop()

    def _is_made_by(self, value: Value, *parts: Value) -> bool:
        """Make what an object needs first. That may lead back to the object, which is then made and pushed."""
        for part in parts:
            self.load(part)
            self.emit.pop()
        known = self.slots.get(id(value))
        if known is not None:
            self.emit.fast(known[1], bound=True)
        return known is not None

    def signature(self, value: SignatureValue) -> None:
        self.tracer.getattr(value, ANNOTATIONS[value.cls])
        self.instance(value)

    def function(self, value: FunctionValue) -> None:
        if len(value.closure) != len(value.code.co_freevars):
            raise Break(REBUILD, f"the function {value.qualname}, which is still being made")
        if _ours(value.code.co_filename):
            raise Break(REBUILD, "a function of framelift's own")
        # Cells first: a function is often reachable from its own closure.
        if self._is_made_by(value, *value.closure):
            return
        none = Known(None)
        self.call(
            make.function,
            value.code,
            value.globals,
            (value.name, value.qualname),
            none if value.defaults is None else value.defaults,
            none if value.kwdefaults is None else value.kwdefaults,
            TupleValue(list(value.closure), tuple),
            none if value.annotations is None else value.annotations,
        )
        self.keep(value)
        special = {name: item for name, item in value.special.items() if name != "__dict__"}
        for name, item in (special | value.attributes.written).items():
            if item is not NULL:
                self.call(setattr, value, name, item)
                self.emit.pop()

    def cell(self, value: CellValue) -> None:
        self.call(make.cell)
        self.keep(value)
        content = value.get(self.tracer)
        if content is not None:
            self.call(make.set_cell, value, content)
            self.emit.pop()

    def descriptor(self, value: DescriptorValue) -> None:
        if value.cls not in (property, staticmethod, classmethod):
            raise Break(REBUILD, f"a {value.cls.__name__}")
        self.call(value.cls, *value.parts)
        self.keep(value)

    def made_class(self, value: ClassValue) -> None:
        overlay = self.tracer.class_writes[value.obj]
        # Every name from the start, for their order; what is not there yet is put in afterwards.
        entries = {**dict.fromkeys(overlay), **value.seed["entries"]}
        bases = TupleValue(value.bases, tuple)
        self.emit.const_callee(class_making.new_class)
        for part in (value.seed["meta"], Known(value.seed["name"]), bases):
            self.load(part)
        for name, item in entries.items():
            self.emit.const(name)
            self.emit.const(item)
        self.emit.build_map(len(entries))
        self.emit.call(4)
        self.keep(value)
        names = tuple(name for name in overlay if name != "__slots__" and not _is_there(overlay[name], entries[name]))
        values = TupleValue([overlay[name] for name in names], tuple)
        self.call(class_making.set_attributes, value, names, values)
        self.emit.pop()
        for function in value.finish:
            self.call(function, value)
            self.emit.pop()
        for other in value.registered:
            self.call(abc.ABCMeta.register, value, other)
            self.emit.pop()

    def method(self, value: MethodValue) -> None:
        self.call(types.MethodType, value.function, value.receiver)
        self.keep(value)

    def super(self, value: SuperValue) -> None:
        self.call(super, Known(value.after), value.owner)
        self.keep(value)

    def partial(self, value: PartialValue) -> None:
        func, args, keywords = (value.part(self.tracer, name) for name in ("func", "args", "keywords"))
        self.call(make.partial, func, args, keywords)
        self.keep(value)
        for name, item in value.attributes.written.items():
            if item is not NULL:
                self.call(setattr, value, name, item)
                self.emit.pop()

    def getter(self, value: GetterValue) -> None:
        keywords = DictValue()
        for name, item in value.kwargs.items():
            keywords.put(self.tracer, Known(name), item)
        self.call(make.called, value.cls, TupleValue(value.args, tuple), keywords)
        self.keep(value)

    def key_wrapper(self, value: KeyWrapperValue) -> None:
        if value.obj is None:
            self.call(functools.cmp_to_key, value.compare)
        else:
            self.call(make.key_wrapper, value.compare, value.obj)
        self.keep(value)

    def inference_guard(self, value: InferenceGuard) -> None:
        self.call(torch_inference.guard, value.mode, value.active, value.before)
        self.keep(value)

    def weakref(self, value: WeakrefValue) -> None:
        self.call(weakref.ref, value.referent, *([] if value.callback is None else [value.callback]))
        self.keep(value)

    def mapping_proxy(self, value: MappingProxyValue) -> None:
        if isinstance(value.owner, ClassDict):
            self.call(make.class_dict, value.owner.owner)
        else:
            self.call(types.MappingProxyType, value.owner)
        self.keep(value)

    def identity_number(self, value: IdentityNumber) -> None:
        self.call(id, value.of)
        self.keep(value)

    def arrangement(self, value: ArrangementIterator) -> None:
        pools = [TupleValue(list(pool), tuple) for pool in value.pools]
        options = [Known(option) for option in value.options]
        self.call(make.advanced, value.cls, TupleValue([*pools, *options], tuple), value.given)
        self.keep(value)

    def generator(self, value: GeneratorValue) -> None:
        """One of the user's as it stands; a built-in iterator that a polyfill stands for, if it has not started."""
        if value.stands_for is None and not _ours(value.code.co_filename):
            self._users_generator(value)
            return
        if value.stands_for is None or value.state != "created":
            raise Break(REBUILD, f"a {value.cls.__name__} that has started")
        kind, args, kwargs = value.stands_for
        if any(isinstance(arg, InstanceValue) for arg in (*args, *kwargs.values())):
            raise Break(REBUILD, f"a {value.cls.__name__} over an object of a class")
        self.getter(GetterValue(kind, args, kwargs))
        self.keep(value)

    def _users_generator(self, value: GeneratorValue) -> None:
        function, *args = generators.parts(value)
        needed = [item for arg in args if isinstance(arg, Sequence) for item in arg.all(self.tracer)]
        if self._is_made_by(value, *needed):
            return
        self.call(function, *args)
        self.keep(value)


def _ours(filename: str) -> bool:
    """Polyfills make functions and objects that stand for built-in ones; they must not get out."""
    return filename.startswith(_MODELS)


_MODELS = registry.__file__.rpartition("registry")[0]


def _is_there(value: Value, entry: Any) -> bool:
    """Whether a name of a class has its value from the start."""
    return isinstance(value, Known) and value.literal and entry is not None and value.obj == entry


def _name(slot: Any) -> str:
    return slot if isinstance(slot, str) else slot.__name__


# What an instance keeps among its slots for itself: its dictionary is filled, a group makes its tuple again, and where
# an exception was raised before it was returned is lost.
NOT_ATTRIBUTES = frozenset({"__dict__", "__traceback__", "exceptions of the group"})

# What a signature looks up when it is asked for.
ANNOTATIONS = {inspect.Parameter: "annotation", inspect.Signature: "return_annotation"}

MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    TensorValue: Rebuilder.tensor,
    SymbolValue: Rebuilder.symbol,
    FloatInput: Rebuilder.float_input,
    NumpySymbol: Rebuilder.numpy_symbol,
    TextValue: Rebuilder.text,
    TupleValue: Rebuilder.tuple,
    ListValue: Rebuilder.list,
    DictValue: Rebuilder.dict,
    AttributeDict: Rebuilder.attribute_dict,
    **collections_.COLLECTION_MAKERS,
    **arrays.ARRAY_MAKERS,
    SliceValue: Rebuilder.slice,
    InstanceValue: Rebuilder.instance,
    FunctionValue: Rebuilder.function,
    CellValue: Rebuilder.cell,
    MethodValue: Rebuilder.method,
    DescriptorValue: Rebuilder.descriptor,
    ClassValue: Rebuilder.made_class,
    SuperValue: Rebuilder.super,
    PartialValue: Rebuilder.partial,
    GetterValue: Rebuilder.getter,
    WeakrefValue: Rebuilder.weakref,
    KeyWrapperValue: Rebuilder.key_wrapper,
    MappingProxyValue: Rebuilder.mapping_proxy,
    SignatureValue: Rebuilder.signature,
    ArrangementIterator: Rebuilder.arrangement,
    GeneratorValue: Rebuilder.generator,
    InferenceGuard: Rebuilder.inference_guard,
    IdentityNumber: Rebuilder.identity_number,
}
