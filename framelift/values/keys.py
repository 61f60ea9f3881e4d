"""Keys of dicts and elements of sets: values that hash and compare as Python's own objects do.

A key has a token. The token of what is made of literals is the Python object itself, others hash by identity, and where
the program defines `__hash__` and `__eq__` these are traced, on the same occasions on which Python would call them.

Objects that existed before and are keys by identity are noted in `tracer.keyed`: that they are different ones has been
relied on, wherever two of them may have met, and is guarded when the capture ends (`interpreter/aliasing.py`).
"""

from __future__ import annotations

import datetime as dt
import enum
import types
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from framelift.values.base import Tracer, Value, type_name
from framelift.values.function import MethodValue
from framelift.values.identity_number import IdentityNumber
from framelift.values.instance import InstanceValue
from framelift.values.known import Closure, Known
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.symbol import specialized
from framelift.values.weak import WeakrefValue

# `__hash__` of objects that are equal to themselves only.
_BY_IDENTITY: frozenset[Any] = frozenset({object.__hash__, torch.Tensor.__hash__})

# What hashes by content, with the `__eq__` that goes with it.
_BY_CONTENT: dict[Any, Any] = {
    cls.__hash__: cls.__eq__ for cls in (int, float, complex, str, bytes, tuple, frozenset, range)
}


PYBIND: type = type(torch._C.DispatchKeySet)
"""The class of the classes that C++ code makes."""


class Key:
    """A dict key: equal to another exactly when the dict would say so.

    Python compares a key that it looks up with one in the dict once at most, also where a method looks first and then
    inserts or deletes: the answers are kept with the key that is looked up, for one such operation.
    """

    __slots__ = ("value", "token", "_hash", "_answers", "_told_apart")

    def __init__(self, value: Value, token: Any) -> None:
        self.value = value
        self.token = token
        self._hash = hash(token)
        self._answers: list[tuple[Key, bool]] = []
        self._told_apart = False

    @contextmanager
    def told_apart(self) -> Iterator[Key]:
        """While it is put where Python has it already: it is none of the others there, and nobody is asked."""
        self._told_apart = True
        yield self
        self._told_apart = False

    def again(self) -> Key:
        """The same key, for another operation."""
        return Key(self.value, self.token) if self._answers else self

    def __hash__(self) -> int:
        return self._hash

    def hash_if_traced(self) -> int | None:
        """The hash Python has for it too; None if that is made of an address."""
        return self._hash if _has_no_address(self.token) else None

    def hash_by_code(self) -> int | None:
        """The hash that a method of the program's gave, if it did: at another time it may give another, or fail."""
        return self._hash if _is_traced(self.token) and _has_no_address(self.token) else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Key):
            return False
        if self.token is other.token:
            return True
        if other._told_apart:
            return False
        if type(self.token) is not _Traced and type(other.token) is not _Traced:
            return bool(self.token == other.token)
        for asked, answer in other._answers:
            if asked is self:
                return answer
        answer = bool(self.token == other.token)
        other._answers.append((self, answer))
        return answer


class _Identity:
    """The token of an object that hashes by identity: the value, or the object if it is known for good."""

    __slots__ = ("what",)

    def __init__(self, what: Any) -> None:
        self.what = what

    def __hash__(self) -> int:
        return id(self.what) >> 4

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.what is other.what


class _Address:
    """The token of what `id()` gave for an object."""

    __slots__ = ("of",)

    def __init__(self, of: Value) -> None:
        self.of = of

    def __hash__(self) -> int:
        return id(self.of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Address) and self.of is other.of


class _ByValue:
    """The token of what Python compares by value, though no guard can."""

    __slots__ = ("what",)

    def __init__(self, what: Any) -> None:
        self.what = what

    def __hash__(self) -> int:
        return hash(self.what)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByValue) and bool(self.what == other.what)


class _Traced:
    """The token of an object whose `__hash__` and `__eq__` the program defines."""

    __slots__ = ("tracer", "value", "hash")

    def __init__(self, tracer: Tracer, value: Value, number: int) -> None:
        self.tracer = tracer
        self.value = value
        self.hash = number

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        theirs = other.value if isinstance(other, _Traced) else self.tracer.constant(other)
        if theirs is self.value:
            return True
        if isinstance(other, _Identity):
            raise Break(UNKNOWN_OPERATION, "two keys of different kinds with one hash")
        equal = self.tracer.truth(self.tracer.compare("==", self.value, theirs))
        if not equal:  # so they are not one object, or Python would not have asked
            note(self.tracer, self.value)
            note(self.tracer, theirs)
        return equal


def note(tracer: Tracer, value: Value) -> None:
    """Note that an object is told from others by identity."""
    if value.seen is not None and not isinstance(value, Known):
        tracer.keyed.setdefault(value, False)


def _by_identity(tracer: Tracer, value: Value) -> _Identity:
    note(tracer, value)
    return _Identity(value)


def key_of(tracer: Tracer, value: Value) -> Key:
    """The key for a value; a TypeError in the traced program if it cannot be hashed."""
    value = specialized(tracer, value)
    return Key(value, token_of(tracer, value))


def found_key(tracer: Tracer, value: Value) -> Key:
    """The key for an object that a guard knows to be a certain key of a dict, and so to be none of the others."""
    before, changes = len(tracer.keyed), tracer.effects.state
    key = key_of(tracer, value)
    if tracer.effects.state != changes:
        raise Break(EFFECT, f"by {type_name(value.cls)}.__hash__, which Python does not call for a key that is there")
    for noted in list(tracer.keyed)[before:]:
        tracer.keyed[noted] = True
    if value in tracer.keyed:
        tracer.keyed[value] = True
    return key


def literal_of(key: Key) -> tuple[Any] | None:
    """The Python object of a key made of literals alone, in a tuple."""
    return (key.token,) if _is_plain(key.token) else None


def _is_plain(token: Any) -> bool:
    kind = type(token)
    if kind is tuple or kind is frozenset:
        return all(map(_is_plain, token))
    return kind not in (_Identity, _Address, _Traced, _ByValue)


def is_made_of_id(key: Key) -> bool:
    """Whether a key holds what `id()` gave for an object: only when it runs does Python know which number that is."""
    return _holds_id(key.token)


def check_ids(key: Key, others: Iterable[Key]) -> None:
    """Break where what `id()` gives for an object may be a number that is a key beside it: perhaps it is its id too."""
    other_kind = may_be_id if is_made_of_id(key) else is_made_of_id if may_be_id(key) else None
    if other_kind is not None and any(map(other_kind, others)):
        raise Break(UNKNOWN_OPERATION, "the id of an object as a key beside other numbers")


def may_be_id(key: Key) -> bool:
    return type(key.token) is int and key.token >= _LEAST_ADDRESS


_LEAST_ADDRESS = 1 << 16


def _holds_id(token: Any) -> bool:
    kind = type(token)
    return kind is _Address or (kind in (tuple, frozenset) and any(map(_holds_id, token)))


def _has_no_address(token: Any) -> bool:
    kind = type(token)
    if kind is tuple or kind is frozenset:
        return all(map(_has_no_address, token))
    if kind is _ByValue:
        return type(token.what) is not tuple  # a weak reference hashes as what it leads to
    return kind not in (_Identity, _Address)


def have_to_be_asked(keys: Iterable[Key]) -> bool:
    """Whether Python would ask one of these about another, by code of the program's, when it puts them together."""
    by_hash: dict[int, Key] = {}
    for key in keys:
        other = by_hash.setdefault(hash(key), key)
        if other is not key and (_is_traced(key.token) or _is_traced(other.token)):
            return True
    return False


def _is_traced(token: Any) -> bool:
    kind = type(token)
    return kind is _Traced or (kind in (tuple, frozenset) and any(map(_is_traced, token)))


def token_of(tracer: Tracer, value: Value) -> Any:
    """What stands for a value among keys."""
    value = specialized(tracer, value)
    if isinstance(value, Known):
        return _known_token(tracer, value)
    if isinstance(value, IdentityNumber):
        note(tracer, value.of)
        return _Address(value.of)
    if isinstance(value, WeakrefValue):
        return _weakref_token(tracer, value)
    if isinstance(value, MethodValue):
        return (types.MethodType, token_of(tracer, value.function), _by_identity(tracer, value.receiver))
    content = value.content if isinstance(value, InstanceValue) and value.content is not None else value
    hasher = tracer.class_attribute(value.cls, "__hash__")
    if hasher is None or (isinstance(hasher, Known) and hasher.obj is None):
        tracer.throw(TypeError, f"unhashable type: {type_name(value.cls)!r}")
    found = hasher.obj if isinstance(hasher, Known) else None
    if found in _BY_IDENTITY:
        return _by_identity(tracer, value)
    equal = _BY_CONTENT.get(found)
    if equal is not None and _is(tracer.class_attribute(value.cls, "__eq__"), equal):
        return _content_token(tracer, content)
    return _Traced(tracer, value, _hash(tracer, value, hasher))


def _weakref_token(tracer: Tracer, value: WeakrefValue) -> Any:
    """A weak reference is what it leads to, while that is there."""
    referent = value.referent
    if referent is None:
        unknown = Break(UNKNOWN_OPERATION, "the hash of a weak reference to what may be gone")
        try:
            referent = tracer.call(Known(weakref.ref.__call__), [value])
        except Break:
            raise unknown from None
        if isinstance(referent, Known) and referent.obj is None:
            raise unknown
    return _ByValue((weakref.ref, token_of(tracer, referent)))


def _content_token(tracer: Tracer, content: Value) -> Any:
    if isinstance(content, Known):
        return content.obj
    if isinstance(content, TupleValue):
        return tuple(token_of(tracer, item) for item in content.all(tracer))
    keys = getattr(content, "keys", None)  # a frozenset
    if keys is None:
        raise Break(UNKNOWN_OPERATION, f"the hash of a {content.cls.__name__}")
    return frozenset(key.token for key in keys(tracer))


def _known_token(tracer: Tracer, value: Known) -> Any:
    kind: Any = type(value.obj)
    if value.literal or kind in (types.BuiltinFunctionType, types.GenericAlias, types.UnionType):
        return value.obj
    if type(kind) is PYBIND:  # compared by content, in C++
        return value.obj
    if isinstance(value.obj, dt.date | dt.time | dt.timedelta):
        return _ByValue(value.obj)
    hasher: Any = kind.__hash__
    if hasher in _BY_IDENTITY:
        if isinstance(value, Closure):
            value.pin()
        return _Identity(value.obj)
    if isinstance(value.obj, enum.Enum):
        if _BY_CONTENT.get(hasher) is kind.__eq__:  # an IntEnum is equal to its number
            return value.obj
        if hasher in (enum.Enum.__hash__, enum.Flag.__hash__) and kind.__eq__ is object.__eq__:
            return _Identity(value.obj)
    if hasher is type.__hash__ or not isinstance(hasher, types.FunctionType):
        return _Identity(value.obj)
    return _Traced(tracer, value, _hash(tracer, value, tracer.class_attribute(kind, "__hash__")))


def _hash(tracer: Tracer, value: Value, hasher: Value | None) -> int:
    assert hasher is not None
    result = tracer.call_method(value, "__hash__", [])
    if not isinstance(result, Known) or not isinstance(result.obj, int):
        tracer.throw(TypeError, "__hash__ method should return an integer")
    return hash(_Answer(int(result.obj)))


class _Answer:
    """Has Python make of an answer of `__hash__` what it makes of any."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return self.number


def _is(found: Value | None, obj: Any) -> bool:
    return isinstance(found, Known) and found.obj is obj
