"""Models of `collections.deque`. A change to one that existed before is logged as an effect."""

from __future__ import annotations

from collections import deque
from typing import Any

from framelift.models.contents import NOT_AN_INTEGER, as_index, changed, content, equal, is_none, known_class, said_by
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.deques import DequeIterator
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.sequence import DequeValue, TupleValue


def _log(m: Tracer, self: Value, method: Any, *args: Value) -> None:
    content(self).changes += 1
    changed(m, self, method, *args)


@model(deque.__new__)
def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if made_of is deque:
        return DequeValue([], deque)
    made = InstanceValue(made_of)
    made.content = DequeValue([], made_of)
    return made


@model(deque.__init__)
def init(m: Tracer, self: Value, /, iterable: Value | None = None, maxlen: Value = NONE) -> Value:
    made = content(self)
    if not is_none(maxlen):
        bound = as_index(m, maxlen, "an integer is required")
        if bound < 0:
            m.throw(ValueError, "maxlen must be non-negative")
        made.bound = bound
    if made.untouched or len(made):
        clear(m, self)
    if iterable is not None:
        extend(m, self, iterable)
    return NONE


@model(deque.__dict__["maxlen"])
def maxlen(m: Tracer, self: Value, /) -> Value:
    return Known(content(self).bound)


@model(deque.append)
def append(m: Tracer, self: Value, item: Value, /) -> Value:
    return _push(m, self, item, deque.append, last=True)


@model(deque.appendleft)
def append_left(m: Tracer, self: Value, item: Value, /) -> Value:
    return _push(m, self, item, deque.appendleft, last=False)


def _push(m: Tracer, self: Value, item: Value, method: Any, last: bool) -> Value:
    held = content(self)
    items = held.touch()
    items.insert(len(items) if last else 0, item)
    if held.bound is not None and len(items) > held.bound:
        del items[0 if last else -1]
    _log(m, self, method, item)
    return NONE


@model(deque.extend)
def extend(m: Tracer, self: Value, items: Value, /) -> Value:
    for item in list(m.unpack(items)):
        append(m, self, item)
    return NONE


@model(deque.extendleft)
def extend_left(m: Tracer, self: Value, items: Value, /) -> Value:
    for item in list(m.unpack(items)):
        append_left(m, self, item)
    return NONE


@model(deque.__iadd__)
def extend_in_place(m: Tracer, self: Value, items: Value, /) -> Value:
    extend(m, self, items)
    return self


def _pop(m: Tracer, self: Value, method: Any, position: int) -> Value:
    held = content(self)
    items = held.touch()
    if not items:
        m.throw(IndexError, "pop from an empty deque")
    found: Value = held.lifted(m, items[position])
    del items[position]
    _log(m, self, method)
    return found


@model(deque.pop)
def pop(m: Tracer, self: Value, /) -> Value:
    return _pop(m, self, deque.pop, -1)


@model(deque.popleft)
def pop_left(m: Tracer, self: Value, /) -> Value:
    return _pop(m, self, deque.popleft, 0)


@model(deque.clear)
def clear(m: Tracer, self: Value, /) -> Value:
    content(self).empty()
    _log(m, self, deque.clear)
    return NONE


@model(deque.reverse)
def reverse(m: Tracer, self: Value, /) -> Value:
    content(self).touch().reverse()
    _log(m, self, deque.reverse)
    return NONE


@model(deque.rotate)
def rotate(m: Tracer, self: Value, steps: Value | None = None, /) -> Value:
    count = 1 if steps is None else as_index(m, steps, NOT_AN_INTEGER)
    items = content(self).touch()
    if items:
        shift = count % len(items)
        items[:] = items[-shift:] + items[:-shift] if shift else items
    _log(m, self, deque.rotate, Known(count))
    return NONE


@model(deque.insert)
def insert(m: Tracer, self: Value, index: Value, item: Value, /) -> Value:
    position = as_index(m, index, NOT_AN_INTEGER)
    held = content(self)
    items = held.touch()
    if held.bound is not None and len(items) >= held.bound:
        m.throw(IndexError, "deque already at its maximum size")
    items.insert(position, item)
    _log(m, self, deque.insert, Known(position), item)
    return NONE


def _position(m: Tracer, self: Value, index: Value) -> int:
    position = as_index(m, index, "sequence index must be integer, not '{}'")
    if not -len(content(self)) <= position < len(content(self)):
        m.throw(IndexError, "deque index out of range")
    return position


@model(deque.__getitem__)
def get_item(m: Tracer, self: Value, index: Value, /) -> Value:
    found: Value = content(self).at(m, _position(m, self, index))
    return found


@model(deque.__setitem__)
def set_item(m: Tracer, self: Value, index: Value, value: Value, /) -> Value:
    position = _position(m, self, index)
    content(self).touch()[position] = value
    changed(m, self, deque.__setitem__, Known(position), value)
    return NONE


@model(deque.__delitem__)
def delete_item(m: Tracer, self: Value, index: Value, /) -> Value:
    position = _position(m, self, index)
    del content(self).touch()[position]
    _log(m, self, deque.__delitem__, Known(position))
    return NONE


_NAMES_ITEM = said_by(lambda: deque[int]().remove(9)).startswith("9")  # some Pythons say what they did not find


@polyfill(deque.remove)
def remove(self: Any, item: Any, /) -> None:
    for index, other in enumerate(deque.__iter__(self)):
        if other is item or other == item:
            deque.__delitem__(self, index)
            return
    raise ValueError(f"{item!r} is not in deque" if _NAMES_ITEM else "deque.remove(x): x not in deque")


@polyfill(deque.index)
def index_of(self: Any, item: Any, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    for index in range(*slice(start, stop).indices(deque.__len__(self))):
        other = deque.__getitem__(self, index)
        if other is item or other == item:
            return index
    raise ValueError(f"{item!r} is not in deque")


@polyfill(deque.count)
def count(self: Any, item: Any, /) -> int:
    total = 0
    for other in deque.__iter__(self):
        if other is item or other == item:
            total += 1
    return total


@polyfill(deque.__contains__)
def contains(self: Any, item: Any, /) -> bool:
    for other in deque.__iter__(self):
        if other is item or other == item:
            return True
    return False


@model(deque.__len__)
def length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self)))


@model(deque.__iter__)
def iterate(m: Tracer, self: Value, /) -> Value:
    return DequeIterator(self, content(self))


@model(deque.__reversed__)
def iterate_backwards(m: Tracer, self: Value, /) -> Value:
    return DequeIterator(self, content(self), backwards=True)


def _like(m: Tracer, self: Value, items: list[Value]) -> Value:
    """A new deque with the same bound."""
    bound = content(self).bound
    return m.call(Known(self.cls), [TupleValue(items, tuple), *([] if bound is None else [Known(bound)])])


@model(deque.copy, deque.__copy__)
def copy(m: Tracer, self: Value, /) -> Value:
    return _like(m, self, list(content(self).all(m)))


@model(deque.__add__)
def concatenate(m: Tracer, self: Value, other: Value, /) -> Value:
    if not isinstance(content(other), DequeValue):
        m.throw(TypeError, f'can only concatenate deque (not "{other.cls.__name__}") to deque')
    return _like(m, self, content(self).all(m) + content(other).all(m))


@model(deque.__mul__, deque.__rmul__)
def repeat(m: Tracer, self: Value, times: Value, /) -> Value:
    return _like(m, self, content(self).all(m) * as_index(m, times, NOT_AN_INTEGER))


@model(deque.__imul__)
def repeat_in_place(m: Tracer, self: Value, times: Value, /) -> Value:
    number = as_index(m, times, NOT_AN_INTEGER)
    held = content(self)
    items = held.touch()
    items *= number
    if held.bound is not None:
        del items[: max(0, len(items) - held.bound)]
    _log(m, self, deque.__imul__, Known(number))
    return self


def _comparison(sign: str, name: str) -> None:
    @model(getattr(deque, name))
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        left, right = content(self), content(other)
        if not isinstance(right, DequeValue):
            return NOT_IMPLEMENTED
        for a, b in zip(left.all(m), right.all(m), strict=False):
            if not equal(m, a, b):
                return m.compare(sign, a, b) if sign not in ("==", "!=") else boolean(sign == "!=")
        return m.compare(sign, Known(len(left)), Known(len(right)))


for _sign, _name in (
    ("==", "__eq__"), ("!=", "__ne__"), ("<", "__lt__"), ("<=", "__le__"), (">", "__gt__"), (">=", "__ge__"),
):  # fmt: skip
    _comparison(_sign, _name)
