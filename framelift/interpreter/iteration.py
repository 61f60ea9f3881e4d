"""Iteration: `iter`, `next` and unpacking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framelift.interpreter import generators
from framelift.models import torch_rows
from framelift.values.base import Raised, Value
from framelift.values.collection_iterators import DictIterator, SetIterator
from framelift.values.generator import GeneratorValue
from framelift.values.instance import InstanceValue
from framelift.values.iterators import ConstantIterator, IteratorValue, SequenceIterator
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.opaque import OpaqueValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.sets import SetValue
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def iterator(m: Machine, iterable: Value) -> Value:
    """`iter(iterable)`"""
    if isinstance(iterable, OpaqueValue):
        return iterable
    if isinstance(iterable, IteratorValue | GeneratorValue):
        return iterable
    if isinstance(iterable, Sequence):
        return SequenceIterator(iterable)
    if isinstance(iterable, DictValue):
        return DictIterator(m, iterable, iterable, "keys")
    if isinstance(iterable, SetValue):
        return SetIterator(m, iterable, iterable)
    if isinstance(iterable, Known) and iterable.literal and hasattr(type(iterable.obj), "__iter__"):
        return ConstantIterator(iterable.obj)
    if isinstance(iterable, TensorValue):
        return torch_rows.rows(m, iterable)
    starter = m.class_attribute(iterable.cls, "__iter__")
    if isinstance(starter, Known) and starter.obj is None:
        m.throw(TypeError, f"{iterable.cls.__name__!r} object is not iterable")
    if starter is not None:
        made = m.call_method(iterable, "__iter__", [])
        if not isinstance(made, IteratorValue | GeneratorValue) and m.class_attribute(made.cls, "__next__") is None:
            m.throw(TypeError, f"iter() returned non-iterator of type {made.cls.__name__!r}")
        return made
    if m.class_attribute(iterable.cls, "__getitem__") is not None and isinstance(iterable, InstanceValue):
        return m.call(m.constant(_by_index), [iterable])
    m.throw(TypeError, f"{iterable.cls.__name__!r} object is not iterable")


def is_iterable(m: Machine, value: Value) -> bool:
    """Whether Python takes a value for something to iterate over, before it tries."""
    if isinstance(value, Sequence | DictValue | SetValue | IteratorValue | GeneratorValue | TensorValue):
        return True
    return any(m.class_attribute(value.cls, name) is not None for name in ("__iter__", "__getitem__"))


def _by_index(sequence: object) -> object:
    """Iterating over what has `__getitem__` only (traced)."""
    index = 0
    while True:
        try:
            item = sequence[index]  # type: ignore[index]
        except (IndexError, StopIteration):
            return
        yield item
        index += 1


def advance(m: Machine, iterator: Value) -> Value | None:
    """The next item; None when there is none."""
    if isinstance(iterator, OpaqueValue):
        raise Break(UNKNOWN_OPERATION, f"the next item of a {iterator.cls.__name__} that existed before")
    try:
        if isinstance(iterator, IteratorValue):
            return iterator.advance(m)
        if isinstance(iterator, GeneratorValue):
            return generators.resume(m, iterator, Known(None))
        return m.call_method(iterator, "__next__", [])
    except Raised as raised:
        if issubclass(raised.value.cls, StopIteration):
            return None
        raise


def unpack(m: Machine, iterable: Value, most: int | None = None) -> list[Value]:
    """The items of an iterable: all of them, or `most` if it has more."""
    if isinstance(iterable, TupleValue):
        return list(iterable.all(m))
    items: list[Value] = []
    source = iterator(m, iterable)
    while len(items) != most and (item := advance(m, source)) is not None:
        items.append(item)
    return items
