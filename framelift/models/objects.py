"""Models of `object` and `type`: making instances, and the generic attribute methods."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import torch

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break

HEAP_TYPE = 1 << 9


@model(type.__call__)
def call_type(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`cls(...)`: `__new__`, then `__init__` if that gave an instance."""
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if cls.obj is type and len(args) == 1:
        return Known(args[0].cls)
    maker = m.class_attribute(cls.obj, "__new__")
    assert maker is not None
    if isinstance(maker, Known) and isinstance(maker.obj, staticmethod):
        maker = m.getattr(cls, "__new__")
    made = m.call(maker, [cls, *args], kwargs)
    if issubclass(made.cls, cls.obj):
        starter = m.class_attribute(made.cls, "__init__")
        assert starter is not None
        result = m.call(starter, [made, *args], kwargs)
        if not (isinstance(result, Known) and result.obj is None):
            m.throw(TypeError, f"__init__() should return None, not {result.cls.__name__!r}")
    return made


@model(object.__new__)
def new_object(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known) or not isinstance(cls.obj, type):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if cls.obj is object:
        return InstanceValue(object)
    if not cls.obj.__flags__ & HEAP_TYPE or issubclass(cls.obj, torch.Tensor):
        raise Break(UNKNOWN_OPERATION, f"an instance of {cls.obj.__name__}")
    abstract = getattr(cls.obj, "__abstractmethods__", None)
    if abstract:
        raise Break(UNKNOWN_OPERATION, f"an instance of the abstract class {cls.obj.__name__}")
    if (args or kwargs) and cls.obj.__init__ is object.__init__:
        m.throw(TypeError, f"{cls.obj.__name__}() takes no arguments")
    return InstanceValue(cls.obj)


@model(object.__init__)
def init_object(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    return NONE


@model(object.__init_subclass__)
def init_subclass(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    return NONE


@model(object.__getattribute__)
def get(m: Tracer, self: Value, name: Value, /) -> Value:
    assert isinstance(name, Known)
    return m.generic_attribute(self, name.obj)


@model(object.__setattr__)
def set_(m: Tracer, self: Value, name: Value, value: Value, /) -> Value:
    assert isinstance(name, Known)
    m.generic_set(self, name.obj, value)
    return NONE


@model(object.__delattr__)
def delete(m: Tracer, self: Value, name: Value, /) -> Value:
    assert isinstance(name, Known)
    m.generic_delete(self, name.obj)
    return NONE


@model(object.__eq__)
def equal(m: Tracer, self: Value, other: Value, /) -> Value:
    return boolean(True) if m.same(self, other) else NOT_IMPLEMENTED


@model(object.__ne__)
def not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = m.call_method(self, "__eq__", [other])
    if isinstance(result, Known) and result.obj is NotImplemented:
        return result
    return boolean(not m.truth(result))


@model(*(object.__dict__[name] for name in ("__lt__", "__le__", "__gt__", "__ge__")))
def not_ordered(m: Tracer, self: Value, other: Value, /) -> Value:
    return NOT_IMPLEMENTED


@model(object.__dict__["__class__"])
def class_of(m: Tracer, self: Value, /) -> Value:
    return Known(self.cls)


@model(object.__str__)
def text(m: Tracer, self: Value, /) -> Value:
    return m.call_method(self, "__repr__", [])


@model(FunctionType.__dict__["__get__"])
def bind_function(m: Tracer, function: Value, instance: Value, owner: Value | None = None, /) -> Value:
    if isinstance(instance, Known) and instance.obj is None:
        return function
    return m.bind_attribute(function, instance)


@model(type.__instancecheck__)
def instance_check(m: Tracer, cls: Value, obj: Value, /) -> Value:
    assert isinstance(cls, Known)
    return boolean(issubclass(obj.cls, cls.obj))


@model(type.__subclasscheck__)
def subclass_check(m: Tracer, cls: Value, other: Value, /) -> Value:
    if not isinstance(cls, Known) or not isinstance(other, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    return boolean(type.__subclasscheck__(cls.obj, other.obj))
