"""Models of `inspect.signature`.

A signature is put together from what is known of the function, which costs a fraction of running `inspect`.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from framelift.guards.observed import Observed
from framelift.models import class_facts
from framelift.models.registry import model, polyfill
from framelift.values.base import Raised, Tracer, Value
from framelift.values.descriptors import DescriptorValue
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.keys import key_of
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.signature import MappingProxyValue, SignatureValue

Kind = inspect._ParameterKind
VARARGS, VARKEYWORDS = 4, 8


PARAMETER_ANNOTATION = inspect.Parameter.__dict__["_annotation"]
RETURN_ANNOTATION = inspect.Signature.__dict__["_return_annotation"]


@model(inspect.signature)
def signature(m: Tracer, obj: Value, /, **options: Value) -> Value:
    if options:
        raise Break(UNKNOWN_OPERATION, "inspect.signature with options")
    bound = 0
    if isinstance(obj, Known) and isinstance(obj.obj, type):
        obj = _of_class(m, obj)
        bound = 1
    elif isinstance(obj, InstanceValue):
        found = m.class_attribute(obj.cls, "__call__")
        if found is None:
            raise Break(UNKNOWN_OPERATION, "the signature of what cannot be called")
        obj, bound = found, 1
    while isinstance(obj, MethodValue):
        obj = obj.function
        bound += 1
    function = _unwrapped(m, obj)
    return _signature(m, function, _parameters(m, function)[bound:])


@polyfill(inspect.unwrap)
def unwrap(func: Any, *, stop: Any = None) -> Any:
    seen = [func]
    while hasattr(func, "__wrapped__") and (stop is None or not stop(func)):
        func = func.__wrapped__
        if any(func is other for other in seen):
            raise ValueError(f"wrapper loop when unwrapping {seen[0]!r}")
        seen.append(func)
    return func


def _of_class(m: Tracer, cls: Known) -> Value:
    """What takes the arguments when a class is called."""
    caller = m.class_attribute(class_facts.metaclass(m, cls.obj), "__call__")
    if not isinstance(caller, Known) or isinstance(caller.obj, types.FunctionType):
        raise Break(UNKNOWN_OPERATION, "the signature of a class whose metaclass is called")
    for base in class_facts.order(m, cls.obj):
        own = class_facts.class_dict(m, Known(base)).namespace
        for name in ("__new__", "__init__"):
            found = own.get(m, name)
            if isinstance(found, DescriptorValue) or (isinstance(found, Known) and type(found.obj) is staticmethod):
                found = m.getattr(Known(base), name)
            if isinstance(found, FunctionValue) or (isinstance(found, Known) and type(found.obj) is types.FunctionType):
                return found
    raise Break(UNKNOWN_OPERATION, "the signature of a class without a constructor of its own")


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
    found = [
        _parameter(m, function, name, kind, given.get(name)) for name, kind in zip(names[:count], kinds, strict=True)
    ]
    rest = count + only
    if code.obj.co_flags & VARARGS:
        found.append(_parameter(m, function, names[rest], Kind.VAR_POSITIONAL, None))
        rest += 1
    found += [_parameter(m, function, name, Kind.KEYWORD_ONLY, given.get(name)) for name in names[count : count + only]]
    if code.obj.co_flags & VARKEYWORDS:
        found.append(_parameter(m, function, names[rest], Kind.VAR_KEYWORD, None))
    return found


def _parameter(m: Tracer, function: Value, name: str, kind: Any, default: Value | None) -> Value:
    made = SignatureValue(inspect.Parameter, lambda: _annotation(m, function, name))
    made.slots[inspect.Parameter.__dict__["_name"]] = Known(name)
    made.slots[inspect.Parameter.__dict__["_kind"]] = m.lift(
        Observed(m.ledger.paths.start("object", kind), kind, m.ledger)
    )
    made.slots[inspect.Parameter.__dict__["_default"]] = Known(inspect.Parameter.empty) if default is None else default
    return made


def _signature(m: Tracer, function: Value, parameters: list[Value]) -> Value:
    held = DictValue()
    for parameter in parameters:
        assert isinstance(parameter, SignatureValue)
        name = parameter.slots[inspect.Parameter.__dict__["_name"]]
        assert name is not None
        held.put(m, name, parameter)
    made = SignatureValue(inspect.Signature, lambda: _annotation(m, function, "return"))
    made.slots[inspect.Signature.__dict__["_parameters"]] = MappingProxyValue(held)
    return made


def _annotation(m: Tracer, function: Value, name: str) -> Value:
    annotations = m.getattr(function, "__annotations__")
    assert isinstance(annotations, DictValue)
    return annotations.get(m, key_of(m, Known(name))) or Known(inspect.Parameter.empty)


def _annotation_of(descriptor: Any) -> None:
    @model(descriptor)
    def get(m: Tracer, self: Value, /) -> Value:
        assert isinstance(self, InstanceValue)
        found = self.slots.get(descriptor)
        if found is None and isinstance(self, SignatureValue):
            found = self.slots[descriptor] = self.annotation()
        if found is None:
            if self.seen is None:
                raise Break(UNKNOWN_OPERATION, "an annotation that is not there yet")
            found = self.slots[descriptor] = m.lift(self.seen.child("slot", descriptor))
        return found


_annotation_of(PARAMETER_ANNOTATION)
_annotation_of(RETURN_ANNOTATION)
