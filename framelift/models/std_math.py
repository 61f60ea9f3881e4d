"""Models of `math` for what is not a literal: objects with `__float__`, `__index__` and the like."""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any

from framelift.models.contents import content
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_CALL, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.tensor import TensorValue

_INTEGERS = ("factorial", "isqrt", "gcd", "lcm", "comb", "perm")
_PROTOCOLS = {"floor": "__floor__", "ceil": "__ceil__", "trunc": "__trunc__"}
_OF_ITERABLES = ("fsum", "sumprod", "dist")
_OTHERS = ("prod", "ldexp", "isclose")


def _function(function: Any, converter: Any) -> None:
    @model(function)
    def apply(m: Tracer, *args: Value, **kwargs: Value) -> Value:
        values = list(args)
        for index, arg in enumerate(values):
            if isinstance(arg, TensorValue):
                raise Break(DATA_DEPENDENT, f"{function.__name__}() of a tensor")
            if isinstance(arg, InstanceValue) and converter is not None:
                plain = converter is float and issubclass(arg.cls, float)  # which is asked for nothing
                values[index] = content(arg) if plain else m.call(Known(converter), [arg])
            elif function.__name__ in _OF_ITERABLES and not isinstance(arg, Known | Sequence):
                values[index] = TupleValue(m.unpack(arg), tuple)
        folded = None if kwargs else m.fold(function, values)
        if folded is None:
            raise Break(UNKNOWN_CALL, function)
        result: Value = folded
        return result


def _protocol(function: Any, name: str) -> None:
    @model(function)
    def apply(m: Tracer, arg: Value, /) -> Value:
        if isinstance(arg, TensorValue):
            raise Break(DATA_DEPENDENT, f"{function.__name__}() of a tensor")
        folded = m.fold(function, [arg])
        if folded is not None:
            result: Value = folded
            return result
        if m.class_attribute(arg.cls, name) is not None:
            return m.call_method(arg, name, [])
        if function is math.trunc:
            m.throw(TypeError, f"type {arg.cls.__name__} doesn't define __trunc__ method")
        return apply(m, m.call(Known(float), [arg]))


for _name, _value in vars(math).items():
    if not callable(_value) or _name.startswith("_") or _name in _OTHERS:
        continue
    if _name in _PROTOCOLS:
        _protocol(_value, _PROTOCOLS[_name])
    else:
        _function(_value, None if _name in _OF_ITERABLES else operator.index if _name in _INTEGERS else float)
for _name, _value in vars(cmath).items():
    if callable(_value) and not _name.startswith("_") and _name != "isclose":
        _function(_value, complex)


@polyfill(math.prod)
def prod(iterable: Any, /, *, start: Any = 1) -> Any:
    total = start
    for item in iterable:
        total = total * item
    return total
