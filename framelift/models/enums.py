"""Models of `enum`. The members of an enumeration are fixed when its class is made: what they are is known for good."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.classes import ClassValue
from framelift.values.instance import InstanceValue
from framelift.values.keys import key_of, literal_of
from framelift.values.known import NOT_IMPLEMENTED, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue
from framelift.values.symbol import specialized

Handler = Callable[..., Value]


def enum_model(function: Any) -> Callable[[Handler], Handler]:
    """A model of a method, for enumerations that existed before the call. Of those made in it the code is traced."""

    def declare(handler: Handler) -> Handler:
        @model(function)
        @functools.wraps(handler)
        def apply(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
            about = self.obj if isinstance(self, Known) and isinstance(self.obj, type) else self.cls
            about = next((arg.obj for arg in args if isinstance(arg, ClassValue)), about)
            if about in m.made_classes or isinstance(self, InstanceValue) or not _has_members(about):
                return m.inline(function, [self, *args], kwargs)
            return handler(m, self, *args, **kwargs)

        return handler

    return declare


def _has_members(cls: Any) -> bool:
    return not isinstance(cls, enum.EnumMeta) or bool(cls._member_map_)


def _member(value: Value) -> Any:
    """The member a value stands for, or None."""
    return value.obj if isinstance(value, Known) and isinstance(value.obj, enum.Enum) else None


def _own(m: Tracer, member: Known, name: str) -> Value:
    """An attribute of a member's own, which may be a mutable object."""
    seen = member.seen or Observed(m.ledger.paths.start("object", member.obj), member.obj, m.ledger)
    return m.lift(seen.child("attr", name))


def _known(m: Tracer, member: Any) -> Known:
    """A member, with the place where its attributes are found."""
    return Known(member, Observed(m.ledger.paths.start("object", member), member, m.ledger))


_property: Any = enum.property


@enum_model(_property.__get__)
def get(m: Tracer, self: Value, instance: Value, owner: Value | None = None, /) -> Value:
    """`member.value`, `member.name`, and members found through the class."""
    member = _member(instance)
    name = _name_of(m, self)
    if member is not None and name in ("name", "value"):
        return _own(m, instance, f"_{name}_")  # type: ignore[arg-type]
    if isinstance(instance, Known) and instance.obj is None and owner is not None and isinstance(owner, Known):
        found = owner.obj._member_map_.get(name)
        if found is not None:
            return _known(m, found)
        m.throw(AttributeError, f"{owner.obj!r} has no attribute {name!r}")
    getter = m.getattr(self, "fget")
    if isinstance(getter, Known) and getter.obj is None:
        found = getattr(instance.cls, "_member_map_", {}).get(name)
        if found is not None:
            return _known(m, found)
        m.throw(AttributeError, f"{instance.cls!r} has no attribute {name!r}")
    return m.call(getter, [instance])


def _name_of(m: Tracer, descriptor: Value) -> str:
    name = m.getattr(descriptor, "name")
    assert isinstance(name, Known)
    return str(name.obj)


_meta: Any = enum.EnumMeta


@enum_model(_meta.__call__)
def call(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`Color(1)`: the member with that value."""
    if not isinstance(cls, Known) or len(args) != 1 or kwargs:
        raise Break(UNKNOWN_OPERATION, "an enumeration called with more than a value")
    kind, value = cls.obj, args[0]
    member = _member(value)
    if member is not None and type(member) is kind:
        return value
    if kind._missing_.__func__ not in (enum.Enum._missing_.__func__, enum.Flag._missing_.__func__):  # type: ignore[attr-defined]
        return _with_missing(m, cls, value)
    if isinstance(value, ListValue | DictValue):
        _find_unhashable(m, kind, value)
    literal = literal_of(key_of(m, value))
    if literal is None:
        raise Break(UNKNOWN_OPERATION, "the member of an enumeration for a value that is no constant")
    try:
        return _known(m, kind(literal[0]))
    except (ValueError, TypeError) as error:
        m.throw(type(error), *error.args)


def _find_unhashable(m: Tracer, kind: Any, value: Value) -> None:
    if len(kind._value2member_map_) < len(kind._member_names_):
        raise Break(UNKNOWN_OPERATION, "an enumeration with values that have no hash")
    shown = specialized(m, m.text(value, "repr"))
    if not isinstance(shown, Known):
        raise Break(UNKNOWN_OPERATION, "an enumeration and a tensor")
    m.throw(ValueError, f"{shown.obj} is not a valid {kind.__qualname__}")


def _with_missing(m: Tracer, cls: Known, value: Value) -> Value:
    literal = literal_of(key_of(m, value))
    if literal is not None and literal[0] in cls.obj._value2member_map_:
        return _known(m, cls.obj._value2member_map_[literal[0]])
    return m.inline(_meta.__call__, [cls, value])


@enum_model(_meta.__getitem__)
def by_name(m: Tracer, cls: Value, name: Value, /) -> Value:
    assert isinstance(cls, Known)
    literal = literal_of(key_of(m, name))
    found = None if literal is None else cls.obj._member_map_.get(literal[0])
    if found is None:
        m.raise_value(KeyError, [name])
    return _known(m, found)


@enum_model(_meta.__iter__)
def iterate(m: Tracer, cls: Value, /) -> Value:
    assert isinstance(cls, Known)
    return m.call(Known(_each), [_members(m, list(cls.obj))])


@enum_model(_meta.__reversed__)
def iterate_backwards(m: Tracer, cls: Value, /) -> Value:
    assert isinstance(cls, Known)
    return m.call(Known(_each), [_members(m, list(cls.obj)[::-1])])


def _each(members: Any) -> Any:
    """(traced)"""
    for member in members:  # noqa: UP028 - a generator is what Python gives
        yield member


def _members(m: Tracer, members: list[Any]) -> Value:
    return ListValue([_known(m, member) for member in members], list)


@enum_model(_meta.__len__)
def length(m: Tracer, cls: Value, /) -> Value:
    assert isinstance(cls, Known)
    return Known(len(cls.obj))


@enum_model(_meta.__bool__)
def truth(m: Tracer, cls: Value, /) -> Value:
    return boolean(True)


@enum_model(_meta.__contains__)
def contains(m: Tracer, cls: Value, value: Value, /) -> Value:
    assert isinstance(cls, Known)
    obj = value.obj if isinstance(value, Known) and (value.literal or _member(value) is not None) else None
    if obj is None:
        raise Break(UNKNOWN_OPERATION, "whether an object is a member of an enumeration")
    try:
        return boolean(obj in cls.obj)
    except TypeError as error:
        m.throw(TypeError, *error.args)


def _flag_operation(name: str) -> None:
    function = vars(enum.Flag).get(name)
    if function is None:
        return

    @enum_model(function)
    def operate(m: Tracer, self: Value, /, *others: Value) -> Value:
        members = [_member(value) for value in (self, *others)]
        others_known = all(
            isinstance(value, Known) and (value.literal or _member(value) is not None) for value in others
        )
        if members[0] is None or not others_known:
            return NOT_IMPLEMENTED
        try:
            result = function(members[0], *(value.obj for value in others if isinstance(value, Known)))
        except TypeError as error:
            m.throw(TypeError, *error.args)
        if name == "__iter__":
            return m.call(Known(_each), [_members(m, list(result))])
        return _known(m, result) if isinstance(result, enum.Enum) else m.constant(result)


_done: set[int] = set()
for _name in (
    "__or__", "__ror__", "__and__", "__rand__", "__xor__", "__rxor__", "__invert__", "__bool__", "__contains__",
    "__len__", "__iter__",
):  # fmt: skip
    if id(vars(enum.Flag).get(_name)) not in _done:
        _flag_operation(_name)
        _done.add(id(vars(enum.Flag).get(_name)))


@enum_model(enum.Enum.__repr__)
def member_repr(m: Tracer, self: Value, /) -> Value:
    member = _member(self)
    if member is None:
        raise Break(UNKNOWN_OPERATION, "the text of a member of an enumeration")
    if type(member.value).__repr__ in _PLAIN_REPRS:
        return Known(enum.Enum.__repr__(member))
    return m.inline(enum.Enum.__repr__, [self], {})


_PLAIN_REPRS = tuple(kind.__repr__ for kind in (int, float, str, bytes, bool, complex, type(None)))


@enum_model(enum.Enum.__hash__)
def member_hash(m: Tracer, self: Value, /) -> Value:
    member = _member(self)
    if member is None:
        raise Break(UNKNOWN_OPERATION, "the hash of a member of an enumeration")
    return Known(hash(member._name_))
