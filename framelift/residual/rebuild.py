"""Bytecode that makes the objects values stand for: each once, so that identity is kept, cycles included."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from framelift.code import Code
from framelift.code.emitter import Emitter
from framelift.residual import make
from framelift.values.attribute_dict import AttributeDict
from framelift.values.base import NULL, Tracer, Value
from framelift.values.function import CellValue, FunctionValue, MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.iterators import ConstantIterator, SequenceIterator
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.namespace import Namespace
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.sets import SetValue
from framelift.values.slices import SliceValue
from framelift.values.superclass import SuperValue
from framelift.values.tensor import TensorValue


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
        self.tensors: dict[int, TensorValue] = {}

    def load(self, value: Value | Namespace) -> None:
        """Push the object."""
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
            self.emit.const(value.obj)
            return
        known = self.slots.get(id(value))
        if known is not None:
            self.emit.fast(known[1], bound=True)
            return
        self._make(value)

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
        self.tensors[id(value)] = value
        self.emit.const(None)  # the first run only: in the second every tensor has its slot

    def tuple(self, value: TupleValue) -> None:
        items = value.all(self.tracer)
        plain = value.cls is tuple
        if not plain:
            self.emit.const_callee(make.immutable)
            self.emit.const(value.cls)
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
        self.call(make.own_dict, value.owner)
        self.keep(value)

    def set(self, value: SetValue) -> None:
        if value.cls is frozenset:
            self.emit.const_callee(frozenset)
        for key in value.keys(self.tracer):
            self.load(key.value)
        self.emit.add("BUILD_SET", len(value.keys(self.tracer)))
        if value.cls is frozenset:
            self.emit.call(1)
        self.keep(value)

    def slice(self, value: SliceValue) -> None:
        for part in value.parts:
            self.load(part)
        self.emit.add("BUILD_SLICE", 3)
        self.keep(value)

    def instance(self, value: InstanceValue) -> None:
        cls = Known(value.cls)
        if issubclass(value.cls, BaseException):
            self.call(make.exception, cls, TupleValue(value.init_args, tuple))
        elif isinstance(value.content, TupleValue):
            self.call(make.immutable, cls, TupleValue(value.content.all(self.tracer), tuple))
        else:
            self.call(make.instance, cls)
        self.keep(value)
        self._fill(value)
        slots = {_name(slot): item for slot, item in value.slots.items() if slot != "__dict__"}
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

    def _fill(self, value: InstanceValue) -> None:
        """The contents of a built-in base."""
        content = value.content
        if isinstance(content, DictValue):
            for name, item in content.items(self.tracer):
                self.call(dict.__setitem__, value, name, item)
                self.emit.pop()
        elif isinstance(content, ListValue):
            for item in content.all(self.tracer):
                self.call(list.append, value, item)
                self.emit.pop()
        elif isinstance(content, SetValue):
            for key in content.keys(self.tracer):
                self.call(set.add, value, key.value)
                self.emit.pop()
        elif content is not None and not isinstance(content, TupleValue):
            raise Break(REBUILD, f"a {value.cls.__name__}")

    def function(self, value: FunctionValue) -> None:
        # Cells first: a function is often reachable from its own closure.
        for cell in value.closure:
            self.load(cell)
            self.emit.pop()
        known = self.slots.get(id(value))
        if known is not None:
            self.emit.fast(known[1], bound=True)
            return
        none = Known(None)
        self.call(
            make.function,
            value.code,
            value.globals,
            (value.name, value.qualname),
            value.defaults or none,
            value.kwdefaults or none,
            TupleValue(list(value.closure), tuple),
            value.annotations or none,
        )
        self.keep(value)
        for name, item in value.attributes.written.items():
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

    def method(self, value: MethodValue) -> None:
        self.call(types.MethodType, value.function, value.receiver)
        self.keep(value)

    def super(self, value: SuperValue) -> None:
        self.call(super, value.after, value.owner)
        self.keep(value)

    def iterator(self, value: SequenceIterator) -> None:
        self.call(make.iterator, value.sequence, value.position)
        self.keep(value)

    def constant_iterator(self, value: ConstantIterator) -> None:
        if not isinstance(value.source, range):
            raise Break(REBUILD, f"a {value.cls.__name__}")
        left = value.iterator.__reduce__()
        self.call(make.iterator, left[1][0], left[2])
        self.keep(value)


def _name(slot: Any) -> str:
    return slot if isinstance(slot, str) else slot.__name__


MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    TensorValue: Rebuilder.tensor,
    TupleValue: Rebuilder.tuple,
    ListValue: Rebuilder.list,
    DictValue: Rebuilder.dict,
    AttributeDict: Rebuilder.attribute_dict,
    SetValue: Rebuilder.set,
    SliceValue: Rebuilder.slice,
    InstanceValue: Rebuilder.instance,
    FunctionValue: Rebuilder.function,
    CellValue: Rebuilder.cell,
    MethodValue: Rebuilder.method,
    SuperValue: Rebuilder.super,
    SequenceIterator: Rebuilder.iterator,
    ConstantIterator: Rebuilder.constant_iterator,
}
