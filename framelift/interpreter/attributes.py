"""Attribute access as Python defines it: descriptors, instance dictionaries, method resolution, `__getattr__`."""

from __future__ import annotations

import types
import weakref
from typing import TYPE_CHECKING, Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.interpreter import lifting
from framelift.models import registry, torch_ops
from framelift.paths.reach import ABSENT, has_own_dict
from framelift.paths.reach import class_attribute as find_class_attribute
from framelift.values.attribute_dict import attribute_dict
from framelift.values.base import NULL, Raised, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.known import PINNED, Known
from framelift.values.namespace import Namespace
from framelift.values.reasons import EFFECT, UNKNOWN_OBJECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.superclass import SuperValue
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

IMMUTABLE_TYPE = 1 << 8
PROXIES = (weakref.ProxyType, weakref.CallableProxyType)


def class_attribute(m: Machine, cls: type, name: str) -> Value | None:
    """What method resolution finds for a name, unbound; None if nothing."""
    for base, names in m.class_writes.items():
        if name in names and issubclass(cls, base):
            return _written_class_attribute(m, cls, name)
    if cls.__flags__ & IMMUTABLE_TYPE:
        if cls in PROXIES:
            raise Break(UNKNOWN_OBJECT, "a weak proxy")
        found = find_class_attribute(cls, name)
        return None if found is ABSENT else Known(found)
    seen = Observed(m.ledger.paths.start("object", cls), cls, m.ledger)
    found = seen.learn(facts.class_attribute, name)
    if found is ABSENT:
        return None
    child = seen.child("type_attr", name)
    if isinstance(found, PINNED):
        return Known(found, child)  # the look-up itself pins it
    return lifting.lift(m, child)


def _written_class_attribute(m: Machine, cls: type, name: str) -> Value | None:
    for base in cls.__mro__:
        written = m.class_writes.get(base, {}).get(name)
        if written is NULL:
            continue
        if written is not None:
            return written
        if name in vars(base):
            raise Break(UNKNOWN_OPERATION, "a class attribute shadowed by one assigned during the call")
    return None


def get_attribute(m: Machine, receiver: Value, name: str) -> Value:
    """`receiver.name`"""
    try:
        return _get_attribute(m, receiver, name)
    except Raised as raised:
        _say_whose(raised.value, receiver, name)
        raise


def _say_whose(error: Value, receiver: Value, name: str) -> None:
    """An AttributeError that does not say of what it speaks is told."""
    if isinstance(error, InstanceValue) and error.seen is None and issubclass(error.cls, AttributeError):
        if not any(descriptor in error.slots for descriptor in _WHOSE):
            error.slots.update(zip(_WHOSE, (Known(name), receiver), strict=True))


_WHOSE = (AttributeError.__dict__["name"], AttributeError.__dict__["obj"])


def _get_attribute(m: Machine, receiver: Value, name: str) -> Value:
    if isinstance(receiver, SuperValue):
        return _super_attribute(m, receiver, name)
    if isinstance(receiver, Known):
        if isinstance(receiver.obj, types.ModuleType):
            return _module_attribute(m, receiver, name)
        if isinstance(receiver.obj, type):
            return _type_attribute(m, receiver, name)
    getter = class_attribute(m, receiver.cls, "__getattribute__")
    if isinstance(getter, Known) and (getter.obj is object.__getattribute__ or not _in_python(getter.obj)):
        try:
            return generic_attribute(m, receiver, name)
        except Raised as raised:
            if not issubclass(raised.value.cls, AttributeError):
                raise
            fallback = class_attribute(m, receiver.cls, "__getattr__")
            if fallback is None:
                raise
            return m.call(fallback, [receiver, Known(name)])
    assert getter is not None
    try:
        return m.call(getter, [receiver, Known(name)])
    except Raised as raised:
        fallback = class_attribute(m, receiver.cls, "__getattr__")
        if fallback is None or not issubclass(raised.value.cls, AttributeError):
            raise
        return m.call(fallback, [receiver, Known(name)])


def _in_python(function: Any) -> bool:
    return isinstance(function, types.FunctionType)


def generic_attribute(m: Machine, receiver: Value, name: str) -> Value:
    """`object.__getattribute__(receiver, name)`"""
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found):
        return bind(m, found, receiver, Known(receiver.cls), name)
    own = own_attribute(m, receiver, name)
    if own is not None:
        return own
    if isinstance(receiver, MethodValue):  # a bound method shows what its function has
        return m.getattr(receiver.function, name)
    if found is not None:
        return bind(m, found, receiver, Known(receiver.cls), name)
    m.throw(AttributeError, f"{receiver.cls.__name__!r} object has no attribute {name!r}")


def own_attribute(m: Machine, receiver: Value, name: str) -> Value | None:
    """What the object's own dictionary holds."""
    attributes = own_namespace(m, receiver)
    return None if attributes is None else attributes.get(m, name)


def own_namespace(m: Machine, receiver: Value) -> Namespace | None:
    """The object's own dictionary; None if it has none."""
    if isinstance(receiver, InstanceValue | FunctionValue):
        return receiver.attributes
    if isinstance(receiver, Known) and isinstance(receiver.obj, types.FunctionType) and receiver.seen is not None:
        return m.namespace(receiver.seen.child("func_dict"))
    if isinstance(receiver, Known) and receiver.seen is not None and _has_dict(receiver.obj):
        return m.namespace(receiver.seen.child("dict"))
    return None


def _has_dict(obj: Any) -> bool:
    return has_own_dict(obj)


def is_data_descriptor(m: Machine, found: Value) -> bool:
    kind = found.cls
    return any(class_attribute(m, kind, name) is not None for name in ("__set__", "__delete__"))


def bind(m: Machine, found: Value, receiver: Value | None, owner: Value, name: str) -> Value:
    """What `found`, an attribute of a class, gives through an instance (or, without one, through the class)."""
    if isinstance(found, FunctionValue):
        return found if receiver is None else MethodValue(found, receiver)
    if not isinstance(found, Known):
        return _bind_by_protocol(m, found, receiver, owner)
    obj = found.obj
    kind = type(obj)
    if kind is types.FunctionType or kind is types.MethodDescriptorType or kind is types.WrapperDescriptorType:
        return found if receiver is None else MethodValue(found, receiver)
    if kind is staticmethod:
        return m.lift(_seen(m, found).child("staticmethod_func"))
    if kind is classmethod:
        return MethodValue(m.lift(_seen(m, found).child("classmethod_func")), owner)
    if kind is types.ClassMethodDescriptorType:
        return MethodValue(found, owner)
    if kind is property:
        return found if receiver is None else m.call(m.lift(_seen(m, found).child("property_get")), [receiver])
    if kind is types.MemberDescriptorType or kind is types.GetSetDescriptorType:
        return found if receiver is None else _stored(m, found, receiver, name)
    return _bind_by_protocol(m, found, receiver, owner)


def _bind_by_protocol(m: Machine, found: Value, receiver: Value | None, owner: Value) -> Value:
    getter = class_attribute(m, found.cls, "__get__")
    if getter is None:
        return found
    return m.call(getter, [found, Known(None) if receiver is None else receiver, owner])


def _seen(m: Machine, found: Known) -> Observed:
    """Where a pinned object is; one of an immutable type is a place of its own."""
    if found.seen is not None:
        return found.seen
    return Observed(m.ledger.paths.start("object", found.obj), found.obj, m.ledger)


def _stored(m: Machine, descriptor: Known, receiver: Value, name: str) -> Value:
    """An attribute kept by C code: `__slots__`, and what built-in types offer."""
    obj = descriptor.obj
    handler = registry.find(obj)
    if isinstance(handler, registry.Handler):
        found: Value = handler.function(m, receiver)
        return found
    if isinstance(receiver, InstanceValue) and name == "__dict__":
        return attribute_dict(receiver)
    if isinstance(receiver, InstanceValue) and type(obj) is types.MemberDescriptorType:
        return _slot(m, receiver, obj, name)
    if isinstance(receiver, TensorValue):
        return m.tensor_attribute(receiver, name)
    if isinstance(receiver, TupleValue):
        part = torch_ops.field(m, receiver, name)
        if part is not None:
            return part
    if isinstance(receiver, Known):
        if not receiver.literal and receiver.seen is not None and name not in STABLE_ATTRIBUTES:
            raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of {receiver.obj!r}")
        return m.constant(obj.__get__(receiver.obj))
    raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a {receiver.cls.__name__}")


# Kept by built-in objects, and good for as long as the object is the same: assigning them is rare enough to be refused.
STABLE_ATTRIBUTES = frozenset(
    {
        "__name__", "__qualname__", "__module__", "__objclass__", "__doc__", "name", "value", "_name_", "_value_",
        "pattern", "flags", "groups", "groupindex", "string", "re", "pos", "endpos", "lastindex", "lastgroup", "regs",
    }  # fmt: skip
)


def _slot(m: Machine, receiver: InstanceValue, descriptor: Any, name: str) -> Value:
    if descriptor in receiver.slots:
        found = receiver.slots[descriptor]
        if found is None:
            m.throw(AttributeError, name)
        return found
    if receiver.seen is None:
        m.throw(AttributeError, name)
    try:
        found = m.lift(receiver.seen.child("slot", descriptor))
    except AttributeError as unset:
        raise Break(UNKNOWN_OPERATION, f"the unset slot {name!r}") from unset
    receiver.slots[descriptor] = found
    return found


def _module_attribute(m: Machine, module: Known, name: str) -> Value:
    found = lifting.module_namespace(m, module).get(m, name)
    if found is not None:
        return found
    if name in ("__dict__", "__class__"):
        raise Break(UNKNOWN_OPERATION, f"the {name} of a module")
    fallback = lifting.module_namespace(m, module).get(m, "__getattr__")
    if fallback is not None:
        return m.call(fallback, [Known(name)])
    m.throw(AttributeError, f"module {module.obj.__name__!r} has no attribute {name!r}")


def _type_attribute(m: Machine, cls: Known, name: str) -> Value:
    """An attribute of a class: the metaclass's data descriptors, the class's own method resolution, the metaclass."""
    meta = class_attribute(m, type(cls.obj), name)
    if meta is not None and is_data_descriptor(m, meta):
        if isinstance(meta, Known) and type(meta.obj) in (types.GetSetDescriptorType, types.MemberDescriptorType):
            return _class_fact(m, cls, meta, name)
        return bind(m, meta, cls, Known(type(cls.obj)), name)
    found = class_attribute(m, cls.obj, name)
    if found is not None:
        return bind(m, found, None, cls, name)
    if meta is not None:
        return bind(m, meta, cls, Known(type(cls.obj)), name)
    fallback = class_attribute(m, type(cls.obj), "__getattr__")
    if fallback is not None:
        return m.call(fallback, [cls, Known(name)])
    m.throw(AttributeError, f"type object {cls.obj.__name__!r} has no attribute {name!r}")


def _class_fact(m: Machine, cls: Known, meta: Known, name: str) -> Value:
    if name in ("__name__", "__qualname__", "__module__", "__mro__", "__bases__", "__base__", "__doc__", "__flags__"):
        return _wrap_known(meta.obj.__get__(cls.obj))
    if name == "__dict__":
        raise Break(UNKNOWN_OPERATION, "the __dict__ of a class")
    return _wrap_known(meta.obj.__get__(cls.obj))


def _wrap_known(obj: Any) -> Value:
    if type(obj) is tuple:
        return TupleValue([_wrap_known(item) for item in obj], tuple)
    return Known(obj)


def _super_attribute(m: Machine, receiver: SuperValue, name: str) -> Value:
    """`super(cls, instance).name`: method resolution from after `cls` on."""
    if name == "__class__":
        return Known(super)
    start = receiver.owner.cls if receiver.receiver_is_instance else receiver.owner_class
    order = start.__mro__
    for base in order[order.index(receiver.after) + 1 :]:
        if name not in vars(base):
            continue
        found = class_attribute(m, base, name)
        assert found is not None
        instance = receiver.owner if receiver.receiver_is_instance else None
        return bind(m, found, instance, Known(start), name)
    m.throw(AttributeError, f"'super' object has no attribute {name!r}")


def set_attribute(m: Machine, receiver: Value, name: str, value: Value) -> None:
    """`receiver.name = value`"""
    if isinstance(receiver, Known) and isinstance(receiver.obj, type):
        if registry.find(type(receiver.obj)) is None and type(receiver.obj).__setattr__ is type.__setattr__:
            m.class_writes.setdefault(receiver.obj, {})[name] = value
            m.effects.add(setattr, receiver, Known(name), value)
            return
        raise Break(EFFECT, "an attribute of a class whose metaclass handles assignment")
    if isinstance(receiver, Known) and isinstance(receiver.obj, types.ModuleType):
        lifting.module_namespace(m, receiver).set(name, value)
        m.effects.add(setattr, receiver, Known(name), value)
        return
    setter = class_attribute(m, receiver.cls, "__setattr__")
    assert setter is not None
    if isinstance(setter, Known) and not _in_python(setter.obj):
        generic_set(m, receiver, name, value)
        return
    m.call(setter, [receiver, Known(name), value])


def generic_set(m: Machine, receiver: Value, name: str, value: Value) -> None:
    """`object.__setattr__(receiver, name, value)`"""
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found):
        _set_through(m, found, receiver, name, value)
        return
    attributes = own_namespace(m, receiver)
    if attributes is None:
        raise Break(EFFECT, f"attribute {name!r} of a {receiver.cls.__name__}")
    attributes.set(name, value)
    if receiver.seen is not None:
        m.effects.add(object.__setattr__, receiver, Known(name), value)


def _set_through(m: Machine, descriptor: Value, receiver: Value, name: str, value: Value) -> None:
    if isinstance(descriptor, Known):
        obj = descriptor.obj
        if type(obj) is property:
            if obj.fset is None:
                m.throw(AttributeError, f"property {name!r} of {receiver.cls.__name__!r} object has no setter")
            m.call(m.lift(_seen(m, descriptor).child("property_set")), [receiver, value])
            return
        handler = registry.find_setter(obj)
        if handler is not None:
            handler(m, receiver, value)
            return
        if type(obj) is types.MemberDescriptorType and isinstance(receiver, InstanceValue):
            receiver.slots[obj] = value
            if receiver.seen is not None:
                m.effects.add(object.__setattr__, receiver, Known(name), value)
            return
        if isinstance(obj, types.GetSetDescriptorType | types.MemberDescriptorType):
            raise Break(EFFECT, f"attribute {name!r} of a {receiver.cls.__name__}")
    m.call_method(descriptor, "__set__", [receiver, value])


def delete_attribute(m: Machine, receiver: Value, name: str) -> None:
    """`del receiver.name`"""
    deleter = class_attribute(m, receiver.cls, "__delattr__")
    if isinstance(deleter, Known) and not _in_python(deleter.obj):
        generic_delete(m, receiver, name)
        return
    assert deleter is not None
    m.call(deleter, [receiver, Known(name)])


def generic_delete(m: Machine, receiver: Value, name: str) -> None:
    """`object.__delattr__(receiver, name)`"""
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found):
        if isinstance(found, Known) and type(found.obj) is types.MemberDescriptorType:
            raise Break(EFFECT, f"deleting the slot {name!r}")
        m.call_method(found, "__delete__", [receiver])
        return
    attributes = own_namespace(m, receiver)
    if attributes is None:
        raise Break(EFFECT, f"deleting attribute {name!r} of a {receiver.cls.__name__}")
    if attributes.get(m, name) is None:
        m.throw(AttributeError, f"{receiver.cls.__name__!r} object has no attribute {name!r}")
    attributes.delete(name)
    if receiver.seen is not None:
        m.effects.add(object.__delattr__, receiver, Known(name))
