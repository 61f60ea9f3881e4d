"""Models of `operator`: each function is the operator it is named after."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.getter import GetterValue
from framelift.values.known import LITERALS, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "@": "matmul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "<<": "lshift", ">>": "rshift", "&": "and_", "|": "or_", "^": "xor",
}  # fmt: skip
_COMPARE = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


def _binary(sign: str, name: str) -> None:
    @model(getattr(operator, name))
    def apply(m: Tracer, left: Value, right: Value, /) -> Value:
        return m.binary(sign, left, right)


def _compare(sign: str, name: str) -> None:
    @model(getattr(operator, name))
    def apply(m: Tracer, left: Value, right: Value, /) -> Value:
        return m.compare(sign, left, right)


for _sign, _name in _BINARY.items():
    _binary(_sign, _name)
    _binary(f"{_sign}=", "i" + _name.rstrip("_"))
for _sign, _name in _COMPARE.items():
    _compare(_sign, _name)


@polyfill(operator.neg)
def neg(a: Any, /) -> Any:
    return -a


@polyfill(operator.pos)
def pos(a: Any, /) -> Any:
    return +a


@polyfill(operator.invert)
def invert(a: Any, /) -> Any:
    return ~a


@polyfill(operator.abs)
def abs_(a: Any, /) -> Any:
    return abs(a)


@polyfill(operator.not_)
def not_(a: Any, /) -> bool:
    return not a


@model(operator.truth)
def truth(m: Tracer, obj: Value, /) -> Value:
    return boolean(m.truth(obj))


@model(operator.is_)
def is_(m: Tracer, left: Value, right: Value, /) -> Value:
    return boolean(m.same(left, right))


@model(operator.is_not)
def is_not(m: Tracer, left: Value, right: Value, /) -> Value:
    return boolean(not m.same(left, right))


@model(operator.index)
def index(m: Tracer, obj: Value, /) -> Value:
    if isinstance(obj, Known) and isinstance(obj.obj, int):
        return obj if type(obj.obj) is int else Known(operator.index(obj.obj))
    if m.class_attribute(obj.cls, "__index__") is None:
        m.throw(TypeError, f"{obj.cls.__name__!r} object cannot be interpreted as an integer")
    found = m.call_method(obj, "__index__", [])
    if found.cls is not int:
        m.throw(TypeError, f"__index__ returned non-int (type {found.cls.__name__})")
    return found


@polyfill(operator.getitem)
def getitem(a: Any, b: Any, /) -> Any:
    return a[b]


@polyfill(operator.setitem)
def setitem(a: Any, b: Any, c: Any, /) -> None:
    a[b] = c


@polyfill(operator.delitem)
def delitem(a: Any, b: Any, /) -> None:
    del a[b]


@polyfill(operator.contains)
def contains(a: Any, b: Any, /) -> bool:
    return b in a


@polyfill(operator.concat)
def concat(a: Any, b: Any, /) -> Any:
    if not hasattr(type(a), "__getitem__"):
        raise TypeError(f"{type(a).__name__!r} object can't be concatenated")
    return a + b


@polyfill(operator.iconcat)
def iconcat(a: Any, b: Any, /) -> Any:
    if not hasattr(type(a), "__getitem__"):
        raise TypeError(f"{type(a).__name__!r} object can't be concatenated")
    a += b
    return a


@polyfill(operator.countOf)
def count_of(a: Any, b: Any, /) -> int:
    total = 0
    for item in a:
        if item is b or item == b:
            total += 1
    return total


@polyfill(operator.indexOf)
def index_of(a: Any, b: Any, /) -> int:
    place = 0
    for item in a:
        if item is b or item == b:
            return place
        place += 1  # noqa: SIM113
    raise ValueError("sequence.index(x): x not in sequence")


@polyfill(operator.length_hint)
def length_hint(obj: Any, default: int = 0, /) -> int:
    if not isinstance(default, int):
        raise TypeError(f"'{type(default).__name__}' object cannot be interpreted as an integer")
    kind = type(obj)
    if hasattr(kind, "__len__"):
        try:
            return len(obj)
        except TypeError:
            pass
    if not hasattr(kind, "__length_hint__"):
        return default
    try:
        hint = kind.__length_hint__(obj)
    except TypeError:
        return default
    if hint is NotImplemented:
        return default
    if not isinstance(hint, int):
        raise TypeError(f"__length_hint__ must be an integer, not {type(hint).__name__}")
    if hint < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return hint


@polyfill(operator.call)
def call(obj: Any, /, *args: Any, **kwargs: Any) -> Any:
    return obj(*args, **kwargs)


# ---- Getters


def _getter(kind: type) -> None:
    @model(kind)
    def make(m: Tracer, first: Value, /, *args: Value, **kwargs: Value) -> Value:
        if kind is not operator.methodcaller and kwargs:
            raise Break(UNKNOWN_OPERATION, f"{kind.__name__} with keywords")
        names = [first] if kind is operator.methodcaller else [first, *args]
        if kind is not operator.itemgetter:
            _check_names(m, kind, names)
        return GetterValue(kind, [first, *args], kwargs)


def _check_names(m: Tracer, kind: type, names: list[Value]) -> None:
    if not all(isinstance(name, Known) and isinstance(name.obj, str) for name in names):
        shown = "method name" if kind is operator.methodcaller else "attribute name"
        m.throw(TypeError, f"{shown} must be a string")


for _kind in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
    _getter(_kind)


def _parts(m: Tracer, getter: Value) -> tuple[list[Value], dict[str, Value]]:
    """What a getter was made with."""
    if isinstance(getter, GetterValue):
        return getter.args, getter.kwargs
    if not isinstance(getter, Known):
        raise Break(UNKNOWN_OPERATION, f"a subclass of {getter.cls.__name__}")
    maker, args = getter.obj.__reduce__()
    keywords: dict[str, Any] = {}
    if isinstance(maker, partial):
        args, keywords = (*maker.args, *args), maker.keywords
    if not all(type(item) in LITERALS for item in (*args, *keywords.values())):
        raise Break(UNKNOWN_OPERATION, f"a {getter.cls.__name__} that holds other objects than literals")
    return [m.constant(item) for item in args], {name: m.constant(item) for name, item in keywords.items()}


@model(operator.itemgetter.__call__)
def get_items(m: Tracer, self: Value, obj: Value, /) -> Value:
    keys, _ = _parts(m, self)
    found = [m.call(Known(operator.getitem), [obj, key]) for key in keys]
    return found[0] if len(found) == 1 else TupleValue(found, tuple)


@model(operator.attrgetter.__call__)
def get_attributes(m: Tracer, self: Value, obj: Value, /) -> Value:
    names, _ = _parts(m, self)
    found = [_resolve(m, obj, name) for name in names]
    return found[0] if len(found) == 1 else TupleValue(found, tuple)


def _resolve(m: Tracer, obj: Value, name: Value) -> Value:
    assert isinstance(name, Known)
    for part in name.obj.split("."):
        obj = m.getattr(obj, part)
    return obj


@model(operator.methodcaller.__call__)
def call_named_method(m: Tracer, self: Value, obj: Value, /) -> Value:
    (name, *args), kwargs = _parts(m, self)
    assert isinstance(name, Known)
    return m.call(m.getattr(obj, name.obj), args, dict(kwargs))
