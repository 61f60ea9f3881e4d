"""Models of `types.MappingProxyType`, a read-only view of a mapping."""

from __future__ import annotations

import types
from typing import Any

from framelift.models.contents import content
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NOT_IMPLEMENTED, Known
from framelift.values.mapping import DictValue
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.signature import MappingProxyValue

_proxy: Any = types.MappingProxyType


@model(_proxy.__new__)
def make(m: Tracer, cls: Value, mapping: Value, /) -> Value:
    is_mapping = m.class_attribute(mapping.cls, "__getitem__") is not None
    if not is_mapping or isinstance(content(mapping), ListValue | TupleValue):
        m.throw(TypeError, f"mappingproxy() argument must be a mapping, not {mapping.cls.__name__}")
    return MappingProxyValue(mapping)


def _owner(value: Value) -> Value:
    return value.owner if isinstance(value, MappingProxyValue) else value


def _forwarded(name: str) -> None:
    @model(_proxy.__dict__[name])
    def apply(m: Tracer, self: Value, /, *args: Value) -> Value:
        return m.call(m.getattr(_owner(self), name), list(args))


for _name in ("__getitem__", "__contains__", "__iter__", "__len__", "get", "keys", "values", "items", "copy",
              "__reversed__"):  # fmt: skip
    _forwarded(_name)


def _compared(name: str, sign: str) -> None:
    @model(_proxy.__dict__[name])
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        return m.compare(sign, _owner(self), _owner(other))


for _name, _sign in (("__eq__", "=="), ("__ne__", "!=")):
    _compared(_name, _sign)


@model(_proxy.__or__, _proxy.__ror__)
def union(m: Tracer, self: Value, other: Value, /) -> Value:
    if not isinstance(content(_owner(self)), DictValue):
        return NOT_IMPLEMENTED
    return m.binary("|", _owner(self), _owner(other))


@model(_proxy.__repr__)
def shown(m: Tracer, self: Value, /) -> Value:
    inner = m.text(_owner(self), "repr")
    assert isinstance(inner, Known)
    return Known(f"mappingproxy({inner.obj})")


@model(*[method for method in (_proxy.__hash__,) if method is not None])  # which came with Python 3.12
def hashed(m: Tracer, self: Value, /) -> Value:
    return m.call(Known(hash), [_owner(self)])
