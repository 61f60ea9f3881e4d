"""Models of set and frozenset.

Whatever is done to a set is done in the same way to the real set beside it (see values/sets.py), so that the order of
iteration comes out as it does in Python.
"""

from __future__ import annotations

from typing import Any

from framelift.models.contents import changed, content, known_class, refuse_keywords
from framelift.models.dicts import raise_key_error
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.collection_iterators import SetIterator
from framelift.values.instance import InstanceValue
from framelift.values.keys import Key, key_of, literal_of
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.sets import SetValue


def _base(self: Value) -> type:
    return frozenset if issubclass(self.cls, frozenset) else set


def _is_set(value: Value) -> bool:
    return isinstance(content(value), SetValue)


class _Other:
    """An operand: its keys in order, and the Python object that is iterated over in the same order, if there is one."""

    def __init__(self, m: Tracer, value: Value) -> None:
        found = content(value)
        self.real: Any = None
        if isinstance(found, SetValue):
            self.keys = [key.again() for key in found.keys(m)]
            self.real = found.mirror(m)
        else:
            if isinstance(found, DictValue) and value.cls is dict:  # these have been hashed
                self.keys = [key.again() for key in found.entries(m)]
            else:
                self.keys = [key_of(m, item) for item in m.unpack(value)]
            literals = [literal_of(key) for key in self.keys]
            if all(literal is not None for literal in literals):
                self.real = [literal[0] for literal in literals if literal is not None]


def _hashable(m: Tracer, item: Value) -> Key:
    """The key of what is looked for; a set is looked for as the frozenset it equals."""
    found = content(item)
    if isinstance(found, SetValue) and issubclass(item.cls, set):
        try:
            return key_of(m, item)
        except Raised as raised:
            if not issubclass(raised.value.cls, TypeError):
                raise
        return Key(item, frozenset(key.token for key in found.keys(m)))
    return key_of(m, item)


def _made(m: Tracer, kind: type, keys: list[Key], real: Any) -> SetValue:
    made = SetValue(kind)
    made.become(keys, real)
    return made


# ---- Changes


@model(set.add)
def add(m: Tracer, self: Value, item: Value, /) -> Value:
    content(self).add(m, item)
    changed(m, self, set.add, item)
    return NONE


@model(set.discard)
def discard(m: Tracer, self: Value, item: Value, /) -> Value:
    content(self).discard(m, _hashable(m, item))
    changed(m, self, set.discard, item)
    return NONE


@model(set.remove)
def remove(m: Tracer, self: Value, item: Value, /) -> Value:
    key = _hashable(m, item)
    if key not in content(self).keys(m):
        raise_key_error(m, item)
    content(self).discard(m, key)
    changed(m, self, set.remove, item)
    return NONE


@model(set.pop)
def pop(m: Tracer, self: Value, /) -> Value:
    elements: SetValue = content(self)
    keys = elements.keys(m)
    if not keys:
        m.throw(KeyError, "pop from an empty set")
    if len(keys) == 1:
        key = next(iter(keys))
    elif elements.real is not None:
        key = key_of(m, m.constant(elements.real.pop()))
        key = next(mine for mine in keys if mine == key)
    else:
        raise Break(UNKNOWN_OPERATION, "pop of a set whose order is not known")
    elements.discard(m, key)
    changed(m, self, set.discard, key.value)
    return key.value


@model(set.clear)
def clear(m: Tracer, self: Value, /) -> Value:
    content(self).clear()
    changed(m, self, set.clear)
    return NONE


def _take(m: Tracer, self: Value, name: str, keys: list[Key], real: Any, others: list[Value]) -> None:
    """Let an in-place operation have its effect: the new elements, and the same on the real set."""
    content(self).become(keys, real)
    changed(m, self, getattr(set, name), *others)


def _in_place(name: str, combine: Any) -> Any:
    def operate(m: Tracer, self: Value, /, *others: Value) -> Value:
        elements = content(self)
        for other in others:
            operand = _Other(m, other)
            real = elements.real
            if real is not None and operand.real is not None:
                getattr(real, name)(operand.real)
            else:
                real = None
            keys = combine(list(elements.keys(m)), operand.keys)
            given = TupleValue([key.value for key in operand.keys], tuple)
            _take(m, self, name, keys, real, [other if _is_set(other) and other.seen is not None else given])
        return NONE

    return operate


def _union(left: list[Key], right: list[Key]) -> list[Key]:
    return list(dict.fromkeys([*left, *right]))


def _intersection(left: list[Key], right: list[Key]) -> list[Key]:
    if len(right) <= len(left):
        mine = set(left)
        return list(dict.fromkeys(key for key in right if key in mine))
    theirs = set(right)
    return [key for key in left if key in theirs]


def _difference(left: list[Key], right: list[Key]) -> list[Key]:
    theirs = set(right)
    return [key for key in left if key not in theirs]


def _symmetric(left: list[Key], right: list[Key]) -> list[Key]:
    mine, theirs = set(left), set(right)
    return [key for key in left if key not in theirs] + [key for key in dict.fromkeys(right) if key not in mine]


OPERATIONS: dict[str, tuple[Any, str, str]] = {
    "union": (_union, "update", "or"),
    "intersection": (_intersection, "intersection_update", "and"),
    "difference": (_difference, "difference_update", "sub"),
    "symmetric_difference": (_symmetric, "symmetric_difference_update", "xor"),
}


def _operation(name: str, combine: Any, in_place: str, sign: str) -> None:
    method = _in_place(in_place, combine)
    if name == "symmetric_difference":
        model(set.symmetric_difference_update)(lambda m, self, other, /: method(m, self, other))
    else:
        model(getattr(set, in_place))(method)

    def combined(m: Tracer, self: Value, others: tuple[Value, ...]) -> Value:
        operands = [_Other(m, other) for other in others]
        keys = list(content(self).keys(m))
        real = content(self).mirror(m)
        for operand in operands:
            keys = combine(keys, operand.keys)
        if real is not None and all(operand.real is not None for operand in operands):
            real = getattr(real, name)(*(operand.real for operand in operands))
        else:
            real = None
        return _made(m, _base(self), keys, real)

    def by_name(m: Tracer, self: Value, /, *others: Value) -> Value:
        return combined(m, self, others)

    def by_name_with_one(m: Tracer, self: Value, other: Value, /) -> Value:
        return combined(m, self, (other,))

    model(getattr(set, name), getattr(frozenset, name))(by_name_with_one if name == "symmetric_difference" else by_name)

    @model(getattr(set, f"__{sign}__"), getattr(frozenset, f"__{sign}__"))
    def by_sign(m: Tracer, self: Value, other: Value, /) -> Value:
        return combined(m, self, (other,)) if _is_set(self) and _is_set(other) else NOT_IMPLEMENTED

    @model(getattr(set, f"__r{sign}__"), getattr(frozenset, f"__r{sign}__"))
    def reflected(m: Tracer, self: Value, other: Value, /) -> Value:
        return combined(m, other, (self,)) if _is_set(self) and _is_set(other) else NOT_IMPLEMENTED

    @model(getattr(set, f"__i{sign}__"))
    def by_sign_in_place(m: Tracer, self: Value, other: Value, /) -> Value:
        if not _is_set(other):
            return NOT_IMPLEMENTED
        method(m, self, other)
        return self


for _name, (_combine, _in_place_name, _sign) in OPERATIONS.items():
    _operation(_name, _combine, _in_place_name, _sign)


# ---- Questions


@model(set.__contains__, frozenset.__contains__)
def contains(m: Tracer, self: Value, item: Value, /) -> Value:
    return boolean(_hashable(m, item) in content(self).keys(m))


@model(set.__len__, frozenset.__len__)
def length(m: Tracer, self: Value, /) -> Value:
    return Known(len(content(self).keys(m)))


@model(set.__iter__, frozenset.__iter__)
def iterate(m: Tracer, self: Value, /) -> Value:
    return SetIterator(m, self, content(self))


def _subset(left: dict[Key, None], right: dict[Key, None]) -> bool:
    return len(left) <= len(right) and all(key in right for key in left)


_COMPARISONS: dict[str, Any] = {
    "__eq__": lambda left, right: len(left) == len(right) and _subset(left, right),
    "__ne__": lambda left, right: not (len(left) == len(right) and _subset(left, right)),
    "__le__": _subset,
    "__lt__": lambda left, right: len(left) < len(right) and _subset(left, right),
    "__ge__": lambda left, right: _subset(right, left),
    "__gt__": lambda left, right: len(right) < len(left) and _subset(right, left),
}


def _comparison(name: str, answer: Any) -> None:
    @model(getattr(set, name), getattr(frozenset, name))
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        if not _is_set(other):
            return NOT_IMPLEMENTED
        return boolean(answer(content(self).keys(m), content(other).keys(m)))


for _name, _answer in _COMPARISONS.items():
    _comparison(_name, _answer)


@model(set.issubset, frozenset.issubset)
def is_subset(m: Tracer, self: Value, other: Value, /) -> Value:
    return boolean(_subset(content(self).keys(m), dict.fromkeys(_Other(m, other).keys)))


@model(set.issuperset, frozenset.issuperset)
def is_superset(m: Tracer, self: Value, other: Value, /) -> Value:
    mine = content(self).keys(m)
    return boolean(all(key in mine for key in _Other(m, other).keys))


@model(set.isdisjoint, frozenset.isdisjoint)
def is_disjoint(m: Tracer, self: Value, other: Value, /) -> Value:
    mine = content(self).keys(m)
    return boolean(not any(key in mine for key in _Other(m, other).keys))


# ---- Making sets


@model(set.copy, frozenset.copy)
def copy(m: Tracer, self: Value, /) -> Value:
    if self.cls is frozenset:
        return self
    real = content(self).mirror(m)
    return _made(m, _base(self), list(content(self).keys(m)), None if real is None else real.copy())


@model(set.__new__)
def new_set(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if kwargs:
        refuse_keywords(m, made_of, set, set)
    if made_of is set:
        return SetValue()
    made = InstanceValue(made_of)
    made.content = SetValue(made_of)
    return made


@model(set.__init__)
def init_set(m: Tracer, self: Value, items: Value | None = None, /) -> Value:
    clear(m, self)
    if items is not None:
        _fill(m, content(self), items)
        if self.seen is not None:
            raise Break(UNKNOWN_OPERATION, "initializing a set again")
    return NONE


def _fill(m: Tracer, made: SetValue, items: Value) -> None:
    operand = _Other(m, items)
    real = None if operand.real is None else set(operand.real)
    made.become(operand.keys, real)


@model(frozenset.__new__)
def new_frozenset(m: Tracer, cls: Value, items: Value | None = None, /, **kwargs: Value) -> Value:
    made_of = known_class(cls)
    if kwargs:
        refuse_keywords(m, made_of, frozenset, object)
    if items is not None and items.cls is frozenset and made_of is frozenset:
        return items
    made = SetValue(frozenset)
    if items is not None:
        _fill(m, made, items)
    if made_of is frozenset:
        return made
    instance = InstanceValue(made_of)
    instance.content = made
    return instance


@model(frozenset.__hash__)
def hash_frozenset(m: Tracer, self: Value, /) -> Value:
    key = key_of(m, self)
    literal = literal_of(key)
    if literal is None:
        raise Break(UNKNOWN_OPERATION, "the hash of a frozenset of objects")
    return Known(hash(literal[0]))
