"""Attributes of classes: read, assigned and deleted on the class itself, and read through `super()`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.interpreter import attributes
from framelift.interpreter.method_resolution import class_attribute, is_in_python, resolve
from framelift.models import class_facts
from framelift.values.base import NULL, Raised, Value
from framelift.values.known import Known
from framelift.values.reasons import EFFECT, Break
from framelift.values.superclass import SuperValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def get_class_attribute(m: Machine, cls: Known, name: str) -> Value:
    """`cls.name`"""
    kind = class_facts.metaclass(m, cls.obj)
    if kind is type:
        return type_attribute(m, cls, name)
    getter = class_attribute(m, kind, "__getattribute__")
    assert getter is not None
    try:
        if isinstance(getter, Known) and not is_in_python(getter.obj):
            return type_attribute(m, cls, name)
        return m.call(getter, [cls, Known(name)])
    except Raised as raised:
        fallback = class_attribute(m, kind, "__getattr__")
        if fallback is None or not issubclass(raised.value.cls, AttributeError):
            raise
        return m.call(fallback, [cls, Known(name)])


def type_attribute(m: Machine, cls: Known, name: str) -> Value:
    """`type.__getattribute__(cls, name)`: the metaclass's data descriptors, the class's own method resolution, the
    metaclass.
    """
    kind = class_facts.metaclass(m, cls.obj)
    meta = class_attribute(m, kind, name)
    if meta is not None and attributes.is_data_descriptor(m, meta):
        if isinstance(meta, Known) and class_facts.is_kept_by_type(meta):
            return class_facts.fact(m, cls, meta.obj, name)
        return attributes.bind(m, meta, cls, Known(kind), name)
    found = class_attribute(m, cls.obj, name)
    if found is not None:
        return attributes.bind(m, found, None, cls, name)
    if meta is not None:
        return attributes.bind(m, meta, cls, Known(kind), name)
    _missing(m, cls, name)


def _missing(m: Machine, cls: Known, name: str) -> NoReturn:
    m.throw(AttributeError, f"type object {cls.obj.__name__!r} has no attribute {name!r}")


def super_attribute(m: Machine, receiver: SuperValue, name: str) -> Value:
    """`super(cls, instance).name`: method resolution from after `cls` on."""
    if name == "__class__":
        return Known(super)
    start = receiver.owner.cls if receiver.receiver_is_instance else receiver.owner_class
    order = class_facts.order(m, start)
    found = resolve(m, order[order.index(receiver.after) + 1 :], name)
    if found is None:
        m.throw(AttributeError, f"'super' object has no attribute {name!r}")
    instance = receiver.owner if receiver.receiver_is_instance else None
    return attributes.bind(m, found, instance, Known(start), name)


def set_class_attribute(m: Machine, cls: Known, name: str, value: Value) -> None:
    """`cls.name = value`"""
    setter = class_attribute(m, class_facts.metaclass(m, cls.obj), "__setattr__")
    assert setter is not None
    if isinstance(setter, Known) and not is_in_python(setter.obj):
        generic_set_class(m, cls, name, value)
    else:
        m.call(setter, [cls, Known(name), value])


def generic_set_class(m: Machine, cls: Known, name: str, value: Value) -> None:
    """`type.__setattr__(cls, name, value)`"""
    _check_mutable(m, cls, name, "set")
    meta = class_attribute(m, class_facts.metaclass(m, cls.obj), name)
    if meta is not None and attributes.is_data_descriptor(m, meta):
        if class_facts.is_kept_by_type(meta):
            if not class_facts.assign(m, cls, name, value):
                raise Break(EFFECT, f"the {name} of a class")
            return
        attributes.set_through(m, meta, cls, name, value)
        return
    m.class_writes.setdefault(cls.obj, {})[name] = value
    if cls.obj not in m.made_classes:
        m.effects.add(setattr, cls, Known(name), value)


def delete_class_attribute(m: Machine, cls: Known, name: str) -> None:
    """`del cls.name`"""
    deleter = class_attribute(m, class_facts.metaclass(m, cls.obj), "__delattr__")
    assert deleter is not None
    if isinstance(deleter, Known) and not is_in_python(deleter.obj):
        generic_delete_class(m, cls, name)
    else:
        m.call(deleter, [cls, Known(name)])


def generic_delete_class(m: Machine, cls: Known, name: str) -> None:
    """`type.__delattr__(cls, name)`"""
    _check_mutable(m, cls, name, "delete")
    writes = m.class_writes.setdefault(cls.obj, {})
    written = writes.get(name)
    if written is None and cls.obj not in m.made_classes:
        seen = Observed(m.ledger.paths.start("object", cls.obj), cls.obj, m.ledger)
        seen.learn(facts.class_attribute, name)
        if name not in vars(cls.obj):
            _missing(m, cls, name)
    elif written is None or written is NULL:
        _missing(m, cls, name)
    if cls.obj in m.made_classes:
        del writes[name]
    else:
        writes[name] = NULL
        m.effects.add(delattr, cls, Known(name))


def _check_mutable(m: Machine, cls: Known, name: str, verb: str) -> None:
    if cls.obj.__flags__ & (1 << 8):
        m.throw(TypeError, f"cannot {verb} {name!r} attribute of immutable type {cls.obj.__name__!r}")
