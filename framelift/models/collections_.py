"""Models of what `collections` does in C: OrderedDict, defaultdict, named tuples, the counting of Counter."""

from __future__ import annotations

import collections
from collections import OrderedDict, defaultdict
from typing import Any

from framelift.models.contents import changed, content
from framelift.models.dicts import delete_entry, dict_equal, init, raise_key_error, update
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.collection_iterators import DictIterator
from framelift.values.keys import key_of
from framelift.values.known import NONE, NOT_IMPLEMENTED, TRUE, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

# ---- OrderedDict


@model(OrderedDict.move_to_end)
def move_to_end(m: Tracer, self: Value, /, key: Value, last: Value = TRUE) -> Value:
    held = content(self)
    wanted = key_of(m, key)
    if held.get(m, wanted) is None:
        raise_key_error(m, key)
    entries = held.entries(m)
    held.removals += 1
    to_end = m.truth(last)
    original = next(mine for mine in entries if mine == wanted)
    value = entries.pop(original)
    rest = dict(entries)
    entries.clear()
    entries.update({**rest, original: value} if to_end else {original: value, **rest})
    changed(m, self, OrderedDict.move_to_end, key, boolean(to_end))
    return NONE


@model(OrderedDict.popitem)
def pop_item(m: Tracer, self: Value, /, last: Value = TRUE) -> Value:
    entries = content(self).entries(m)
    if not entries:
        m.throw(KeyError, "dictionary is empty")
    from_end = m.truth(last)
    key = next(reversed(entries)) if from_end else next(iter(entries))
    value = content(self).get(m, key)
    content(self).remove(m, key)
    changed(m, self, OrderedDict.popitem, boolean(from_end))
    return TupleValue([key.value, value], tuple)


@model(OrderedDict.pop)
def pop(m: Tracer, self: Value, /, key: Value, default: Value | None = None) -> Value:
    found: Value | None = content(self).get(m, key_of(m, key))
    if found is None:
        if self.cls is not OrderedDict and m.class_attribute(self.cls, "__missing__") is not None and default is None:
            return m.call_method(self, "__missing__", [key])
        if default is None:
            raise_key_error(m, key)
        return default
    delete_entry(m, self, key)
    return found


@model(OrderedDict.__reversed__)
def reversed_keys(m: Tracer, self: Value, /) -> Value:
    return DictIterator(m, self, content(self), "keys", backwards=True)


@model(OrderedDict.copy)
def copy(m: Tracer, self: Value, /) -> Value:
    made = m.call(Known(self.cls), [])
    update(m, made, self)
    return made


@model(OrderedDict.__eq__)
def ordered_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = dict_equal(m, self, other)
    if result is NOT_IMPLEMENTED or not m.truth(result) or not issubclass(other.cls, OrderedDict):
        return result
    return boolean(list(content(self).entries(m)) == list(content(other).entries(m)))


@model(OrderedDict.__ne__)
def ordered_not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = ordered_equal(m, self, other)
    return result if result is NOT_IMPLEMENTED else boolean(not m.truth(result))


@model(*(OrderedDict.__dict__[name] for name in ("__lt__", "__le__", "__gt__", "__ge__")))
def not_ordered(m: Tracer, self: Value, other: Value, /) -> Value:
    return NOT_IMPLEMENTED


def _merged(m: Tracer, cls: Value, left: Value, right: Value, *args: Value) -> Value:
    if not isinstance(content(left), DictValue) or not isinstance(content(right), DictValue):
        return NOT_IMPLEMENTED
    made = m.call(cls, [*args, left])
    update(m, made, right)
    return made


@model(OrderedDict.__or__)
def merge(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, Known(self.cls), self, other)


@model(OrderedDict.__ror__)
def merge_reflected(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, Known(self.cls), other, self)


# ---- defaultdict

FACTORY = defaultdict.__dict__["default_factory"]


@model(defaultdict.__init__)
def init_default(m: Tracer, self: Value, factory: Value = NONE, /, *args: Value, **kwargs: Value) -> Value:
    slots = self.slots  # type: ignore[attr-defined]
    if not (isinstance(factory, Known) and factory.obj is None) and not m.truth(m.call(Known(callable), [factory])):
        m.throw(TypeError, "first argument must be callable or None")
    slots[FACTORY] = factory
    if self.seen is not None:
        raise Break(UNKNOWN_OPERATION, "initializing a defaultdict again")
    return init(m, self, *args, **kwargs)


@model(defaultdict.__missing__)
def missing(m: Tracer, self: Value, key: Value, /) -> Value:
    factory = m.getattr(self, "default_factory")
    if isinstance(factory, Known) and factory.obj is None:
        raise_key_error(m, key)
    value = m.call(factory, [])
    m.call_method(self, "__setitem__", [key, value])
    return value


@model(defaultdict.copy, defaultdict.__copy__)
def copy_default(m: Tracer, self: Value, /) -> Value:
    return m.call(Known(self.cls), [m.getattr(self, "default_factory"), self])


@model(defaultdict.__or__)
def merge_default(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, Known(self.cls), self, other, m.getattr(self, "default_factory"))


@model(defaultdict.__ror__)
def merge_default_reflected(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, Known(self.cls), other, self, m.getattr(self, "default_factory"))


# ---- Named tuples and Counter

_getter: Any = type(collections.namedtuple("_", "field").field)  # type: ignore[attr-defined]  # noqa: PYI024


@model(_getter.__get__)
def named_field(m: Tracer, self: Value, instance: Value, owner: Value | None = None, /) -> Value:
    if isinstance(instance, Known) and instance.obj is None:
        return self
    assert isinstance(self, Known)
    index = self.obj.__reduce__()[1][0]
    items = content(instance)
    if not isinstance(items, TupleValue):
        raise Break(UNKNOWN_OPERATION, f"a field of a {instance.cls.__name__}")
    return items.at(m, index)


@model(_getter.__set__)
def set_named_field(m: Tracer, self: Value, instance: Value, value: Value, /) -> Value:
    m.throw(AttributeError, "can't set attribute")


@model(_getter.__delete__)
def delete_named_field(m: Tracer, self: Value, instance: Value, /) -> Value:
    m.throw(AttributeError, "can't delete attribute")


@polyfill(collections._count_elements)  # type: ignore[attr-defined]
def count_elements(mapping: Any, iterable: Any, /) -> None:
    for item in iterable:
        mapping[item] = mapping.get(item, 0) + 1


_field: Any = collections._tuplegetter  # type: ignore[attr-defined]


@model(_field.__new__)
def make_named_field(m: Tracer, cls: Value, index: Value, text: Value, /) -> Value:
    """The descriptor of a field never changes: a real one will do."""
    if not isinstance(index, Known) or not isinstance(text, Known):
        raise Break(UNKNOWN_OPERATION, "a named tuple whose fields are not known")
    return Known(_field(index.obj, text.obj))
