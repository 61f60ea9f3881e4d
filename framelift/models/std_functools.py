"""Models of `functools`. What it has in Python is inlined as it is, except where it takes locks or keeps caches."""

from __future__ import annotations

import functools
import operator
from types import CodeType
from typing import Any

from framelift.models.registry import code_model, model, polyfill, setter
from framelift.values.base import Tracer, Value
from framelift.values.function import CellValue
from framelift.values.keywrapper import KeyWrapperValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.partial import PartialValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

_NOTHING = object()


@polyfill(functools.reduce)
def reduce(function: Any, iterable: Any, initial: Any = _NOTHING, /) -> Any:
    iterator = iter(iterable)
    if initial is _NOTHING:
        for first in iterator:
            total = first
            break
        else:
            raise TypeError("reduce() of empty iterable with no initial value")
    else:
        total = initial
    for item in iterator:
        total = function(total, item)
    return total


# ---- partial


@model(functools.partial)
def make_partial(m: Tracer, func: Value, /, *args: Value, **kwargs: Value) -> Value:
    keywords = DictValue()
    if issubclass(func.cls, functools.partial):
        # A partial of a partial is one partial, unless the inner one has attributes of its own.
        if not isinstance(func, PartialValue) or func.seen is not None or func.attributes.written:
            raise Break(UNKNOWN_OPERATION, "a partial of a partial that existed before")
        args = (*m.unpack(func.part(m, "args")), *args)
        inner = func.part(m, "keywords")
        assert isinstance(inner, DictValue)
        for name, value in inner.items(m):
            keywords.put(m, name, value)
        func = func.part(m, "func")
    for key, value in kwargs.items():
        keywords.put(m, Known(key), value)
    return PartialValue({"func": func, "args": TupleValue(list(args), tuple), "keywords": keywords})


def _part(name: str) -> None:
    @model(functools.partial.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        if not isinstance(self, PartialValue):
            raise Break(UNKNOWN_OPERATION, "a subclass of functools.partial")
        return self.part(m, name)

    @setter(functools.partial.__dict__[name])
    def set_(m: Tracer, self: Value, value: Value) -> None:
        m.throw(AttributeError, "readonly attribute")


for _name in ("func", "args", "keywords"):
    _part(_name)


@polyfill(functools.partial.__call__)
def call_partial(self: Any, /, *args: Any, **kwargs: Any) -> Any:
    return self.func(*self.args, *args, **{**self.keywords, **kwargs})


# ---- Caches


@polyfill(functools.cached_property.__get__)
def get_cached_property(self: Any, instance: Any, owner: Any = None) -> Any:
    if instance is None:
        return self
    if self.attrname is None:
        raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
    cache = instance.__dict__
    value = cache.get(self.attrname, _NOTHING)
    if value is _NOTHING:
        value = self.func(instance)
        cache[self.attrname] = value
    return value


# ---- Ordering


_KeyWrapper: Any = type(functools.cmp_to_key(lambda a, b: 0))


@model(functools.cmp_to_key)
def cmp_to_key(m: Tracer, mycmp: Value) -> Value:
    return KeyWrapperValue(_KeyWrapper, mycmp, None)


def _key(value: Value) -> KeyWrapperValue:
    if not isinstance(value, KeyWrapperValue):
        raise Break(UNKNOWN_OPERATION, "a key made by cmp_to_key before the call")
    return value


@model(_KeyWrapper.__call__)
def wrap_key(m: Tracer, self: Value, obj: Value) -> Value:
    return KeyWrapperValue(_KeyWrapper, _key(self).compare, obj)


@model(_KeyWrapper.obj)
def key_object(m: Tracer, self: Value, /) -> Value:
    found = _key(self).obj
    if found is None:
        m.throw(AttributeError, "object")
    return found


def _key_comparison(sign: str, name: str) -> None:
    @model(_KeyWrapper.__dict__[name])
    def compare(m: Tracer, self: Value, other: Value, /) -> Value:
        left, right = _key(self).obj, _key(other).obj
        if left is None or right is None:
            raise Break(UNKNOWN_OPERATION, "a comparison of what cmp_to_key gives")
        return m.compare(sign, m.call(_key(self).compare, [left, right]), Known(0))


for _sign, _name in {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__"}.items():
    _key_comparison(_sign, _name)


# ---- singledispatch


def _nested(code: CodeType, name: str) -> CodeType:
    return next(item for item in code.co_consts if isinstance(item, CodeType) and item.co_name == name)


@code_model(_nested(functools.singledispatch.__code__, "dispatch"))
def dispatch(
    m: Tracer, function: Value, closure: dict[str, CellValue], args: list[Value], kwargs: dict[str, Value]
) -> Value:
    """`generic.dispatch(cls)`. The cache it keeps is filled by calling it again afterwards."""
    implementations = closure["registry"].get(m)
    if len(args) != 1 or kwargs or not isinstance(args[0], Known) or not isinstance(implementations, DictValue):
        raise Break(UNKNOWN_OPERATION, "an unusual call of dispatch()")
    by_class = {name.obj: value for name, value in implementations.items(m) if isinstance(name, Known)}
    found = functools._find_impl(args[0].obj, by_class)  # type: ignore[attr-defined]
    if not isinstance(found, Value):
        raise Break(UNKNOWN_OPERATION, "a generic function without an implementation")
    m.effects.add(operator.call, function, args[0])
    return found
