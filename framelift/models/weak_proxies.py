"""Models of weak proxies: whatever is done to one is done to the object that it leads to."""

from __future__ import annotations

import operator
import weakref
from typing import Any

from framelift.models import std_weakref
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue
from framelift.values.weak import PROXIES, ProxyValue, WeakrefValue

_FUNCTIONS: dict[str, Any] = {
    **{f"__{name}__": getattr(operator, name) for name in (
        "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "iadd", "isub", "imul",
        "imatmul", "itruediv", "ifloordiv", "imod", "ipow", "ilshift", "irshift", "iand", "ior", "ixor", "xor", "lt",
        "le", "gt", "ge", "eq", "ne", "neg", "pos", "invert", "index", "getitem", "setitem", "delitem", "contains",
    )},
    "__and__": operator.and_, "__or__": operator.or_, "__divmod__": divmod, "__abs__": abs, "__bool__": bool,
    "__float__": float, "__int__": int, "__len__": len, "__iter__": iter, "__next__": next, "__str__": str,
    "__bytes__": bytes, "__reversed__": reversed,
}  # fmt: skip


@model(weakref.proxy)
def make(m: Tracer, referent: Value, callback: Value | None = None, /) -> Value:
    if callback is not None and not (isinstance(callback, Known) and callback.obj is None):
        raise Break(UNKNOWN_OPERATION, "a weak proxy with a callback")
    if isinstance(referent, WeakrefValue | ProxyValue | TensorValue) or not referent.cls.__weakrefoffset__:
        raise Break(UNKNOWN_OPERATION, f"a weak proxy of a {referent.cls.__name__}")
    std_weakref.note_weakly_held(m, referent)
    callable_ = m.class_attribute(referent.cls, "__call__") is not None
    return ProxyValue(weakref.CallableProxyType if callable_ else weakref.ProxyType, referent)


def unwrapped(m: Tracer, value: Value) -> Value:
    """The object that a proxy leads to; anything else as it is."""
    return std_weakref.living(m, value.referent) if isinstance(value, ProxyValue) else value


def _operation(method: Any, function: Any, reflected: bool) -> None:
    @model(method)
    def apply(m: Tracer, self: Value, /, *args: Value) -> Value:
        operands = [unwrapped(m, value) for value in (self, *args)]
        return m.call(Known(function), operands[::-1] if reflected else operands)


for _kind in PROXIES:
    for _name, _method in vars(_kind).items():
        _plain = _name.replace("__r", "__", 1) if _name not in _FUNCTIONS else _name
        if _plain in _FUNCTIONS:
            _operation(_method, _FUNCTIONS[_plain], reflected=_plain is not _name)


@model(weakref.CallableProxyType.__call__)
def call_proxied(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    return m.call(unwrapped(m, self), list(args), kwargs)
