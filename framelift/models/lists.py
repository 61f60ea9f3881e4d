"""Models of what changes lists. A change to one that existed before is logged as an effect."""

from __future__ import annotations

from typing import Any

from framelift.models.contents import NOT_AN_INTEGER, as_index, as_slice, changed, content, is_int, known_class, said_by
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.slices import SliceValue

_INDEX = "list indices must be integers or slices, not {}"


def _real_slice(value: slice) -> Value:
    return SliceValue([Known(value.start), Known(value.stop), Known(value.step)])


@model(list.__setitem__)
def set_item(m: Tracer, self: Value, index: Value, value: Value, /) -> Value:
    sequence = content(self)
    if isinstance(index, SliceValue):
        where = as_slice(m, index)
        if m.class_attribute(value.cls, "__iter__") is None and m.class_attribute(value.cls, "__getitem__") is None:
            step = where.step
            m.throw(TypeError, said_by(lambda: [].__setitem__(slice(None, None, step), 5)))  # type: ignore[call-overload]
        new = list(m.unpack(value))
        try:
            sequence.touch()[where] = new
        except ValueError as error:
            m.throw(ValueError, *error.args)
        changed(m, self, list.__setitem__, _real_slice(where), ListValue(new, list))
        return NONE
    position = as_index(m, index, _INDEX)
    items = sequence.touch()
    if not -len(items) <= position < len(items):
        m.throw(IndexError, "list assignment index out of range")
    items[position] = value
    changed(m, self, list.__setitem__, Known(position), value)
    return NONE


@model(list.__delitem__)
def delete_item(m: Tracer, self: Value, index: Value, /) -> Value:
    if isinstance(index, SliceValue):
        where = as_slice(m, index)
        try:
            del content(self).touch()[where]
        except ValueError as error:
            m.throw(ValueError, *error.args)
        changed(m, self, list.__delitem__, _real_slice(where))
        return NONE
    position = as_index(m, index, _INDEX)
    items = content(self).touch()
    if not -len(items) <= position < len(items):
        m.throw(IndexError, "list assignment index out of range")
    del items[position]
    changed(m, self, list.__delitem__, Known(position))
    return NONE


@model(list.append)
def append(m: Tracer, self: Value, item: Value, /) -> Value:
    content(self).push(item)
    changed(m, self, list.append, item)
    return NONE


@model(list.extend)
def extend(m: Tracer, self: Value, items: Value, /) -> Value:
    if content(items) is content(self):
        new = list(content(self).all(m))
    elif isinstance(content(items), ListValue | TupleValue) and items.cls in (list, tuple):
        new = list(content(items).all(m))
    else:
        return m.call(Known(_extend), [self, items])
    for item in new:
        content(self).push(item)
    changed(m, self, list.extend, TupleValue(new, tuple))
    return NONE


def _extend(self: Any, items: Any) -> None:
    """One by one (traced): what was taken before an exception stays."""
    for item in items:
        list.append(self, item)


@model(list.__iadd__)
def extend_in_place(m: Tracer, self: Value, items: Value, /) -> Value:
    extend(m, self, items)
    return self


@model(list.insert)
def insert(m: Tracer, self: Value, index: Value, item: Value, /) -> Value:
    position = as_index(m, index, NOT_AN_INTEGER)
    content(self).touch().insert(position, item)
    changed(m, self, list.insert, Known(position), item)
    return NONE


@model(list.pop)
def pop(m: Tracer, self: Value, index: Value | None = None, /) -> Value:
    sequence = content(self)
    position = -1 if index is None else as_index(m, index, NOT_AN_INTEGER)
    items = sequence.touch()
    if not items:
        m.throw(IndexError, "pop from empty list")
    if not -len(items) <= position < len(items):
        m.throw(IndexError, "pop index out of range")
    result: Value = sequence.lifted(m, items[position])
    del items[position]
    changed(m, self, list.pop, Known(position))
    return result


@model(list.clear)
def clear(m: Tracer, self: Value, /) -> Value:
    content(self).empty()
    changed(m, self, list.clear)
    return NONE


@model(list.reverse)
def reverse(m: Tracer, self: Value, /) -> Value:
    content(self).touch().reverse()
    changed(m, self, list.reverse)
    return NONE


@polyfill(list.remove)
def remove(self: Any, item: Any, /) -> None:
    for index, other in enumerate(list.__iter__(self)):
        if other is item or other == item:
            list.__delitem__(self, index)
            return
    raise ValueError("list.remove(x): x not in list")


@model(list.copy)
def copy(m: Tracer, self: Value, /) -> Value:
    return ListValue(content(self).all(m), list)


@model(list.__imul__)
def repeat_in_place(m: Tracer, self: Value, times: Value, /) -> Value:
    if not is_int(times) and m.class_attribute(times.cls, "__index__") is None:
        m.throw(TypeError, f"can't multiply sequence by non-int of type {times.cls.__name__!r}")
    count = as_index(m, times, NOT_AN_INTEGER)
    items = content(self).touch()
    items *= count
    changed(m, self, list.__imul__, Known(count))
    return self


@model(list.__new__)
def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if made_of is list:
        return ListValue([], list)
    made = InstanceValue(made_of)
    made.content = ListValue([], made_of)
    return made


@model(list.__init__)
def init(m: Tracer, self: Value, items: Value | None = None, /) -> Value:
    if self.seen is not None or content(self).untouched or len(content(self)):
        clear(m, self)
    if items is not None:
        extend(m, self, items)
    return NONE
