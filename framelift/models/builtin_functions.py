"""Models of the built-in functions. What Python can say is a polyfill."""

from __future__ import annotations

import types

import torch
from torch._subclasses.fake_tensor import FakeTensor

from framelift.models import class_facts
from framelift.models.contents import NOT_AN_INTEGER, as_index, said_by
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.identity_number import IdentityNumber
from framelift.values.known import NONE, Closure, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.sets import SetValue
from framelift.values.superclass import SuperValue
from framelift.values.symbol import SymbolValue, wrapped
from framelift.values.tensor import TensorValue
from framelift.values.weak import ProxyValue


@model(len)
def length(m: Tracer, obj: Value, /) -> Value:
    if isinstance(obj, Sequence):
        return Known(len(obj))
    if isinstance(obj, DictValue):
        return Known(obj.count(m))
    if isinstance(obj, SetValue):
        return Known(len(obj.keys(m)))
    if isinstance(obj, TensorValue):
        if obj.fake.dim() == 0:
            m.throw(TypeError, "len() of a 0-d tensor")
        return wrapped(obj.fake.shape[0])
    if isinstance(obj, Known) and obj.literal and hasattr(type(obj.obj), "__len__"):
        return Known(len(obj.obj))
    if m.class_attribute(obj.cls, "__len__") is None:
        m.throw(TypeError, f"object of type {obj.cls.__name__!r} has no len()")
    found = m.call_method(obj, "__len__", [])
    if not isinstance(found, SymbolValue):
        found = Known(as_index(m, found, NOT_AN_INTEGER))
    if m.truth(m.compare("<", found, Known(0))):
        m.throw(ValueError, "__len__() should return >= 0")
    return found


@model(isinstance)
def is_instance(m: Tracer, obj: Value, kinds: Value, /) -> Value:
    return boolean(_instance_check(m, obj, kinds))


def _instance_check(m: Tracer, obj: Value, kinds: Value) -> bool:
    if isinstance(kinds, TupleValue):
        return any(_instance_check(m, obj, kind) for kind in kinds.all(m))
    if isinstance(kinds, Known) and isinstance(kinds.obj, types.UnionType):
        return any(_instance_check(m, obj, Known(kind)) for kind in kinds.obj.__args__)
    if isinstance(kinds, Known) and obj.cls is kinds.obj:
        return True
    checker = m.class_attribute(kinds.cls, "__instancecheck__")
    if checker is None:
        m.throw(TypeError, "isinstance() arg 2 must be a type, a tuple of types, or a union")
    if isinstance(kinds, Known) and isinstance(kinds.obj, type):
        if isinstance(obj, TensorValue):
            if issubclass(obj.cls, kinds.obj):
                return True
            if kinds.obj is torch.nn.Buffer:
                return obj.attributes.get(m, "_is_buffer") is not None
            return kinds.obj not in FakeTensor.__mro__ and isinstance(obj.fake, kinds.obj)
        if isinstance(checker, Known) and checker.obj is type.__instancecheck__:
            return class_facts.derives(m, obj.cls, kinds.obj) or _claims(m, obj, kinds.obj)
    return m.truth(m.call_method(kinds, "__instancecheck__", [obj]))


def _claims(m: Tracer, obj: Value, kind: type) -> bool:
    """Whether an object passes for an instance by what its `__class__` says."""
    found, reader = m.class_attribute(obj.cls, "__class__"), m.class_attribute(obj.cls, "__getattribute__")
    plain = isinstance(reader, Known) and not isinstance(reader.obj, types.FunctionType)
    kept = isinstance(found, Known) and found.obj is object.__dict__["__class__"]
    if plain and kept and not isinstance(obj, ProxyValue):
        return False
    try:
        claimed = m.getattr(obj, "__class__")
    except Raised as raised:
        if issubclass(raised.value.cls, AttributeError):
            return False
        raise
    return isinstance(claimed, Known) and isinstance(claimed.obj, type) and class_facts.derives(m, claimed.obj, kind)


@model(issubclass)
def is_subclass(m: Tracer, cls: Value, kinds: Value, /) -> Value:
    if isinstance(kinds, TupleValue):
        return boolean(any(m.truth(is_subclass(m, cls, kind)) for kind in kinds.all(m)))
    if isinstance(kinds, Known) and isinstance(kinds.obj, types.UnionType):
        return boolean(any(m.truth(is_subclass(m, cls, Known(kind))) for kind in kinds.obj.__args__))
    checker = m.class_attribute(kinds.cls, "__subclasscheck__")
    if checker is not None:
        return boolean(m.truth(m.call_method(kinds, "__subclasscheck__", [cls])))
    if not isinstance(cls, Known) or not isinstance(cls.obj, type):
        m.throw(TypeError, "issubclass() arg 1 must be a class")
    m.throw(TypeError, "issubclass() arg 2 must be a class, a tuple of classes, or a union")


@model(getattr)
def get_attribute(m: Tracer, obj: Value, name: Value, default: Value | None = None, /) -> Value:
    if not isinstance(name, Known) or not isinstance(name.obj, str):
        m.throw(TypeError, f"attribute name must be string, not {name.cls.__name__!r}")
    try:
        return m.getattr(obj, name.obj)
    except Raised as raised:
        if default is None or not issubclass(raised.value.cls, AttributeError):
            raise
        return default


@model(hasattr)
def has_attribute(m: Tracer, obj: Value, name: Value, /) -> Value:
    try:
        get_attribute(m, obj, name)
    except Raised as raised:
        if not issubclass(raised.value.cls, AttributeError):
            raise
        return boolean(False)
    return boolean(True)


@model(setattr)
def set_attribute(m: Tracer, obj: Value, name: Value, value: Value, /) -> Value:
    if not isinstance(name, Known) or not isinstance(name.obj, str):
        m.throw(TypeError, f"attribute name must be string, not {name.cls.__name__!r}")
    m.setattr(obj, name.obj, value)
    return NONE


@model(delattr)
def delete_attribute(m: Tracer, obj: Value, name: Value, /) -> Value:
    assert isinstance(name, Known)
    m.delattr(obj, name.obj)
    return NONE


@model(callable)
def is_callable(m: Tracer, obj: Value, /) -> Value:
    if isinstance(obj, FunctionValue | MethodValue):
        return boolean(True)
    return boolean(m.class_attribute(obj.cls, "__call__") is not None)


@model(id)
def identity(m: Tracer, obj: Value, /) -> Value:
    """Numbers and texts may be other objects in the next call, and methods are made anew each time."""
    if isinstance(obj, Closure):
        obj.pin()
    if isinstance(obj, Known) and (not obj.literal or obj.cls in _SINGLETONS) and obj.obj not in m.made_classes:
        return Known(id(obj.obj))
    if isinstance(obj, Known | SymbolValue | MethodValue | IdentityNumber):
        raise Break(UNKNOWN_OPERATION, f"id() of a {obj.cls.__name__}")
    return IdentityNumber(obj)


_SINGLETONS = frozenset({type(None), bool, type(Ellipsis), type(NotImplemented)})


class _Given:
    pass


class _Other:
    pass


_NOT_AN_INSTANCE = said_by(lambda: super(_Given, _Other()))


@model(super)
def make_super(m: Tracer, after: Value | None = None, owner: Value | None = None, /) -> Value:
    if after is None:
        after, owner = m.super_arguments()
    if not isinstance(after, Known) or owner is None:
        raise Break(UNKNOWN_OPERATION, "super() of a class made during the call")
    if isinstance(owner, Known) and isinstance(owner.obj, type) and class_facts.derives(m, owner.obj, after.obj):
        return SuperValue(after.obj, owner, owner.obj, receiver_is_instance=False)
    if not class_facts.derives(m, owner.cls, after.obj):
        shown = _NOT_AN_INSTANCE.replace("_Other", owner.cls.__name__).replace("_Given", after.obj.__name__)
        m.throw(TypeError, shown)
    return SuperValue(after.obj, owner, owner.cls, receiver_is_instance=True)
