"""Models of the methods of dict, which OrderedDict has its own copies of. What differs there is in collections_."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from framelift.models.contents import changed, content, equal, known_class
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.collection_iterators import DictIterator
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.mapping import DictValue, Key, key_of
from framelift.values.sequence import TupleValue

F = TypeVar("F", bound=Callable[..., Any])


def dict_model(name: str) -> Callable[[F], F]:
    """Declare the model of a method of dict, and of OrderedDict's own version of it."""
    targets = {id(method): method for cls in (dict, OrderedDict) if (method := cls.__dict__.get(name)) is not None}
    return model(*targets.values())


def own(self: Value, name: str) -> Any:
    """The method that changes a dict: an OrderedDict must be changed by its own."""
    kind: Any = OrderedDict if issubclass(self.cls, OrderedDict) else dict
    return getattr(kind, name)


@dict_model("__getitem__")
def get_entry(m: Tracer, self: Value, name: Value, /) -> Value:
    found = content(self).get(m, key_of(m, name))
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
    _set(m, self, key_of(m, name), value)
    return NONE


def _set(m: Tracer, self: Value, key: Key, value: Value) -> None:
    content(self).put_key(m, key, value)
    changed(m, self, own(self, "__setitem__"), key.value, value)


@dict_model("__delitem__")
def delete_entry(m: Tracer, self: Value, name: Value, /) -> Value:
    key = key_of(m, name)
    if content(self).get(m, key) is None:
        raise_key_error(m, name)
    content(self).remove(m, key)
    changed(m, self, own(self, "__delitem__"), name)
    return NONE


@dict_model("get")
def get_or_default(m: Tracer, self: Value, key: Value, default: Value = NONE, /) -> Value:
    found: Value | None = content(self).get(m, key_of(m, key))
    return default if found is None else found


@model(dict.pop)
def pop_entry(m: Tracer, self: Value, name: Value, default: Value | None = None, /) -> Value:
    key = key_of(m, name)
    found: Value | None = content(self).get(m, key)
    if found is None:
        if default is None:
            raise_key_error(m, name)
        return default
    content(self).remove(m, key)
    changed(m, self, own(self, "__delitem__"), name)
    return found


@model(dict.popitem)
def pop_last(m: Tracer, self: Value, /) -> Value:
    entries = content(self).entries(m)
    if not entries:
        m.throw(KeyError, "popitem(): dictionary is empty")
    key = next(reversed(entries))
    value = content(self).get(m, key)
    content(self).remove(m, key)
    changed(m, self, own(self, "popitem"))
    return TupleValue([key.value, value], tuple)


@dict_model("setdefault")
def set_default(m: Tracer, self: Value, key: Value, default: Value = NONE, /) -> Value:
    name = key_of(m, key)
    found: Value | None = content(self).get(m, name)
    if found is not None:
        return found
    _set(m, self, name, default)
    return default


@dict_model("clear")
def clear(m: Tracer, self: Value, /) -> Value:
    content(self).clear(m)
    changed(m, self, own(self, "clear"))
    return NONE


@model(dict.copy)
def copy(m: Tracer, self: Value, /) -> Value:
    made = DictValue()
    if content(self).count(m):
        _take_all(m, made, self)
    return made


@model(dict.__len__)
def length(m: Tracer, self: Value, /) -> Value:
    return Known(content(self).count(m))


@dict_model("__contains__")
def contains(m: Tracer, self: Value, name: Value, /) -> Value:
    return boolean(content(self).get(m, key_of(m, name)) is not None)


@dict_model("__iter__")
def iterate(m: Tracer, self: Value, /) -> Value:
    return DictIterator(m, self, content(self), "keys")


@dict_model("update")
def update(m: Tracer, self: Value, other: Value | None = None, /, **kwargs: Value) -> Value:
    if other is not None:
        _take_all(m, self, other)
    for name, value in kwargs.items():
        set_entry(m, self, Known(name), value)
    return NONE


def _take_all(m: Tracer, self: Value, other: Value) -> None:
    """Everything a mapping or an iterable of pairs holds; as in Python, what was taken before an exception stays."""
    if isinstance(content(other), DictValue) and iterates_plainly(m, other):
        _take_entries(m, self, content(other))
    elif has_keys(m, other):
        m.call(Known(_take_mapping), [self, other])
    else:
        m.call(Known(_take_pairs), [self, other])


def _take_entries(m: Tracer, self: Value, other: DictValue) -> None:
    if other is content(self):
        return
    keys, removals = list(other.entries(m)), other.removals
    for key in keys:
        value = other.get(m, key)
        assert value is not None
        _set(m, self, key.again(), value)
        if other.removals != removals or len(other.entries(m)) != len(keys):
            m.throw(RuntimeError, "dict mutated during update")


def iterates_plainly(m: Tracer, other: Value) -> bool:
    """Whether Python takes the entries of a dict as they are, and asks no method of its class for them."""
    if _method(m, other, "__iter__") is dict.__iter__:
        return True
    names = ("__iter__", "keys", "__getitem__")
    return all(_method(m, other, name) is getattr(OrderedDict, name) for name in names)


def _method(m: Tracer, value: Value, name: str) -> Any:
    found = m.class_attribute(value.cls, name)
    return found.obj if isinstance(found, Known) else None


def has_keys(m: Tracer, other: Value) -> bool:
    try:
        m.getattr(other, "keys")
    except Raised as raised:
        if issubclass(raised.value.cls, AttributeError):
            return False
        raise
    return True


def _take_mapping(self: Any, other: Any) -> None:
    """(traced)"""
    for key in other.keys():  # noqa: SIM118 - this is what Python asks
        dict.__setitem__(self, key, other[key])


def _take_pairs(self: Any, pairs: Any) -> None:
    """(traced)"""
    for number, pair in enumerate(pairs):
        try:
            items = list(pair)
        except TypeError:
            raise TypeError(f"cannot convert dictionary update sequence element #{number} to a sequence") from None
        if len(items) != 2:
            raise ValueError(f"dictionary update sequence element #{number} has length {len(items)}; 2 is required")
        dict.__setitem__(self, items[0], items[1])


@dict_model("__init__")
def init(m: Tracer, self: Value, other: Value | None = None, /, **kwargs: Value) -> Value:
    return update(m, self, other, **kwargs)


def _merged(m: Tracer, left: Value, right: Value) -> Value:
    if not isinstance(content(left), DictValue) or not isinstance(content(right), DictValue):
        return NOT_IMPLEMENTED
    made = copy(m, left)
    update(m, made, right)
    return made


@model(dict.__or__)
def merge(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, self, other)


@model(dict.__ror__)
def merge_reflected(m: Tracer, self: Value, other: Value, /) -> Value:
    return _merged(m, other, self)


@dict_model("__ior__")
def merge_in_place(m: Tracer, self: Value, other: Value, /) -> Value:
    update(m, self, other)
    return self


@model(dict.__eq__)
def dict_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    left, right = content(self), content(other)
    if not isinstance(right, DictValue):
        return NOT_IMPLEMENTED
    if len(left.entries(m)) != len(right.entries(m)):
        return boolean(False)
    for key in list(left.entries(m)):
        theirs = right.get(m, key.again())
        if theirs is None or not equal(m, left.get(m, key), theirs):
            return boolean(False)
    return boolean(True)


@model(dict.__ne__)
def dict_not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = dict_equal(m, self, other)
    return result if result is NOT_IMPLEMENTED else boolean(not m.truth(result))


@model(*(dict.__dict__[name] for name in ("__lt__", "__le__", "__gt__", "__ge__")))
def not_ordered(m: Tracer, self: Value, other: Value, /) -> Value:
    return NOT_IMPLEMENTED


@model(dict.__dict__["fromkeys"], dict.fromkeys, OrderedDict.__dict__["fromkeys"])
def from_keys(m: Tracer, cls: Value, names: Value, value: Value = NONE, /) -> Value:
    made = m.call(cls, [])
    if made.cls is dict and names.cls in (dict, set, frozenset):  # the keys have been hashed
        held = content(names)
        for key in held.entries(m) if isinstance(held, DictValue) else held.ordered_keys(m):
            _set(m, made, key.again(), value)
        return made
    for name in m.unpack(names):
        if made.cls is dict:
            set_entry(m, made, name, value)
        else:
            m.call_method(made, "__setitem__", [name, value])
    return made


@model(dict.__new__)
def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if made_of is dict:
        return DictValue()
    made = InstanceValue(made_of)
    made.content = DictValue(made_of)
    return made
