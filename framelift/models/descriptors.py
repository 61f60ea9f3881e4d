"""Models of `staticmethod`, `classmethod` and `property`, of those made in the call and those that existed."""

from __future__ import annotations

import sys
import types
from typing import Any

from framelift.models import class_facts
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.descriptors import DescriptorValue
from framelift.values.function import MethodValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break

READ, WRITE, DELETE, DOCUMENT = range(4)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def _maker(kind: Any, parts: int) -> None:
    @model(kind.__new__)
    def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
        if not isinstance(cls, Known):
            raise Break(UNKNOWN_OPERATION, f"a subclass of {kind.__name__} made during the call")
        return DescriptorValue(cls.obj, [NONE] * parts)


_maker(staticmethod, 1)
_maker(classmethod, 1)
_maker(property, 4)


@model(staticmethod.__init__, classmethod.__init__)
def init_method(m: Tracer, self: Value, function: Value, /) -> Value:
    assert isinstance(self, DescriptorValue)
    self.parts[0] = function
    return NONE


@model(property.__init__)
def init_property(
    m: Tracer, self: Value, fget: Value = NONE, fset: Value = NONE, fdel: Value = NONE, doc: Value = NONE
) -> Value:
    assert isinstance(self, DescriptorValue)
    self.parts = [fget, fset, fdel, doc]
    return NONE


def parts_of(descriptor: Value) -> list[Value]:
    """What a property, static method or class method is made of."""
    if isinstance(descriptor, DescriptorValue):
        return descriptor.parts
    assert isinstance(descriptor, Known)
    obj = descriptor.obj
    if isinstance(obj, property):
        return [Known(obj.fget), Known(obj.fset), Known(obj.fdel), Known(obj.__doc__)]
    return [Known(obj.__func__)]


def _changer(name: str, part: int) -> None:
    @model(getattr(property, name))
    def change(m: Tracer, self: Value, function: Value, /) -> Value:
        parts = list(parts_of(self))
        parts[part] = function
        return DescriptorValue(property, parts)


for _name, _part in (("getter", READ), ("setter", WRITE), ("deleter", DELETE)):
    _changer(_name, _part)


def _reader(descriptor: Any, part: int) -> None:
    @model(descriptor)
    def read(m: Tracer, self: Value, /) -> Value:
        return parts_of(self)[part]


for _name, _part in (("fget", READ), ("fset", WRITE), ("fdel", DELETE)):
    _reader(property.__dict__[_name], _part)
for _kind in (staticmethod, classmethod):
    for _name in ("__func__", "__wrapped__"):
        _reader(_kind.__dict__[_name], 0)


@model(*(kind.__dict__["__isabstractmethod__"] for kind in (staticmethod, classmethod, property)))
def is_abstract(m: Tracer, self: Value, /) -> Value:
    for part in parts_of(self)[:3]:
        if not _is_none(part):
            answer = m.call(Known(getattr), [part, Known("__isabstractmethod__"), Known(False)])
            if m.truth(answer):
                return Known(True)
    return Known(False)


@model(property.__dict__["__doc__"])
def document(m: Tracer, self: Value, /) -> Value:
    """What was given, or else that of the function that reads."""
    parts = parts_of(self)
    if not _is_none(parts[DOCUMENT]) or _is_none(parts[READ]):
        return parts[DOCUMENT]
    return m.call(Known(getattr), [parts[READ], Known("__doc__"), NONE])


@model(staticmethod.__get__)
def get_static(m: Tracer, self: Value, instance: Value, owner: Value = NONE, /) -> Value:
    return parts_of(self)[0]


@model(staticmethod.__call__)
def call_static(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    return m.call(parts_of(self)[0], list(args), kwargs)


@model(classmethod.__get__)
def get_class_method(m: Tracer, self: Value, instance: Value, owner: Value = NONE, /) -> Value:
    return bind_to_class(m, parts_of(self)[0], Known(instance.cls) if _is_none(owner) else owner)


def bind_to_class(m: Tracer, function: Value, cls: Value) -> Value:
    """What a class method gives. Until 3.12 it may be one of another descriptor than a function."""
    if sys.version_info < (3, 13) and not issubclass(function.cls, types.FunctionType):
        getter = m.class_attribute(function.cls, "__get__")
        if getter is not None:
            return m.call(getter, [function, cls, cls])
    return MethodValue(function, cls)


@model(property.__get__)
def get_property(m: Tracer, self: Value, instance: Value, owner: Value = NONE, /) -> Value:
    if _is_none(instance):
        return self
    getter = parts_of(self)[READ]
    if _is_none(getter):
        raise Break(UNKNOWN_OPERATION, "a property that cannot be read")
    return m.call(getter, [instance])


@model(property.__set__)
def set_property(m: Tracer, self: Value, instance: Value, value: Value, /) -> Value:
    setter = parts_of(self)[WRITE]
    if _is_none(setter):
        _refuse(m, self, instance, "setter")
    m.call(setter, [instance, value])
    return NONE


@model(property.__delete__)
def delete_property(m: Tracer, self: Value, instance: Value, /) -> Value:
    deleter = parts_of(self)[DELETE]
    if _is_none(deleter):
        _refuse(m, self, instance, "deleter")
    m.call(deleter, [instance])
    return NONE


def _refuse(m: Tracer, descriptor: Value, instance: Value, noun: str) -> None:
    name = _name_in(m, descriptor, instance.cls)
    shown = f"property {name!r}" if name is not None else "property"
    m.throw(AttributeError, f"{shown} of {instance.cls.__qualname__!r} object has no {noun}")


def _name_in(m: Tracer, descriptor: Value, cls: type) -> str | None:
    """The name a property was given when its class was made."""
    for base in cls.__mro__:
        for name, member in vars(base).items():
            if isinstance(descriptor, Known) and member is descriptor.obj:
                return str(name)
        for name, value in m.class_writes.get(base, {}).items():
            if value is descriptor:
                return name
    return None


if hasattr(property, "__set_name__"):

    @model(property.__set_name__)
    def set_name(m: Tracer, self: Value, owner: Value, name: Value, /) -> Value:
        return NONE


@model(types.GetSetDescriptorType.__get__, types.MemberDescriptorType.__get__)
def get_stored(m: Tracer, self: Value, instance: Value, owner: Value = NONE, /) -> Value:
    """An attribute that C code keeps, asked for through its descriptor."""
    assert isinstance(self, Known)
    if _is_none(instance) and not _is_none(owner):
        return self
    if isinstance(instance, Known) and isinstance(instance.obj, type) and self.obj.__objclass__ is type:
        return class_facts.fact(m, instance, self.obj, self.obj.__name__)
    return m.bind_attribute(self, instance)
