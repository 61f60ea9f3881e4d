"""What is known of a class besides what it has under its names: its name, its bases, what it derives from.

Classes written in Python can be given another name and other bases, so each of these is a guard.
"""

from __future__ import annotations

import types
from typing import Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.paths import reach
from framelift.values.base import NULL, Tracer, Value
from framelift.values.class_dict import ClassDict
from framelift.values.classes import ClassValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OBJECT, Break
from framelift.values.sequence import TupleValue
from framelift.values.signature import MappingProxyValue

IMMUTABLE_TYPE = 1 << 8

_order = type.__dict__["__mro__"].__get__
_ACCESSORS = {"__name__": "class_name", "__qualname__": "class_qualname", "__bases__": "class_bases", "__mro__": "mro"}
_IN_THE_DICT = frozenset({"__doc__", "__module__", "__abstractmethods__", "__annotations__", "__type_params__"})


def metaclass(m: Tracer, cls: type) -> type:
    """The class of a class. One written in Python may have been given another by the next call."""
    meta: Any = type(cls)
    if not meta.__flags__ & IMMUTABLE_TYPE:
        refuse_keys_of_its_own(cls)
        if cls not in m.made_classes:
            _seen(m, cls).learn(facts.type_of)
    return type(cls)


def refuse_keys_of_its_own(cls: type) -> None:
    """Classes are looked up here in many places, none of which may run code of the user's."""
    if not reach.class_hashes_plainly(cls):
        raise Break(UNKNOWN_OBJECT, "a class whose metaclass defines __eq__ or __hash__")


def derives(m: Tracer, cls: type, base: type) -> bool:
    """Whether a class inherits from another, by method resolution alone."""
    if cls is base or base is object:
        return True
    if cls.__flags__ & IMMUTABLE_TYPE:
        return base in _order(cls)
    made = m.made_classes.get(cls)
    if made is not None:
        return any(derives(m, parent.obj, base) for parent in made.bases)
    return bool(_seen(m, cls).learn(facts.derives_from, base))


def order(m: Tracer, cls: type) -> tuple[type, ...]:
    """The method resolution order of a class."""
    found: tuple[type, ...] = _order(cls)
    made = m.made_classes.get(cls)
    if made is not None:
        for parent in made.bases:
            order(m, parent.obj)
    elif not cls.__flags__ & IMMUTABLE_TYPE:
        _pin_items(_seen(m, cls).child("mro"), found)
    return found


def fact(m: Tracer, cls: Known, descriptor: Any, name: str) -> Value:
    """`cls.name`, for what `type` itself keeps under the name."""
    made = m.made_classes.get(cls.obj)
    if name == "__dict__":
        return MappingProxyValue(class_dict(m, cls))
    if not cls.obj.__flags__ & IMMUTABLE_TYPE:
        if name in _IN_THE_DICT:
            return _entry(m, cls, descriptor, name)
        if name == "__base__":
            fact(m, cls, type.__dict__["__bases__"], "__bases__")
        if made is None and name in _ACCESSORS:
            return _learnt(_seen(m, cls.obj).child(_ACCESSORS[name]))
        if made is not None and name == "__mro__":
            order(m, cls.obj)
    try:
        return _wrapped(descriptor.__get__(cls.obj))
    except AttributeError as error:
        m.throw(AttributeError, *error.args)


def _learnt(seen: Observed) -> Value:
    found = seen.convert(lambda obj: obj)
    if type(found) is not tuple:
        return Known(seen.learn(facts.value))
    _pin_items(seen, found)
    return _wrapped(found)


def _pin_items(seen: Observed, items: tuple[Any, ...]) -> None:
    if seen.ledger.knows(seen.path, facts.length):
        return  # all were pinned then
    seen.learn(facts.length)
    for index in range(len(items)):
        seen.child("item", index).pin()


def _wrapped(obj: Any) -> Value:
    if type(obj) is tuple:
        return TupleValue([_wrapped(item) for item in obj], tuple)
    return Known(obj)


def _entry(m: Tracer, cls: Known, descriptor: Any, name: str) -> Value:
    """What `type` finds in the dictionary of the class itself."""
    found: Value | None = m.class_writes.get(cls.obj, {}).get(name)
    if found is None and (name != "__annotations__" or cls.obj in m.made_classes):
        found = class_dict(m, cls).namespace.get(m, name)
    if found is not None and found is not NULL:
        if name == "__doc__" and m.class_attribute(found.cls, "__get__") is not None:
            return m.bind_attribute(found, cls)
        return found
    if name == "__annotations__":  # made when first asked for
        if cls.obj not in m.made_classes:
            return m.lift(_seen(m, cls.obj).child("class_annotations"))
        made = DictValue()
        put(m, cls, name, made)
        return made
    if name == "__type_params__":
        return TupleValue([], tuple)
    if name == "__doc__":
        return Known(None)
    try:
        return _wrapped(descriptor.__get__(cls.obj))
    except AttributeError as error:
        m.throw(AttributeError, *error.args)


def assign(m: Tracer, cls: Known, name: str, value: Value) -> bool:
    """`cls.name = value`, for what `type` itself keeps under the name; False if that is not known how to do."""
    if name in _IN_THE_DICT - {"__abstractmethods__", "__type_params__"}:
        put(m, cls, name, value)
        return True
    if not isinstance(cls, ClassValue):
        return False
    if name == "__bases__" and isinstance(value, TupleValue):
        return _rebase(m, cls, value.all(m))
    if name not in ("__name__", "__qualname__") or not isinstance(value, Known):
        return False
    if type(value.obj) is not str:
        m.throw(TypeError, f"can only assign string to {cls.obj.__name__}.{name}, not {value.cls.__name__!r}")
    setattr(cls.obj, name, value.obj)  # nobody else has the class that stands for it
    if name == "__name__":
        cls.seed["name"] = value.obj
        cls.seed["entries"].setdefault("__qualname__", cls.obj.__qualname__)
    else:
        cls.seed["entries"][name] = value.obj
    return True


def _rebase(m: Tracer, cls: ClassValue, bases: list[Value]) -> bool:
    """`cls.__bases__ = bases`"""
    if not all(isinstance(base, Known) and isinstance(base.obj, type) for base in bases):
        return False
    try:
        cls.obj.__bases__ = tuple(base.obj for base in bases if isinstance(base, Known))
    except TypeError as error:
        m.throw(TypeError, *error.args)
    cls.bases = bases
    return True


def put(m: Tracer, cls: Known, name: str, value: Value) -> None:
    """Put something into the dictionary of a class."""
    m.class_writes.setdefault(cls.obj, {})[name] = value
    if cls.obj not in m.made_classes:
        m.effects.add(type.__setattr__, cls, Known(name), value)


def class_dict(m: Tracer, cls: Known) -> ClassDict:
    """The dictionary of a class, with what was assigned during the call."""
    made = cls.obj in m.made_classes
    immutable = not made and cls.obj.__flags__ & IMMUTABLE_TYPE
    fixed = {name: m.constant(item) for name, item in vars(cls.obj).items()} if made or immutable else {}
    if immutable:
        return ClassDict(cls, None, {}, fixed)
    writes = m.class_writes.setdefault(cls.obj, {})
    return ClassDict(cls, None if made else _seen(m, cls.obj).child("class_dict"), writes, fixed)


def _seen(m: Tracer, cls: type) -> Observed:
    return Observed(m.ledger.paths.start("object", cls), cls, m.ledger)


def is_kept_by_type(descriptor: Value) -> bool:
    return isinstance(descriptor, Known) and type(descriptor.obj) in (
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
    )
