"""Types with parameters at run time: `list[int]`, `Optional[int]`, and what dataclasses need."""

from __future__ import annotations

import dataclasses
import reprlib
import types
import typing
from typing import Any

from framelift.guards.observed import Observed
from framelift.models import aliases
from framelift.models.contents import known_class
from framelift.models.registry import code_model, model
from framelift.values.base import Tracer, Value
from framelift.values.getter import GetterValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


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


@model(types.GenericAlias.__new__)
def new_alias(m: Tracer, cls: Value, origin: Value, args: Value, /) -> Value:
    parts = [known_class(cls), _parameters(m, origin), _parameters(m, args)]
    return Known(types.GenericAlias.__new__(*parts))


def _between_types(method: Any) -> None:
    @model(method)
    def operate(m: Tracer, self: Value, other: Value, /) -> Value:
        """`list[int] | None`: a new object that says all there is about itself."""
        parts = [_parameters(m, self), _parameters(m, other)]
        if any(isinstance(part, type) and part in m.made_classes for part in parts):
            raise Break(UNKNOWN_OPERATION, "a union with a class made during the call")
        return Known(method(*parts))


for _operand in (types.GenericAlias, types.UnionType, type):
    for _name in ("__or__", "__ror__", "__eq__"):
        if _name in vars(_operand):
            _between_types(vars(_operand)[_name])


@model(vars(types.GenericAlias)["__args__"], vars(types.UnionType)["__args__"])
def arguments(m: Tracer, self: Value, /) -> Value:
    """The very tuple that the type keeps."""
    if not isinstance(self, Known):
        assert self.seen is not None
        return m.lift(self.seen.child("attr", "__args__"))
    found = self.obj.__args__
    return m.constant(found) if aliases.mentioned(self.obj, m.made_classes) else _lasting(m, found)


@model(types.GenericAlias.__call__)
def make_of_generic(m: Tracer, alias: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`list[int](...)`: an object of the class, which is told what it was made of if it can be."""
    assert isinstance(alias, Known)
    made = m.call(Known(alias.obj.__origin__), list(args), kwargs)
    if isinstance(made, InstanceValue) and made.cls.__dictoffset__:
        m.setattr(made, "__orig_class__", alias)
    return made


def _itself(variable: Value) -> Any:
    """A type variable that existed before, which never changes."""
    if isinstance(variable, Known):
        return variable.obj
    assert variable.seen is not None
    return variable.seen.pin()


def _type_variable(kind: Any) -> None:
    """One written in C: made again by the call that made it."""
    if "__name__" not in vars(kind):
        return

    @model(kind)
    def make(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        return GetterValue(kind, list(args), kwargs)

    @model(vars(kind)["__name__"])
    def name(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, GetterValue):
            return self.args[0] if self.args else self.kwargs["name"]
        return Known(_itself(self).__name__)

    if "has_default" not in vars(kind):
        return

    @model(vars(kind)["has_default"])
    def has_default(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, GetterValue):
            return boolean("default" in self.kwargs)
        return boolean(_itself(self).has_default())


def _generic(name: str, function: str) -> None:
    """`Generic` is written in C on newer Pythons, and calls Python functions of `typing`."""
    method = vars(typing.Generic).get(name)
    if not isinstance(method, types.ClassMethodDescriptorType):
        return
    target = getattr(typing, function)

    @model(method)
    def apply(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
        return m.call(Known(target), [cls, *args], kwargs)


_generic("__init_subclass__", "_generic_init_subclass")
_generic("__class_getitem__", "_generic_class_getitem")


for _kind in (typing.TypeVar, typing.ParamSpec, typing.TypeVarTuple):
    _type_variable(_kind)


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
    if aliases.mentioned(obj, m.made_classes):
        raise Break(UNKNOWN_OPERATION, "a type of typing with a class made during the call")
    m.own.append(obj)  # typing forgets it when it has made enough others
    return m.lift(Observed(m.ledger.paths.start("object", obj), obj, m.ledger))


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
