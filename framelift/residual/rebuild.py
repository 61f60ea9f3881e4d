"""Bytecode that makes the objects values stand for: each once, so that identity is kept, cycles included."""

from __future__ import annotations

import inspect
import operator
import types
import weakref
from collections.abc import Callable
from typing import Any

import torch

from framelift.code import Code
from framelift.code.emitter import Emitter
from framelift.models import aliases, std_io, torch_inference, torch_ops
from framelift.paths.reach import class_attribute, own_dict
from framelift.residual import arrays, callables, collections_, generators, make, numbers_, tracebacks
from framelift.values.attribute_dict import AttributeDict
from framelift.values.base import NULL, Tracer, Value
from framelift.values.class_dict import ClassDict
from framelift.values.combined import ArrangementIterator
from framelift.values.context_token import TokenValue
from framelift.values.dict_namespace import DictNamespace
from framelift.values.generator import GeneratorValue
from framelift.values.getter import GetterValue
from framelift.values.handle import HookHandle
from framelift.values.inference import InferenceGuard
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue
from framelift.values.namespace import Namespace
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.signature import MappingProxyValue, SignatureValue
from framelift.values.slices import SliceValue
from framelift.values.tensor import TensorValue
from framelift.values.text_file import TextFileValue
from framelift.values.weak import ProxyValue, WeakrefValue

Attributes = list[tuple[str, Value]]


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
        """Store the top in a new local as the object of `value`; it stays on the stack.

        If a part of it led back to it, it has been made on the way there: then that one is the object.
        """
        known = self.slots.get(id(value))
        if known is not None:
            self.emit.pop()
            self.emit.fast(known[1], bound=True)
            return known[1]
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
        if id(value) not in self.tensors:
            self.tensors[id(value)] = value
            if isinstance(value.grad, TensorValue):  # it is made with its gradient
                self.load(value.grad)
                self.emit.pop()
        self.emit.const(None)  # the first run only: in the second every tensor has its slot

    def tuple(self, value: TupleValue) -> None:
        items = value.all(self.tracer)
        if self.is_made_by(value, *(item for item in items if not isinstance(item, Known | TensorValue))):
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
        collections_.refuse_asking(value.entries(self.tracer))
        self.emit.build_map(0)
        self.keep(value)
        for key, item in value.pairs(self.tracer):
            collections_.put(self, value, key, item)

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
        if self.is_made_by(value, cls):
            return
        if issubclass(value.cls, BaseException):
            self.call(make.exception, cls, value.args)
        elif isinstance(value.content, TupleValue):
            self.call(make.immutable, cls, TupleValue(value.content.all(self.tracer), tuple))
        elif not collections_.start_instance(self, value):
            self.call(make.instance, cls)
        self.keep(value)
        collections_.fill(self, value, value.content)
        slots = {_name(slot): item for slot, item in value.slots.items() if slot not in NOT_ATTRIBUTES}
        for holder in (value.attributes.written, slots):
            present = [(name, item) for name, item in holder.items() if item is not None and item is not NULL]
            if class_attribute(value.cls, "__hash__") is not object.__hash__ or value.cls in self.tracer.made_classes:
                # It may be asked for its hash as soon as something leads back to it: what it can have is there then.
                late = [(name, item) for name, item in present if not isinstance(item, Known | TensorValue)]
                self._set(value, [(name, NONE if (name, item) in late else item) for name, item in present])
                for attribute in late:
                    self._set(value, [attribute])
            else:
                self._set(value, present)
        shown = tracebacks.way_of(self.tracer, value)
        if shown:
            self.call(make.raised, value, tracebacks.raising(shown))
            self.emit.pop()

    def _set(self, value: InstanceValue, attributes: Attributes) -> None:
        if not attributes:
            return
        self.emit.const_callee(make.attributes)
        self.load(value)
        for name, item in attributes:
            self.emit.const(name)
            self.load(item)
        self.emit.build_map(len(attributes))
        self.emit.call(2)
        self.emit.pop()

    def is_made_by(self, value: Value, *parts: Value) -> bool:
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

    def getter(self, value: GetterValue) -> None:
        keywords = DictValue()
        for name, item in value.kwargs.items():
            keywords.put(self.tracer, Known(name), item)
        self.call(make.called, value.cls, TupleValue(value.args, tuple), keywords)
        self.keep(value)

    def inference_guard(self, value: InferenceGuard) -> None:
        self.call(torch_inference.guard, value.mode, value.active, value.before)
        self.keep(value)

    def weakref(self, value: WeakrefValue) -> None:
        self.call(weakref.ref, value.referent, *([] if value.callback is None else [value.callback]))
        self.keep(value)

    def weak_proxy(self, value: ProxyValue) -> None:
        self.call(weakref.proxy, value.referent)
        self.keep(value)

    def text_file(self, value: TextFileValue) -> None:
        self.call(std_io.text_file, TupleValue(value.parts, tuple), value.position, value.closed)
        self.keep(value)

    def context_token(self, value: TokenValue) -> None:
        """The one that setting the variable gave."""
        if value.place is None:
            raise Break(REBUILD, "the token of a context variable that was set back")
        self.call(operator.itemgetter(0), value.box)
        self.keep(value)

    def hook_handle(self, value: HookHandle) -> None:
        raise value.refused

    def mapping_proxy(self, value: MappingProxyValue) -> None:
        if isinstance(value.owner, ClassDict):
            self.call(make.class_dict, value.owner.owner)
        else:
            self.call(types.MappingProxyType, value.owner)
        self.keep(value)

    def arrangement(self, value: ArrangementIterator) -> None:
        pools = [TupleValue(list(pool), tuple) for pool in value.pools]
        options = [Known(option) for option in value.options]
        self.call(make.advanced, value.cls, TupleValue([*pools, *options], tuple), value.given)
        self.keep(value)

    def generator(self, value: GeneratorValue) -> None:
        """One of the user's as it stands; a built-in iterator that a polyfill stands for, if it has not started."""
        if value.stands_for is None and not callables.is_ours(value.code.co_filename):
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
        if self.is_made_by(value, *needed):
            return
        self.call(function, *args)
        self.keep(value)


def _name(slot: Any) -> str:
    return slot if isinstance(slot, str) else slot.__name__


# What an instance keeps among its slots for itself: its dictionary is filled, a group makes its tuple again, and where
# an exception was raised before it was returned is lost.
NOT_ATTRIBUTES = frozenset({"__dict__", "__traceback__", "exceptions of the group"})

# What a signature looks up when it is asked for.
ANNOTATIONS = {inspect.Parameter: "annotation", inspect.Signature: "return_annotation"}

MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    TensorValue: Rebuilder.tensor,
    TupleValue: Rebuilder.tuple,
    ListValue: Rebuilder.list,
    DictValue: Rebuilder.dict,
    AttributeDict: Rebuilder.attribute_dict,
    **collections_.COLLECTION_MAKERS,
    **arrays.ARRAY_MAKERS,
    **numbers_.NUMBER_MAKERS,
    **callables.CALLABLE_MAKERS,
    SliceValue: Rebuilder.slice,
    InstanceValue: Rebuilder.instance,
    GetterValue: Rebuilder.getter,
    WeakrefValue: Rebuilder.weakref,
    ProxyValue: Rebuilder.weak_proxy,
    TextFileValue: Rebuilder.text_file,
    MappingProxyValue: Rebuilder.mapping_proxy,
    SignatureValue: Rebuilder.signature,
    ArrangementIterator: Rebuilder.arrangement,
    GeneratorValue: Rebuilder.generator,
    InferenceGuard: Rebuilder.inference_guard,
    HookHandle: Rebuilder.hook_handle,
    TokenValue: Rebuilder.context_token,
}
