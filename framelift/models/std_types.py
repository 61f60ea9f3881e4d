"""Models of `types` and of other small things that standard library code needs."""

from __future__ import annotations

import importlib
import os
import types
from typing import Any

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.function import MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.known import NOT_IMPLEMENTED, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


@model(types.MethodType)
def make_method(m: Tracer, function: Value, receiver: Value, /) -> Value:
    if isinstance(receiver, Known) and receiver.obj is None:
        m.throw(TypeError, "instance must not be None")
    if not m.truth(m.call(Known(callable), [function])):
        m.throw(TypeError, "first argument must be callable")
    return MethodValue(function, receiver)


@model(types.SimpleNamespace)
def make_namespace(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    if args:
        raise Break(UNKNOWN_OPERATION, "SimpleNamespace of a mapping")
    made = InstanceValue(types.SimpleNamespace)
    for name, value in kwargs.items():
        made.attributes.set(name, value)
    return made


@polyfill(types.SimpleNamespace.__eq__)
def namespaces_equal(self: Any, other: Any, /) -> Any:
    if not isinstance(self, types.SimpleNamespace) or not isinstance(other, types.SimpleNamespace):
        return NotImplemented
    return self.__dict__ == other.__dict__


@polyfill(types.SimpleNamespace.__repr__)
def namespace_shown(self: Any, /) -> str:
    kind = type(self)
    name = "namespace" if kind is types.SimpleNamespace else kind.__name__
    shown = []
    for key, value in self.__dict__.items():
        if isinstance(key, str) and key:
            shown.append(f"{key}={name}(...)" if value is self else f"{key}={value!r}")
    return f"{name}({', '.join(shown)})"


@polyfill(os.fspath)
def fspath(path: Any) -> Any:
    if isinstance(path, (str, bytes)):
        return path
    kind = type(path)
    if not hasattr(kind, "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind.__name__}")
    return kind.__fspath__(path)


@polyfill(importlib.import_module("_typing")._idfunc)
def same_object(obj: Any, /) -> Any:
    return obj


def _builtins_compared(name: str) -> None:
    compare = getattr(types.BuiltinFunctionType, name)

    @model(compare)
    def apply(m: Tracer, self: Value, other: Value, /) -> Value:
        """Functions written in C are equal if they are the same one of the same object."""
        if isinstance(self, Known) and isinstance(other, Known):
            return Known(compare(self.obj, other.obj))
        return NOT_IMPLEMENTED


for _name in ("__eq__", "__ne__"):
    _builtins_compared(_name)


@model(types.BuiltinFunctionType.__hash__)
def builtin_hash(m: Tracer, self: Value, /) -> Value:
    raise Break(UNKNOWN_OPERATION, "the hash of a function, which is made of its address")
