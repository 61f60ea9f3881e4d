"""Models of `inspect.signature` and of the read-only mapping its result holds.

A signature is put together from what is known of the function, which costs a fraction of running `inspect`. Annotations
are left out: asking for one is a break.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.signature import MappingProxyValue, SignatureValue

Kind = inspect._ParameterKind
VARARGS, VARKEYWORDS = 4, 8


@model(inspect.signature)
def signature(m: Tracer, obj: Value, /, **options: Value) -> Value:
    if options:
        raise Break(UNKNOWN_OPERATION, "inspect.signature with options")
    bound = 0
    while isinstance(obj, MethodValue):
        obj = obj.function
        bound += 1
    return _signature(m, _parameters(m, _unwrapped(m, obj))[bound:])


def _unwrapped(m: Tracer, function: Value) -> Value:
    """The function that `functools.wraps` says is meant."""
    while True:
        if not isinstance(function, FunctionValue) and not (
            isinstance(function, Known) and type(function.obj) is types.FunctionType
        ):
            raise Break(UNKNOWN_OPERATION, f"the signature of a {function.cls.__name__}")
        if _attribute(m, function, "__signature__") is not None:
            raise Break(UNKNOWN_OPERATION, "a __signature__ of its own")
        wrapped = _attribute(m, function, "__wrapped__")
        if wrapped is None:
            return function
        function = wrapped


def _attribute(m: Tracer, function: Value, name: str) -> Value | None:
    try:
        return m.getattr(function, name)
    except Raised:
        return None


def _parameters(m: Tracer, function: Value) -> list[Value]:
    code = m.getattr(function, "__code__")
    assert isinstance(code, Known)
    names, count, only = code.obj.co_varnames, code.obj.co_argcount, code.obj.co_kwonlyargcount
    defaults = m.getattr(function, "__defaults__")
    values = defaults.all(m) if isinstance(defaults, TupleValue) else []
    given: dict[str, Value] = dict(zip(names[count - len(values) : count], values, strict=True))
    keywords = m.getattr(function, "__kwdefaults__")
    if isinstance(keywords, DictValue):
        given |= {name.obj: value for name, value in keywords.items(m) if isinstance(name, Known)}
    kinds = [Kind.POSITIONAL_ONLY] * code.obj.co_posonlyargcount
    kinds += [Kind.POSITIONAL_OR_KEYWORD] * (count - len(kinds))
    found = [_parameter(m, name, kind, given.get(name)) for name, kind in zip(names[:count], kinds, strict=True)]
    rest = count + only
    if code.obj.co_flags & VARARGS:
        found.append(_parameter(m, names[rest], Kind.VAR_POSITIONAL, None))
        rest += 1
    found += [_parameter(m, name, Kind.KEYWORD_ONLY, given.get(name)) for name in names[count : count + only]]
    if code.obj.co_flags & VARKEYWORDS:
        found.append(_parameter(m, names[rest], Kind.VAR_KEYWORD, None))
    return found


def _parameter(m: Tracer, name: str, kind: Any, default: Value | None) -> Value:
    made = SignatureValue(inspect.Parameter)
    made.slots[inspect.Parameter.__dict__["_name"]] = Known(name)
    made.slots[inspect.Parameter.__dict__["_kind"]] = m.lift(
        Observed(m.ledger.paths.start("object", kind), kind, m.ledger)
    )
    made.slots[inspect.Parameter.__dict__["_default"]] = Known(inspect.Parameter.empty) if default is None else default
    return made


def _signature(m: Tracer, parameters: list[Value]) -> Value:
    held = DictValue()
    for parameter in parameters:
        assert isinstance(parameter, SignatureValue)
        name = parameter.slots[inspect.Parameter.__dict__["_name"]]
        assert name is not None
        held.put(m, name, parameter)
    made = SignatureValue(inspect.Signature)
    made.slots[inspect.Signature.__dict__["_parameters"]] = MappingProxyValue(held)
    return made


@model(inspect.Parameter.__dict__["_annotation"], inspect.Signature.__dict__["_return_annotation"])
def annotation(m: Tracer, self: Value, /) -> Value:
    raise Break(UNKNOWN_OPERATION, "an annotation in a signature")


# ---- mappingproxy


def _forwarded(name: str) -> None:
    @model(types.MappingProxyType.__dict__[name])
    def apply(m: Tracer, self: Value, /, *args: Value) -> Value:
        if not isinstance(self, MappingProxyValue):
            raise Break(UNKNOWN_OPERATION, "a mappingproxy that existed before")
        return m.call(m.getattr(self.owner, name), list(args))


for _name in ("__getitem__", "__contains__", "__iter__", "__len__", "get", "keys", "values", "items", "__reversed__"):
    _forwarded(_name)
