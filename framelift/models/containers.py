"""Models of the methods of list, tuple, dict and set. A change to one that existed before is logged as an effect."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.iterators import SequenceIterator, SnapshotIterator
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.mapping import DictValue, Key, key_of
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.slices import SliceValue

F = TypeVar("F", bound=Callable[..., Any])


def content(value: Value) -> Any:
    """The container itself, also for an instance of a subclass of one."""
    return value.content if isinstance(value, InstanceValue) else value


def changed(m: Tracer, owner: Value, method: Any, *args: Value) -> None:
    """Log a mutation if the container existed before the call."""
    if owner.seen is not None:
        m.effects.add(method, owner, *args)


# ---- Sequences


@model(list.__getitem__, tuple.__getitem__)
def get_item(m: Tracer, self: Value, index: Value, /) -> Value:
    sequence = content(self)
    kind = "list" if isinstance(sequence, ListValue) else "tuple"
    if isinstance(index, SliceValue):
        items = sequence.all(m)[_slice(m, index)]
        return ListValue(items, list) if isinstance(sequence, ListValue) else TupleValue(items, tuple)
    position = _index(m, index, kind)
    if not -len(sequence) <= position < len(sequence):
        m.throw(IndexError, f"{kind} index out of range")
    result: Value = sequence.at(m, position)
    return result


def _index(m: Tracer, index: Value, kind: str) -> int:
    if isinstance(index, Known) and isinstance(index.obj, int):
        return int(index.obj)
    if m.class_attribute(index.cls, "__index__") is None:
        m.throw(TypeError, f"{kind} indices must be integers or slices, not {index.cls.__name__}")
    return _index(m, m.call_method(index, "__index__", []), kind)


def _slice(m: Tracer, value: SliceValue) -> slice:
    return slice(*(None if _is_none(part) else _index(m, part, "slice") for part in value.parts))


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


@model(list.__setitem__)
def set_item(m: Tracer, self: Value, index: Value, value: Value, /) -> Value:
    items = content(self).all(m)
    if isinstance(index, SliceValue):
        new = m.unpack(value)
        try:
            items[_slice(m, index)] = new
        except ValueError as error:
            m.throw(ValueError, *error.args)
        changed(m, self, list.__setitem__, index, ListValue(new, list))
        return NONE
    position = _index(m, index, "list")
    if not -len(items) <= position < len(items):
        m.throw(IndexError, "list assignment index out of range")
    items[position] = value
    changed(m, self, list.__setitem__, index, value)
    return NONE


@model(list.__delitem__)
def delete_item(m: Tracer, self: Value, index: Value, /) -> Value:
    items = content(self).all(m)
    if isinstance(index, SliceValue):
        del items[_slice(m, index)]
    else:
        position = _index(m, index, "list")
        if not -len(items) <= position < len(items):
            m.throw(IndexError, "list assignment index out of range")
        del items[position]
    changed(m, self, list.__delitem__, index)
    return NONE


@model(list.append)
def append(m: Tracer, self: Value, item: Value, /) -> Value:
    content(self).push(item)
    changed(m, self, list.append, item)
    return NONE


@model(list.extend)
def extend(m: Tracer, self: Value, items: Value, /) -> Value:
    new = m.unpack(items)
    for item in new:
        content(self).push(item)
    changed(m, self, list.extend, TupleValue(new, tuple))
    return NONE


@model(list.__iadd__)
def extend_in_place(m: Tracer, self: Value, items: Value, /) -> Value:
    extend(m, self, items)
    return self


@model(list.insert)
def insert(m: Tracer, self: Value, index: Value, item: Value, /) -> Value:
    content(self).all(m).insert(_index(m, index, "list"), item)
    changed(m, self, list.insert, index, item)
    return NONE


@model(list.pop)
def pop(m: Tracer, self: Value, index: Value | None = None, /) -> Value:
    items = content(self).all(m)
    position = -1 if index is None else _index(m, index, "list")
    if not items:
        m.throw(IndexError, "pop from empty list")
    if not -len(items) <= position < len(items):
        m.throw(IndexError, "pop index out of range")
    changed(m, self, list.pop, Known(position))
    result: Value = items.pop(position)
    return result


@model(list.clear)
def clear(m: Tracer, self: Value, /) -> Value:
    content(self).all(m).clear()
    changed(m, self, list.clear)
    return NONE


@model(list.reverse)
def reverse(m: Tracer, self: Value, /) -> Value:
    content(self).all(m).reverse()
    changed(m, self, list.reverse)
    return NONE


@polyfill(list.remove)
def remove(self: Any, item: Any, /) -> None:
    for index in range(len(self)):
        if self[index] is item or self[index] == item:
            del self[index]
            return
    raise ValueError("list.remove(x): x not in list")


@polyfill(list.index)
def list_index(self: Any, item: Any, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    for index in range(*slice(start, stop).indices(len(self))):
        if self[index] is item or self[index] == item:
            return index
    raise ValueError(f"{item!r} is not in list")


@polyfill(tuple.index)
def tuple_index(self: Any, item: Any, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    for index in range(*slice(start, stop).indices(len(self))):
        if self[index] is item or self[index] == item:
            return index
    raise ValueError("tuple.index(x): x not in tuple")


@polyfill(list.count, tuple.count)
def count(self: Any, item: Any, /) -> int:
    total = 0
    for other in self:
        if other is item or other == item:
            total += 1
    return total


@model(list.copy)
def copy(m: Tracer, self: Value, /) -> Value:
    return ListValue(content(self).all(m), list)


@polyfill(list.sort)
def sort(self: Any, /, *, key: Any = None, reverse: bool = False) -> None:
    keys = [item if key is None else key(item) for item in self]
    order: list[int] = []
    for index in range(len(keys)):
        place = len(order)
        while place > 0 and (keys[order[place - 1]] < keys[index] if reverse else keys[index] < keys[order[place - 1]]):
            place -= 1
        order.insert(place, index)
    self[:] = [self[index] for index in order]


@model(list.__len__, tuple.__len__)
def sequence_length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self)))


@model(list.__iter__, tuple.__iter__)
def iterate_sequence(m: Tracer, self: Value, /) -> Value:
    return SequenceIterator(content(self))


@polyfill(list.__contains__, tuple.__contains__)
def sequence_contains(self: Any, item: Any, /) -> bool:
    for other in self:
        if other is item or other == item:
            return True
    return False


@model(list.__add__, tuple.__add__)
def concatenate(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if not isinstance(right, Sequence) or type(left) is not type(right):
        kind = "list" if isinstance(left, ListValue) else "tuple"
        m.throw(TypeError, f'can only concatenate {kind} (not "{other.cls.__name__}") to {kind}')
    return _like(left, left.all(m) + right.all(m))


@model(list.__mul__, list.__rmul__, tuple.__mul__, tuple.__rmul__)
def repeat(m: Tracer, self: Value, times: Value, /) -> Value:
    if not isinstance(times, Known) or not isinstance(times.obj, int):
        return NOT_IMPLEMENTED
    return _like(content(self), content(self).all(m) * times.obj)


@model(list.__imul__)
def repeat_in_place(m: Tracer, self: Value, times: Value, /) -> Value:
    if not isinstance(times, Known) or not isinstance(times.obj, int):
        return NOT_IMPLEMENTED
    items = content(self).all(m)
    items *= times.obj
    changed(m, self, list.__imul__, times)
    return self


def _like(sequence: Any, items: list[Value]) -> Value:
    return ListValue(items, list) if isinstance(sequence, ListValue) else TupleValue(items, tuple)


@model(list.__eq__, tuple.__eq__)
def sequence_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if type(left) is not type(right):
        return NOT_IMPLEMENTED
    if len(left) != len(right):
        return boolean(False)
    return boolean(all(_equal(m, a, b) for a, b in zip(left.all(m), right.all(m), strict=True)))


@model(list.__ne__, tuple.__ne__)
def sequence_not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = sequence_equal(m, self, other)
    return result if result is NOT_IMPLEMENTED else boolean(not m.truth(result))


def _equal(m: Tracer, left: Value, right: Value) -> bool:
    return left is right or m.truth(m.compare("==", left, right))


def _ordering(sign: str) -> Any:
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        left, right = content(self), content(other)
        if type(left) is not type(right):
            return NOT_IMPLEMENTED
        for a, b in zip(left.all(m), right.all(m), strict=False):
            if not _equal(m, a, b):
                return m.compare(sign, a, b)
        return m.compare(sign, Known(len(left)), Known(len(right)))

    return compare


for _sign, _name in (("<", "__lt__"), ("<=", "__le__"), (">", "__gt__"), (">=", "__ge__")):
    model(getattr(list, _name), getattr(tuple, _name))(_ordering(_sign))


@model(list.__init__)
def init_list(m: Tracer, self: Value, items: Value | None = None, /) -> Value:
    if items is not None:
        for item in m.unpack(items):
            content(self).push(item)
    return NONE


@model(tuple.__new__)
def new_tuple(m: Tracer, cls: Value, items: Value | None = None, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if items is not None and items.cls is tuple and cls.obj is tuple:
        return items
    made = TupleValue([] if items is None else m.unpack(items), tuple)
    if cls.obj is tuple:
        return made
    instance = InstanceValue(cls.obj)
    instance.content = made
    return instance


# ---- Dicts. OrderedDict has its own copies of the methods; what differs is in models/collections.


def dict_model(name: str) -> Callable[[F], F]:
    """Declare the model of a method of dict, and of OrderedDict's own version of it."""
    targets = {id(method): method for cls in (dict, OrderedDict) if (method := cls.__dict__.get(name)) is not None}
    return model(*targets.values())


def _key(m: Tracer, value: Value) -> Key:
    key = key_of(m, value)
    if key is None:
        if m.class_attribute(value.cls, "__hash__") is None or isinstance(content(value), ListValue | DictValue):
            m.throw(TypeError, f"unhashable type: {value.cls.__name__!r}")
        raise Break(UNKNOWN_OPERATION, "a key that is hashed by user code")
    return key


@dict_model("__getitem__")
def get_entry(m: Tracer, self: Value, name: Value, /) -> Value:
    found = content(self).get(m, _key(m, name))
    if found is not None:
        result: Value = found
        return result
    if self.cls is not dict and m.class_attribute(self.cls, "__missing__") is not None:
        return m.call_method(self, "__missing__", [name])
    raise_key_error(m, name)


def raise_key_error(m: Tracer, name: Value) -> NoReturn:
    m.raise_value(KeyError, [name])


@dict_model("__setitem__")
def set_entry(m: Tracer, self: Value, name: Value, value: Value, /) -> Value:
    _key(m, name)
    content(self).put(m, name, value)
    changed(m, self, dict.__setitem__, name, value)
    return NONE


@dict_model("__delitem__")
def delete_entry(m: Tracer, self: Value, name: Value, /) -> Value:
    key = _key(m, name)
    if content(self).get(m, key) is None:
        raise_key_error(m, name)
    content(self).remove(m, key)
    changed(m, self, dict.__delitem__, name)
    return NONE


@dict_model("get")
def get_or_default(m: Tracer, self: Value, name: Value, default: Value = NONE, /) -> Value:
    found: Value | None = content(self).get(m, _key(m, name))
    return default if found is None else found


@dict_model("pop")
def pop_entry(m: Tracer, self: Value, name: Value, default: Value | None = None, /) -> Value:
    key = _key(m, name)
    found: Value | None = content(self).get(m, key)
    if found is None:
        if default is None:
            raise_key_error(m, name)
        return default
    content(self).remove(m, key)
    changed(m, self, dict.pop, name)
    return found


@model(dict.popitem)
def pop_last(m: Tracer, self: Value, /) -> Value:
    entries = content(self).entries(m)
    if not entries:
        m.throw(KeyError, "popitem(): dictionary is empty")
    key = next(reversed(entries))
    value = content(self).get(m, key)
    content(self).remove(m, key)
    changed(m, self, dict.popitem)
    return TupleValue([key.value, value], tuple)


@dict_model("setdefault")
def set_default(m: Tracer, self: Value, name: Value, default: Value = NONE, /) -> Value:
    found: Value | None = content(self).get(m, _key(m, name))
    if found is not None:
        return found
    set_entry(m, self, name, default)
    return default


@dict_model("clear")
def clear_dict(m: Tracer, self: Value, /) -> Value:
    content(self).entries(m).clear()
    changed(m, self, dict.clear)
    return NONE


@dict_model("copy")
def copy_dict(m: Tracer, self: Value, /) -> Value:
    made = DictValue()
    for name, value in content(self).items(m):
        made.put(m, name, value)
    return made


@dict_model("__len__")
def dict_length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self).entries(m)))


@dict_model("__contains__")
def dict_contains(m: Tracer, self: Value, name: Value, /) -> Value:
    return boolean(content(self).get(m, _key(m, name)) is not None)


@dict_model("__iter__")
def iterate_dict(m: Tracer, self: Value, /) -> Value:
    return SnapshotIterator([key.value for key in content(self).entries(m)], type(iter({})))


@dict_model("update")
def update(m: Tracer, self: Value, other: Value | None = None, /, **kwargs: Value) -> Value:
    pairs: list[tuple[Value, Value]] = []
    if other is not None:
        if isinstance(content(other), DictValue):
            pairs += content(other).items(m)
        elif m.class_attribute(other.cls, "keys") is not None:
            names = m.unpack(m.call(m.getattr(other, "keys"), []))
            pairs += [(name, m.call_method(other, "__getitem__", [name])) for name in names]
        else:
            for item in m.unpack(other):
                name, value = m.unpack(item)
                pairs.append((name, value))
    pairs += [(Known(name), value) for name, value in kwargs.items()]
    for name, value in pairs:
        set_entry(m, self, name, value)
    return NONE


@dict_model("__init__")
def init_dict(m: Tracer, self: Value, other: Value | None = None, /, **kwargs: Value) -> Value:
    return update(m, self, other, **kwargs)


@dict_model("__or__")
def merge(m: Tracer, self: Value, other: Value, /) -> Value:
    if not isinstance(content(other), DictValue):
        return NOT_IMPLEMENTED
    made = copy_dict(m, self)
    update(m, made, other)
    return made


@dict_model("__ior__")
def merge_in_place(m: Tracer, self: Value, other: Value, /) -> Value:
    update(m, self, other)
    return self


@dict_model("__eq__")
def dict_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if not isinstance(right, DictValue):
        return NOT_IMPLEMENTED
    if len(left.entries(m)) != len(right.entries(m)):
        return boolean(False)
    for key in list(left.entries(m)):
        theirs = right.get(m, key)
        if theirs is None or not _equal(m, left.get(m, key), theirs):
            return boolean(False)
    return boolean(True)


@model(dict.fromkeys)
def from_keys(m: Tracer, cls: Value, names: Value, value: Value = NONE, /) -> Value:
    made = m.call(cls, [])
    for name in m.unpack(names):
        m.call_method(made, "__setitem__", [name, value])
    return made


class DictView(Value):
    """`dict.keys()`, `.values()` or `.items()`."""

    __slots__ = ("owner", "part")

    def __init__(self, owner: Value, part: str) -> None:
        super().__init__()
        self.owner = owner
        self.part = part

    @property
    def cls(self) -> type:
        return VIEWS[self.part]

    def items(self, m: Tracer) -> list[Value]:
        pairs = content(self.owner).items(m)
        if self.part == "items":
            return [TupleValue([name, value], tuple) for name, value in pairs]
        if self.part == "keys":
            return [key.value for key in content(self.owner).entries(m)]
        return [value for _, value in pairs]


VIEWS: dict[str, type] = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}


def _views(part: str) -> None:
    view = VIEWS[part]

    @dict_model(part)
    def make(m: Tracer, self: Value, /) -> Value:
        return DictView(self, part)

    @model(view.__dict__["__iter__"])
    def iterate(m: Tracer, self: Value, /) -> Value:
        assert isinstance(self, DictView)
        return SnapshotIterator(self.items(m), type(iter(getattr({}, part)())))

    @model(view.__dict__["__len__"])
    def length(m: Tracer, self: Value, /) -> Value:
        assert isinstance(self, DictView)
        return Known(len(content(self.owner).entries(m)))


for _part in VIEWS:
    _views(_part)


@model(VIEWS["keys"].__dict__["__contains__"])
def keys_contain(m: Tracer, self: Value, name: Value, /) -> Value:
    assert isinstance(self, DictView)
    return dict_contains(m, self.owner, name)


# ---- Sets


@model(set.add)
def add(m: Tracer, self: Value, item: Value, /) -> Value:
    _key(m, item)
    content(self).add(m, item)
    changed(m, self, set.add, item)
    return NONE


@model(set.discard)
def discard(m: Tracer, self: Value, item: Value, /) -> Value:
    content(self).keys(m).pop(_key(m, item), None)
    changed(m, self, set.discard, item)
    return NONE


@model(set.remove)
def remove_element(m: Tracer, self: Value, item: Value, /) -> Value:
    key = _key(m, item)
    if key not in content(self).keys(m):
        raise_key_error(m, item)
    del content(self).keys(m)[key]
    changed(m, self, set.remove, item)
    return NONE


@model(set.clear)
def clear_set(m: Tracer, self: Value, /) -> Value:
    content(self).keys(m).clear()
    changed(m, self, set.clear)
    return NONE


@model(set.__contains__, frozenset.__contains__)
def set_contains(m: Tracer, self: Value, item: Value, /) -> Value:
    return boolean(_key(m, item) in content(self).keys(m))


@model(set.__len__, frozenset.__len__)
def set_length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self).keys(m)))


@model(set.__init__)
def init_set(m: Tracer, self: Value, items: Value | None = None, /) -> Value:
    if items is not None:
        for item in m.unpack(items):
            _key(m, item)
            content(self).add(m, item)
    return NONE


@model(set.update)
def update_set(m: Tracer, self: Value, /, *others: Value) -> Value:
    for other in others:
        for item in m.unpack(other):
            add(m, self, item)
    return NONE
