"""Models of `object` and `type`: making instances, and the generic attribute methods."""

from __future__ import annotations

from types import FunctionType, GenericAlias
from typing import Any

import torch

from framelift.models import class_facts, protocols
from framelift.models.registry import model, setter
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.reasons import FINALIZER, UNKNOWN_OPERATION, Break

HEAP_TYPE = 1 << 9
IS_ABSTRACT = 1 << 20


@model(type.__call__)
def call_type(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`cls(...)`: `__new__`, then `__init__` if that gave an instance."""
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if cls.obj is type and len(args) == 1:
        return class_of(m, args[0])
    if cls.obj is type and len(args) != 3:
        m.throw(TypeError, "type() takes 1 or 3 arguments")
    if m.class_attribute(cls.obj, "__del__") is not None:
        raise Break(FINALIZER, cls.obj)
    maker = m.class_attribute(cls.obj, "__new__")
    assert maker is not None
    if isinstance(maker, Known) and isinstance(maker.obj, staticmethod):
        maker = m.getattr(cls, "__new__")
    made = m.call(maker, [cls, *args], kwargs)
    if class_facts.derives(m, made.cls, cls.obj):
        starter = m.class_attribute(made.cls, "__init__")
        assert starter is not None
        if m.flat and m.nesting == 1 and isinstance(made, InstanceValue):
            entered: Value = m.entered(Known(protocols.initialized), [starter, made, *args], kwargs)
            return entered
        result = m.call(starter, [made, *args], kwargs)
        if not (isinstance(result, Known) and result.obj is None):
            m.throw(TypeError, f"__init__() should return None, not {result.cls.__name__!r}")
    return made


@model(object.__new__)
def new_object(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known) or not isinstance(cls.obj, type):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if cls.obj is object:
        if args or kwargs:
            m.throw(TypeError, "object() takes no arguments")
        return InstanceValue(object)
    if not cls.obj.__flags__ & HEAP_TYPE or issubclass(cls.obj, torch.Tensor):
        raise Break(UNKNOWN_OPERATION, f"an instance of {cls.obj.__name__}")
    if args or kwargs:
        _check_no_arguments(m, cls.obj)
    if cls.obj.__flags__ & IS_ABSTRACT:
        try:
            object.__new__(cls.obj)  # refuses; the message differs between Pythons
        except TypeError as error:
            m.throw(TypeError, *error.args)
    return InstanceValue(cls.obj)


def _check_no_arguments(m: Tracer, cls: type) -> None:
    """Arguments are for `__init__`, unless nobody takes any."""
    starter = m.class_attribute(cls, "__init__")
    maker = m.class_attribute(cls, "__new__")
    if isinstance(maker, Known) and maker.obj is not object.__new__:
        m.throw(TypeError, "object.__new__() takes exactly one argument (the type to instantiate)")
    if isinstance(starter, Known) and starter.obj is object.__init__:
        m.throw(TypeError, f"{cls.__name__}() takes no arguments")


@model(object.__init__)
def init_object(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    if args or kwargs:
        starter = m.class_attribute(self.cls, "__init__")
        maker = m.class_attribute(self.cls, "__new__")
        if isinstance(starter, Known) and starter.obj is not object.__init__:
            m.throw(TypeError, "object.__init__() takes exactly one argument (the instance to initialize)")
        if isinstance(maker, Known) and maker.obj is object.__new__:
            m.throw(TypeError, f"{self.cls.__name__}() takes no arguments")
    return NONE


@model(object.__dict__["__init_subclass__"])
def init_subclass(m: Tracer, cls: Value, /, **kwargs: Value) -> Value:
    if kwargs:
        assert isinstance(cls, Known)
        m.throw(TypeError, f"{cls.obj.__qualname__}.__init_subclass__() takes no keyword arguments")
    return NONE


@model(object.__dict__["__subclasshook__"])
def no_hook(m: Tracer, cls: Value, other: Value, /) -> Value:
    return NOT_IMPLEMENTED


@model(object.__getattribute__)
def get(m: Tracer, self: Value, name: Value, /) -> Value:
    assert isinstance(name, Known)
    return m.generic_attribute(self, name.obj)


@model(type.__getattribute__)
def get_of_class(m: Tracer, cls: Value, name: Value, /) -> Value:
    if not isinstance(cls, Known) or not isinstance(name, Known):
        raise Break(UNKNOWN_OPERATION, "an attribute of a class that is not known")
    return m.type_attribute(cls, name.obj)


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


def _also_of_none(name: str) -> frozenset[Any]:
    """The method of `object`, and that of None where it has its own, which does the same."""
    return frozenset({getattr(object, name), getattr(type(None), name)})


@model(*_also_of_none("__eq__"))
def equal(m: Tracer, self: Value, other: Value, /) -> Value:
    return boolean(True) if m.same(self, other) else NOT_IMPLEMENTED


@model(*_also_of_none("__ne__"))
def not_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    result = m.call_method(self, "__eq__", [other])
    if isinstance(result, Known) and result.obj is NotImplemented:
        return result
    return boolean(not m.truth(result))


@model(*(method for name in ("__lt__", "__le__", "__gt__", "__ge__") for method in _also_of_none(name)))
def not_ordered(m: Tracer, self: Value, other: Value, /) -> Value:
    return NOT_IMPLEMENTED


@setter(object.__dict__["__class__"])
def become(m: Tracer, self: Value, cls: Value) -> None:
    """`obj.__class__ = cls`"""
    if not isinstance(self, InstanceValue) or not isinstance(cls, Known) or not isinstance(cls.obj, type):
        raise Break(UNKNOWN_OPERATION, f"another class for a {self.cls.__name__}")
    if _layout(self.cls) != _layout(cls.obj):
        raise Break(UNKNOWN_OPERATION, "another class with another layout")
    self.become(cls.obj)
    if self.seen is not None:
        m.effects.add(object.__setattr__, self, Known("__class__"), cls)


def _layout(cls: type) -> Any:
    solid = [base for base in cls.__mro__ if not base.__flags__ & HEAP_TYPE or "__slots__" in vars(base)]
    return cls.__flags__ & HEAP_TYPE, cls.__basicsize__, cls.__dictoffset__, cls.__weakrefoffset__, solid


@model(object.__dict__["__class__"])
def class_of(m: Tracer, self: Value, /) -> Value:
    class_facts.metaclass(m, self.cls)
    return Known(self.cls)


@model(object.__str__)
def text(m: Tracer, self: Value, /) -> Value:
    return m.call_method(self, "__repr__", [])


@model(FunctionType.__dict__["__get__"])
def bind_function(m: Tracer, function: Value, instance: Value, owner: Value | None = None, /) -> Value:
    if isinstance(instance, Known) and instance.obj is None:
        return function
    return m.bind_attribute(function, instance)


@model(GenericAlias.__instancecheck__, GenericAlias.__subclasscheck__)
def refuse_generic(m: Tracer, alias: Value, other: Value, /) -> Value:
    m.throw(TypeError, "isinstance() argument 2 cannot be a parameterized generic")


@model(type.__instancecheck__)
def instance_check(m: Tracer, cls: Value, obj: Value, /) -> Value:
    assert isinstance(cls, Known)
    return boolean(class_facts.derives(m, obj.cls, cls.obj))


@model(type.__subclasscheck__)
def subclass_check(m: Tracer, cls: Value, other: Value, /) -> Value:
    if not isinstance(other, Known) or not isinstance(other.obj, type):
        m.throw(TypeError, "issubclass() arg 1 must be a class")
    assert isinstance(cls, Known)
    return boolean(class_facts.derives(m, other.obj, cls.obj))
