"""Types with parameters at run time: `list[int]`, `Optional[int]`, read-only views, what dataclasses need of them."""

from __future__ import annotations

import dataclasses
import reprlib
import types
import typing
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.contents import content, known_class
from framelift.models.registry import code_model, model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.signature import MappingProxyValue


def _parameters(m: Tracer, value: Value) -> Any:
    """What stands between the brackets, if it is all known for good."""
    if isinstance(value, Known):
        return value.obj
    if isinstance(value, TupleValue) and value.cls is tuple:
        return tuple(_parameters(m, item) for item in value.all(m))
    raise Break(UNKNOWN_OPERATION, "a type with parameters that are not known for good")


def _parametrized(cls: Any) -> None:
    @model(cls.__dict__["__class_getitem__"])
    def get(m: Tracer, owner: Value, item: Value, /) -> Value:
        return Known(known_class(owner)[_parameters(m, item)])


for _cls in (list, tuple, dict, set, frozenset, type):
    if "__class_getitem__" in vars(_cls):
        _parametrized(_cls)


_form: Any = typing._SpecialForm


@model(_form.__getitem__)
def special(m: Tracer, self: Value, item: Value, /) -> Value:
    """`Optional[int]`: typing keeps and gives back the same object for the same parameters."""
    parameters = _parameters(m, item)
    if not isinstance(self, Known):
        name = m.getattr(self, "_name")
        if not isinstance(name, Known) or not isinstance(getattr(typing, str(name.obj), None), _form):
            raise Break(UNKNOWN_OPERATION, "a special form of typing")
        return _lasting(m, getattr(typing, str(name.obj))[parameters])
    return _lasting(m, self.obj[parameters])


def _lasting(m: Tracer, obj: Any) -> Value:
    return m.lift(Observed(m.ledger.paths.start("object", obj), obj, m.ledger))


@model(types.MappingProxyType.__new__)
def new_proxy(m: Tracer, cls: Value, mapping: Value, /) -> Value:
    if not isinstance(content(mapping), DictValue):
        raise Break(UNKNOWN_OPERATION, f"a mappingproxy of a {mapping.cls.__name__}")
    return MappingProxyValue(mapping)  # type: ignore[arg-type]


def _wrappers(code: types.CodeType) -> list[types.CodeType]:
    """The functions called `wrapper` in a function."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [const for const in inner if const.co_name == "wrapper"] + [c for const in inner for c in _wrappers(const)]


_active: list[Value] = []


def recursive_repr(
    m: Tracer, function: Value, closure: dict[str, Any], args: list[Value], kwargs: dict[str, Value]
) -> Value:
    """What keeps the text of an object from containing itself, by the addresses of the objects under way."""
    inner = closure["user_function"].get(m)
    assert inner is not None
    if any(args[0] is other for other in _active):
        fill = closure.get("fillvalue")
        found = None if fill is None else fill.get(m)
        return Known("...") if found is None else found
    _active.append(args[0])
    try:
        return m.call(inner, args, kwargs)
    finally:
        _active.pop()


for _function in (reprlib.recursive_repr, getattr(dataclasses, "_recursive_repr", reprlib.recursive_repr)):
    for _code in _wrappers(_function.__code__):
        code_model(_code)(recursive_repr)
