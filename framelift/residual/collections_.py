"""How collections other than list, tuple and dict, views and half-consumed iterators are made again."""

from __future__ import annotations

import itertools
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from framelift import _core
from framelift.residual import make
from framelift.values.base import Value
from framelift.values.builtin_iterators import (
    CallIterator,
    EnumerateIterator,
    FilterIterator,
    MapIterator,
    ZipIterator,
)
from framelift.values.collection_iterators import DictIterator, DictView, ReverseIterator, SetIterator
from framelift.values.combined import ChainIterator
from framelift.values.deques import DequeIterator
from framelift.values.instance import InstanceValue
from framelift.values.iterators import ConstantIterator, SequenceIterator
from framelift.values.keys import Key, have_to_be_asked, literal_of
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue
from framelift.values.range_iterator import RangeIterator
from framelift.values.ranges import RangeValue
from framelift.values.reasons import REBUILD, Break
from framelift.values.row_iterator import RowIterator
from framelift.values.sequence import DequeValue, ListValue, TupleValue
from framelift.values.sets import SetValue

if TYPE_CHECKING:
    from framelift.residual.rebuild import Rebuilder


def refuse_asking(keys: Iterable[Key]) -> None:
    """Break where keys would be asked whether they are others, which the program did before."""
    if have_to_be_asked(keys):
        raise Break(REBUILD, "keys with one hash, which a method of the program's gave")


def rebuild_set(self: Rebuilder, value: SetValue) -> None:
    keys = elements(self, value)
    refuse_asking(keys)
    if value.cls is frozenset:
        items = TupleValue([key.value for key in keys], tuple)
        if not self.is_made_by(value, *(item for item in items.all(self.tracer) if not isinstance(item, Known))):
            hashes = [key.hash_by_code() for key in keys]
            if all(number is None for number in hashes):
                self.call(frozenset, items)
            else:
                self.call(make.hashed_frozenset, items, tuple(hashes))
            self.keep(value)
        return
    self.emit.add("BUILD_SET", 0)
    self.keep(value)
    for key in keys:
        put(self, value, key)


def put(self: Rebuilder, owner: Value, key: Key, *item: Value) -> None:
    """Put a key into a set, or a dict, that is on top of the stack."""
    number = key.hash_by_code()
    if number is not None:
        self.call(_core.put_hashed if item else make.add_hashed, owner, key.value, *item, number)
        self.emit.pop()
        return
    self.load(key.value)
    for part in item:
        self.load(part)
    self.emit.add("MAP_ADD" if item else "SET_ADD", 1)


def elements(self: Rebuilder, value: SetValue) -> list[Key]:
    """The elements, in an order that, when they are added one by one, gives the order of iteration Python has."""
    keys = list(value.keys(self.tracer))
    if value.real is None or len(keys) < 2:
        return keys
    wanted = list(value.real)
    for order in (keys, sorted(keys, key=lambda key: _place(wanted, key))):
        made = set()
        for key in order:
            literal = literal_of(key)
            assert literal is not None
            made.add(literal[0])
        if list(made) == wanted:
            return list(order)
    raise Break(REBUILD, "a set whose order of iteration depends on what was in it before")


def _place(wanted: list[Any], key: Any) -> int:
    literal = literal_of(key)
    assert literal is not None
    return wanted.index(literal[0])


def rebuild_deque(self: Rebuilder, value: DequeValue) -> None:
    self.call(make.empty_deque, Known(value.bound))
    self.keep(value)
    fill(self, value, value)


def fill(self: Rebuilder, owner: Value, content: Any) -> None:
    """Put the contents of a built-in base into an object that was just made."""
    pairs: list[tuple[Any, tuple[Any, ...]]] = []
    if isinstance(content, DictValue):
        refuse_asking(content.entries(self.tracer))
        pairs = [_entry(owner, key, item) for key, item in content.pairs(self.tracer)]
    elif isinstance(content, ListValue):
        pairs = [(list.append, (item,)) for item in content.all(self.tracer)]
    elif isinstance(content, DequeValue):
        pairs = [(deque.append, (item,)) for item in content.all(self.tracer)]
    elif isinstance(content, SetValue) and issubclass(owner.cls, set):
        keys = elements(self, content)
        refuse_asking(keys)
        pairs = [_element(key) for key in keys]
    for function, args in pairs:
        self.call(function, owner, *args)
        self.emit.pop()


def _entry(owner: Value, key: Key, item: Value) -> tuple[Any, tuple[Any, ...]]:
    if issubclass(owner.cls, OrderedDict):
        return OrderedDict.__setitem__, (key.value, item)
    number = key.hash_by_code()
    return (dict.__setitem__, (key.value, item)) if number is None else (_core.put_hashed, (key.value, item, number))


def _element(key: Key) -> tuple[Any, tuple[Any, ...]]:
    number = key.hash_by_code()
    return (set.add, (key.value,)) if number is None else (make.add_hashed, (key.value, number))


def start_instance(self: Rebuilder, value: InstanceValue) -> bool:
    """Make an object whose built-in base holds something that cannot be put into it later."""
    content = value.content
    if isinstance(content, Known):
        self.call(make.of_literal, Known(value.cls), content)
    elif isinstance(content, SetValue) and issubclass(value.cls, frozenset):
        self.call(make.immutable, Known(value.cls), TupleValue([key.value for key in elements(self, content)], tuple))
    elif isinstance(content, DequeValue):
        self.call(make.deque_instance, Known(value.cls), Known(content.bound))
    else:
        return False
    return True


def sequence_iterator(self: Rebuilder, value: SequenceIterator) -> None:
    if value.done:
        self.call(make.exhausted, list if value.cls is type(iter([])) else tuple)
    else:
        self.call(make.iterator, value.owner, value.position)
    self.keep(value)


def constant_iterator(self: Rebuilder, value: ConstantIterator) -> None:
    self.call(make.advanced_iterator, value.start, Known(value.source), Known(value.given))
    self.keep(value)


def rebuild_range(self: Rebuilder, value: RangeValue) -> None:
    self.call(range, *value.parts)
    self.keep(value)


def range_iterator(self: Rebuilder, value: RangeIterator) -> None:
    self.call(make.range_iterator, value.place, value.stop, value.step)
    self.keep(value)


def row_iterator(self: Rebuilder, value: RowIterator) -> None:
    if not value.steady():
        raise Break(REBUILD, "an iterator over a tensor that has other rows now")
    if value.done:
        self.call(make.exhausted, tuple)
    else:
        self.call(make.row_iterator, value.tensor, value.indices.place)
    self.keep(value)


def reverse_iterator(self: Rebuilder, value: ReverseIterator) -> None:
    self.call(make.reverse_iterator, value.owner, Known(value.position))
    self.keep(value)


def dict_view(self: Rebuilder, value: DictView) -> None:
    self.call(make.dict_view, value.owner, Known(value.part))
    self.keep(value)


def dict_iterator(self: Rebuilder, value: DictIterator) -> None:
    if not value.steady(self.tracer):
        raise Break(REBUILD, "an iterator over a dict that changed meanwhile")
    self.call(make.dict_iterator, value.owner, Known(value.part), Known(value.backwards), Known(value.position))
    self.keep(value)


def set_iterator(self: Rebuilder, value: SetIterator) -> None:
    if not value.steady(self.tracer):
        raise Break(REBUILD, "an iterator over a set that changed meanwhile")
    self.call(make.set_iterator, value.owner, Known(value.position))
    self.keep(value)


def deque_iterator(self: Rebuilder, value: DequeIterator) -> None:
    if not value.steady():
        raise Break(REBUILD, "an iterator over a deque that changed meanwhile")
    start = reversed if value.backwards else iter
    self.call(make.advanced_iterator, start, value.owner, Known(value.position))
    self.keep(value)


def enumerate_iterator(self: Rebuilder, value: EnumerateIterator) -> None:
    self.call(enumerate, value.source, value.index)
    self.keep(value)


def zip_iterator(self: Rebuilder, value: ZipIterator) -> None:
    self.call(make.strict_zip if value.strict else zip, *value.sources)
    self.keep(value)


def map_iterator(self: Rebuilder, value: MapIterator) -> None:
    self.call(map, value.function, *value.sources)
    self.keep(value)


def filter_iterator(self: Rebuilder, value: FilterIterator) -> None:
    self.call(filter, value.function, value.source)
    self.keep(value)


def call_iterator(self: Rebuilder, value: CallIterator) -> None:
    if value.done:
        raise Break(REBUILD, "an iterator over calls that has ended")
    self.call(iter, value.function, value.sentinel)
    self.keep(value)


def chain_iterator(self: Rebuilder, value: ChainIterator) -> None:
    self.call(itertools.chain)
    self.keep(value)
    self.call(_core.set_chain, value, *(NONE if part is None else part for part in (value.source, value.active)))
    self.emit.pop()


COLLECTION_MAKERS: dict[type, Any] = {
    SetValue: rebuild_set,
    DequeValue: rebuild_deque,
    SequenceIterator: sequence_iterator,
    ConstantIterator: constant_iterator,
    RangeValue: rebuild_range,
    RangeIterator: range_iterator,
    RowIterator: row_iterator,
    ReverseIterator: reverse_iterator,
    DictView: dict_view,
    DictIterator: dict_iterator,
    SetIterator: set_iterator,
    DequeIterator: deque_iterator,
    EnumerateIterator: enumerate_iterator,
    ZipIterator: zip_iterator,
    MapIterator: map_iterator,
    FilterIterator: filter_iterator,
    CallIterator: call_iterator,
    ChainIterator: chain_iterator,
}
