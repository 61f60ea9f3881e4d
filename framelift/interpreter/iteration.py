"""Iteration: `iter`, `next`, unpacking, and resuming generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framelift.models import torch_ops
from framelift.values.base import Raised, Value
from framelift.values.generator import GeneratorValue
from framelift.values.instance import InstanceValue
from framelift.values.iterators import ConstantIterator, IteratorValue, SequenceIterator, SnapshotIterator
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.sets import SetValue
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def iterator(m: Machine, iterable: Value) -> Value:
    """`iter(iterable)`"""
    if isinstance(iterable, IteratorValue | GeneratorValue):
        return iterable
    if isinstance(iterable, Sequence):
        return SequenceIterator(iterable)
    if isinstance(iterable, DictValue):
        return SnapshotIterator([key.value for key in iterable.entries(m)], type(iter({})))
    if isinstance(iterable, SetValue):
        return SnapshotIterator([key.value for key in iterable.keys(m)], type(iter(set())))
    if isinstance(iterable, Known) and iterable.literal and hasattr(type(iterable.obj), "__iter__"):
        return ConstantIterator(iterable.obj)
    if isinstance(iterable, TensorValue):
        return SequenceIterator(torch_ops.rows(m, iterable))
    if m.class_attribute(iterable.cls, "__iter__") is not None:
        return m.call_method(iterable, "__iter__", [])
    if m.class_attribute(iterable.cls, "__getitem__") is not None and isinstance(iterable, InstanceValue):
        return m.call(m.constant(_by_index), [iterable])
    m.throw(TypeError, f"{iterable.cls.__name__!r} object is not iterable")


def _by_index(sequence: object) -> object:
    """Iterating over what has `__getitem__` only (traced)."""
    index = 0
    while True:
        try:
            item = sequence[index]  # type: ignore[index]
        except IndexError:
            return
        yield item
        index += 1


def advance(m: Machine, iterator: Value) -> Value | None:
    """The next item; None when there is none."""
    if isinstance(iterator, IteratorValue):
        return iterator.advance(m)
    try:
        if isinstance(iterator, GeneratorValue):
            return resume(m, iterator, Known(None))
        return m.call_method(iterator, "__next__", [])
    except Raised as raised:
        if issubclass(raised.value.cls, StopIteration):
            return None
        raise


def resume(m: Machine, generator: GeneratorValue, sent: Value, thrown: Value | None = None) -> Value:
    """Run a generator to its next yield, or raise StopIteration in the traced program when it ends."""
    if generator.state == "running":
        m.throw(ValueError, "generator already executing")
    if generator.state == "finished":
        if thrown is not None:
            raise Raised(thrown)
        m.throw(StopIteration)
    frame = generator.frame
    if generator.state == "created" and not (isinstance(sent, Known) and sent.obj is None):
        m.throw(TypeError, "can't send non-None value to a just-started generator")
    started, before = generator.state != "created", m.handled
    generator.state = "running"
    frame.caller = m.frame
    m.frame = frame
    if thrown is not None and not started:
        m.frame = frame.caller
        generator.finish()
        raise Raised(thrown)
    if started:
        frame.stack.append(sent)
        m.handled = generator.handled or before
    try:
        if thrown is not None:
            frame.stack.pop()
            m.unwind_into(frame, thrown)
        result = m.run(frame)
    finally:
        m.handled = before
    if generator.state == "running":  # it returned
        generator.finish()
        if isinstance(result, Known) and result.obj is None:
            m.throw(StopIteration)
        raise Raised(m.exception(StopIteration, [result]))
    return result


def unpack(m: Machine, iterable: Value) -> list[Value]:
    """The items of an iterable, all of them."""
    if isinstance(iterable, TupleValue):
        return list(iterable.all(m))
    items = []
    source = iterator(m, iterable)
    while (item := advance(m, source)) is not None:
        items.append(item)
    return items
