"""Attribute access as Python defines it: descriptors, instance dictionaries, method resolution, `__getattr__`."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, NoReturn

import torch

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.interpreter import lifting, thread_locals, wording
from framelift.interpreter.method_resolution import class_attribute, is_in_python
from framelift.models import descriptors, registry, torch_ops, weak_proxies
from framelift.paths.reach import has_own_dict
from framelift.values import numpy_numbers
from framelift.values.attribute_dict import NamespaceDict, attribute_dict
from framelift.values.base import Raised, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.namespace import Namespace
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.superclass import SuperValue
from framelift.values.tensor import TensorValue
from framelift.values.weak import ProxyValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def get_attribute(m: Machine, receiver: Value, name: str) -> Value:
    """`receiver.name`"""
    if type(receiver) is ProxyValue:
        receiver = weak_proxies.unwrapped(m, receiver)
    try:
        return _get_attribute(m, receiver, name)
    except Raised as raised:
        _say_whose(raised.value, receiver, name)
        raise


def _say_whose(error: Value, receiver: Value, name: str) -> None:
    """An AttributeError that does not say of what it speaks is told."""
    if not isinstance(error, InstanceValue) or error.seen is not None or not issubclass(error.cls, AttributeError):
        return
    if not any(descriptor in error.slots for descriptor in _WHOSE):
        error.slots.update(zip(_WHOSE, (Known(name), receiver), strict=True))


_WHOSE = (AttributeError.__dict__["name"], AttributeError.__dict__["obj"])


def _get_attribute(m: Machine, receiver: Value, name: str) -> Value:
    if isinstance(receiver, SuperValue):
        return m.super_attribute(receiver, name)
    if isinstance(receiver, Known):
        if type(receiver.obj) is types.ModuleType:
            return _module_attribute(m, receiver, name)
        if isinstance(receiver.obj, type):
            return m.get_class_attribute(receiver, name)
    getter = class_attribute(m, receiver.cls, "__getattribute__")
    if isinstance(getter, Known) and (getter.obj is object.__getattribute__ or not is_in_python(getter.obj)):
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


# What a bound method shows of its function, or is known of it, though its class has a descriptor for it.
_OF_FUNCTION = frozenset({"__name__", "__qualname__", "__doc__", "__text_signature__", "__objclass__", "__self__"})


def generic_attribute(m: Machine, receiver: Value, name: str) -> Value:
    """`object.__getattribute__(receiver, name)`"""
    if isinstance(receiver, MethodValue) and name in _OF_FUNCTION:
        return receiver.receiver if name == "__self__" else m.getattr(receiver.function, name)
    thread_locals.refuse_dict(receiver, name)
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found) and class_attribute(m, found.cls, "__get__") is not None:
        return bind(m, found, receiver, Known(receiver.cls), name)
    own = own_attribute(m, receiver, name)
    if own is not None:
        return own
    if isinstance(receiver, MethodValue) and found is None:
        return m.getattr(receiver.function, name)
    if found is not None:
        return bind(m, found, receiver, Known(receiver.cls), name)
    _no_attribute(m, receiver, name)


def _no_attribute(m: Machine, receiver: Value, name: str) -> NoReturn:
    m.throw(AttributeError, f"{receiver.cls.__name__!r} object has no attribute {name!r}")


def own_attribute(m: Machine, receiver: Value, name: str) -> Value | None:
    """What the object's own dictionary holds."""
    attributes = own_namespace(m, receiver)
    return None if attributes is None else attributes.get(m, name)


def own_namespace(m: Machine, receiver: Value) -> Namespace | None:
    """The object's own dictionary; None if it has none."""
    if thread_locals.is_thread_local(receiver):
        return thread_locals.attributes_of(receiver)
    if isinstance(receiver, InstanceValue | TensorValue):
        return receiver.attributes if _keeps_dict(receiver.cls) else None
    if isinstance(receiver, FunctionValue):
        return receiver.attributes
    if isinstance(receiver, Known) and isinstance(receiver.obj, types.FunctionType) and receiver.seen is not None:
        return m.namespace(receiver.seen.child("func_dict"))
    if isinstance(receiver, Known) and receiver.seen is not None and _has_dict(receiver.obj):
        return m.namespace(receiver.seen.child("dict"))
    return None


_offset = type.__dict__["__dictoffset__"].__get__
MANAGED_DICT = 1 << 4


def _keeps_dict(cls: type) -> bool:
    """Whether instances have a dictionary of their own."""
    return bool(_offset(cls) or cls.__flags__ & MANAGED_DICT)


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
    if found.literal:
        return found
    if kind is types.FunctionType or kind is types.MethodDescriptorType or kind is types.WrapperDescriptorType:
        return found if receiver is None else MethodValue(found, receiver)
    if kind.__name__ == "cython_function_or_method":
        return found if receiver is None else MethodValue(found, receiver)
    if kind is staticmethod:
        return m.lift(seen_of(m, found).child("staticmethod_func"))
    if kind is classmethod:
        return descriptors.bind_to_class(m, m.lift(seen_of(m, found).child("classmethod_func")), owner)
    if kind is types.ClassMethodDescriptorType:
        return MethodValue(found, owner)
    if kind is property:
        return found if receiver is None else m.call(m.lift(seen_of(m, found).child("property_get")), [receiver])
    if kind is types.MemberDescriptorType or kind is types.GetSetDescriptorType:
        return found if receiver is None else _stored(m, found, receiver, name or found.obj.__name__)
    return _bind_by_protocol(m, found, receiver, owner)


def _bind_by_protocol(m: Machine, found: Value, receiver: Value | None, owner: Value) -> Value:
    getter = class_attribute(m, found.cls, "__get__")
    if getter is None:
        return found
    return m.call(getter, [found, Known(None) if receiver is None else receiver, owner])


def seen_of(m: Machine, found: Known) -> Observed:
    """Where a pinned object is; one of an immutable type is a place of its own."""
    if found.seen is not None:
        return found.seen
    return Observed(m.ledger.paths.start("object", found.obj), found.obj, m.ledger)


def _stored(m: Machine, descriptor: Known, receiver: Value, name: str) -> Value:
    """An attribute kept by C code: `__slots__`, and what built-in types offer."""
    obj = descriptor.obj
    name = name or obj.__name__
    handler = registry.find(obj)
    if isinstance(handler, registry.Handler):
        found: Value = handler.function(m, receiver)
        return found
    if isinstance(receiver, InstanceValue) and name == "__dict__":
        return _own_dict(m, receiver)
    if isinstance(receiver, InstanceValue) and type(obj) is types.MemberDescriptorType:
        return _slot(m, receiver, obj, name)
    if isinstance(receiver, TensorValue):
        return _tensor_dict(m, receiver) if name == "__dict__" else m.tensor_attribute(receiver, name)
    if isinstance(receiver, TupleValue):
        part = torch_ops.field(m, receiver, name)
        if part is not None:
            return part
    if isinstance(receiver, Known):
        stable = receiver.literal or isinstance(receiver.obj, UNCHANGING) or name in STABLE_ATTRIBUTES
        if not stable and receiver.seen is not None:
            raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of {receiver.obj!r}")
        return _shared(m, obj.__get__(receiver.obj))
    raise Break(UNKNOWN_OPERATION, f"attribute {name!r} of a {receiver.cls.__name__}")


# Objects that never change after they were made.
UNCHANGING = (torch.finfo, torch.iinfo, *numpy_numbers.DTYPES)


def _shared(m: Machine, real: Any) -> Value:
    """The value of a constant that an object keeps: the same tuple whenever it is asked for."""
    if type(real) is not tuple:
        return m.constant(real)
    return m.kept.setdefault(id(real), (real, m.constant(real)))[1]


# Kept by built-in objects, and good for as long as the object is the same: assigning them is rare enough to be refused.
STABLE_ATTRIBUTES = frozenset({
        "__name__", "__qualname__", "__module__", "__objclass__", "__doc__", "name", "value", "_name_", "_value_",
        "pattern", "flags", "groups", "groupindex", "string", "re", "pos", "endpos", "lastindex", "lastgroup", "regs",
        "__args__", "__origin__", "__parameters__",
})  # fmt: skip


def _slot(m: Machine, receiver: InstanceValue, descriptor: Any, name: str) -> Value:
    if descriptor in receiver.slots:
        found = receiver.slots[descriptor]
        if found is None:
            m.throw(AttributeError, wording.unset_slot(receiver.cls, name))
        return found
    if receiver.seen is None:
        m.throw(AttributeError, wording.unset_slot(receiver.cls, name))
    try:
        found = m.lift(receiver.seen.child("slot", descriptor))
    except AttributeError as unset:
        raise Break(UNKNOWN_OPERATION, f"the unset slot {name!r}") from unset
    receiver.slots[descriptor] = found
    return found


def _own_dict(m: Machine, receiver: InstanceValue) -> Value:
    """`receiver.__dict__`, which may also have been reached as a dict of its own."""
    found = attribute_dict(receiver)
    if found.seen is not None:
        first, known = m.lifted.setdefault(found.seen.token(), (found.seen, found))
        if known is not found:
            raise Break(UNKNOWN_OPERATION, f"the __dict__ of an object that is also reached as {first.path.text()}")
    return found


def _tensor_dict(m: Machine, tensor: TensorValue) -> Value:
    """The same of a tensor."""
    if tensor.seen is None:
        if tensor.attributes.written:
            raise Break(UNKNOWN_OPERATION, "the __dict__ of a tensor made in the call")
        return m.tensor_attribute(tensor, "__dict__")
    seen = tensor.seen.child("dict")
    if seen.token() not in m.lifted:
        seen.learn(facts.type_of)
        m.lifted[seen.token()] = (seen, NamespaceDict(tensor.attributes, seen))
    found = m.lift(seen)
    if not isinstance(found, NamespaceDict):
        raise Break(UNKNOWN_OPERATION, "the __dict__ of a tensor that is also reached as a dict of its own")
    return found


def _module_attribute(m: Machine, module: Known, name: str) -> Value:
    found = lifting.module_namespace(m, module).get(m, name)
    if found is not None:
        return found
    if name == "__dict__":
        storage = lifting.module_namespace(m, module).storage
        assert storage is not None
        return m.lift(storage)
    if name == "__class__":
        return Known(module.cls)
    fallback = lifting.module_namespace(m, module).get(m, "__getattr__")
    if fallback is not None:
        return m.call(fallback, [Known(name)])
    m.throw(AttributeError, f"module {module.obj.__name__!r} has no attribute {name!r}")


def set_attribute(m: Machine, receiver: Value, name: str, value: Value) -> None:
    """`receiver.name = value`"""
    if type(receiver) is ProxyValue:
        receiver = weak_proxies.unwrapped(m, receiver)
    if isinstance(receiver, Known) and isinstance(receiver.obj, type):
        m.set_class_attribute(receiver, name, value)
        return
    if isinstance(receiver, Known) and isinstance(receiver.obj, types.ModuleType) and _is_plain(m, receiver, name):
        lifting.module_namespace(m, receiver).set(name, value)
        m.effects.add(setattr, receiver, Known(name), value)
        return
    setter = class_attribute(m, receiver.cls, "__setattr__")
    assert setter is not None
    if isinstance(setter, Known) and not is_in_python(setter.obj):
        generic_set(m, receiver, name, value)
        return
    m.call(setter, [receiver, Known(name), value])


def _is_plain(m: Machine, module: Known, name: str) -> bool:
    """Whether assigning to a module puts the value into its dictionary: its class may have other ideas."""
    if module.cls is types.ModuleType:
        return True
    setter, found = class_attribute(m, module.cls, "__setattr__"), class_attribute(m, module.cls, name)
    plain = isinstance(setter, Known) and not is_in_python(setter.obj)
    return plain and not (found is not None and is_data_descriptor(m, found))


def generic_set(m: Machine, receiver: Value, name: str, value: Value) -> None:
    """`object.__setattr__(receiver, name, value)`"""
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found):
        set_through(m, found, receiver, name, value)
        return
    attributes = own_namespace(m, receiver)
    if attributes is None:
        _no_place(m, receiver, found, name)
    attributes.set(name, value)
    if receiver.seen is not None or isinstance(receiver, TensorValue):
        m.effects.add(thread_locals.writer(receiver), receiver, Known(name), value)


def _no_place(m: Machine, receiver: Value, found: Value | None, name: str) -> NoReturn:
    """An object without a dictionary is given an attribute."""
    if _keeps_dict(receiver.cls):
        raise Break(EFFECT, f"attribute {name!r} of a {receiver.cls.__name__}")
    if found is not None:
        m.throw(AttributeError, f"{receiver.cls.__name__!r} object attribute {name!r} is read-only")
    m.throw(AttributeError, wording.no_place(receiver.cls, name))


def set_through(m: Machine, descriptor: Value, receiver: Value, name: str, value: Value) -> None:
    if isinstance(descriptor, Known):
        obj = descriptor.obj
        if type(obj) is property:
            if obj.fset is None:
                m.throw(AttributeError, f"property {name!r} of {receiver.cls.__qualname__!r} object has no setter")
            m.call(Known(obj.fset), [receiver, value])
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
    if type(receiver) is ProxyValue:
        receiver = weak_proxies.unwrapped(m, receiver)
    if isinstance(receiver, Known) and isinstance(receiver.obj, type):
        m.delete_class_attribute(receiver, name)
        return
    deleter = class_attribute(m, receiver.cls, "__delattr__")
    if isinstance(deleter, Known) and not is_in_python(deleter.obj):
        generic_delete(m, receiver, name)
        return
    assert deleter is not None
    m.call(deleter, [receiver, Known(name)])


def generic_delete(m: Machine, receiver: Value, name: str) -> None:
    """`object.__delattr__(receiver, name)`"""
    found = class_attribute(m, receiver.cls, name)
    if found is not None and is_data_descriptor(m, found):
        if isinstance(found, Known) and type(found.obj) is types.MemberDescriptorType:
            _delete_slot(m, receiver, found.obj, name)
            return
        m.call_method(found, "__delete__", [receiver])
        return
    attributes = own_namespace(m, receiver)
    if attributes is None:
        raise Break(EFFECT, f"deleting attribute {name!r} of a {receiver.cls.__name__}")
    if attributes.get(m, name) is None:
        m.throw(AttributeError, f"{receiver.cls.__name__!r} object has no attribute {name!r}")
    attributes.delete(name)
    if receiver.seen is not None or isinstance(receiver, TensorValue):
        m.effects.add(thread_locals.deleter(receiver), receiver, Known(name))


def _delete_slot(m: Machine, receiver: Value, descriptor: Any, name: str) -> None:
    if not isinstance(receiver, InstanceValue):
        raise Break(EFFECT, f"deleting the slot {name!r}")
    _slot(m, receiver, descriptor, name)
    receiver.slots[descriptor] = None
    if receiver.seen is not None:
        m.effects.add(object.__delattr__, receiver, Known(name))
