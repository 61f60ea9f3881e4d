"""Models of the attributes of functions and bound methods."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.registry import model, setter
from framelift.values.attribute_dict import AttributeDict, NamespaceDict
from framelift.values.base import Tracer, Value
from framelift.values.dict_namespace import DictNamespace
from framelift.values.function import CellValue, FunctionValue, MethodValue
from framelift.values.known import NONE, NOT_IMPLEMENTED, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue


def _seen(m: Tracer, function: Value) -> Observed:
    assert isinstance(function, Known)
    if function.seen is not None:
        return function.seen
    return Observed(m.ledger.paths.start("object", function.obj), function.obj, m.ledger)


def _attribute(name: str, accessor: str, created: Any) -> None:
    @model(FunctionType.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, FunctionValue):
            found: Value | None = created(m, self)
            return NONE if found is None else found
        return m.lift(_seen(m, self).child(accessor))


_attribute("__code__", "code", lambda m, function: Known(function.code))
_attribute("__defaults__", "defaults", lambda m, function: function.defaults)
_attribute("__kwdefaults__", "kwdefaults", lambda m, function: function.kwdefaults)
_attribute(
    "__closure__",
    "func_closure",
    lambda m, function: TupleValue(list(function.closure), tuple) if function.closure else None,
)


_PLACES = {
    "__name__": "func_name",
    "__qualname__": "func_qualname",
    "__doc__": "func_doc",
    "__module__": "func_module",
}


def _special(name: str, created: Callable[[Tracer, FunctionValue], Value]) -> None:
    """An attribute that every function has and that can be given another value."""
    descriptor = FunctionType.__dict__[name]

    @model(descriptor)
    def get(m: Tracer, self: Value, /) -> Value:
        if isinstance(self, FunctionValue):
            written = self.special.get(name)
            return created(m, self) if written is None else written
        accessor = _PLACES.get(name)
        if accessor is not None:
            return m.lift(_seen(m, self).child(accessor))
        assert isinstance(self, Known)
        return m.constant(descriptor.__get__(self.obj))

    @setter(descriptor)
    def set_(m: Tracer, self: Value, value: Value) -> None:
        if not isinstance(self, FunctionValue):
            if name in ("__name__", "__qualname__") and _is_text(get(m, self), value):
                return  # it has that name
            raise Break(EFFECT, f"the {name} of a function that existed before")
        if name in ("__name__", "__qualname__") and value.cls is not str:
            m.throw(TypeError, f"{name} must be set to a string object")
        self.special[name] = value


def _is_text(found: Value, other: Value) -> bool:
    """Whether two values are the same text."""
    return isinstance(found, Known) and isinstance(other, Known) and type(found.obj) is str and found.obj == other.obj


def _doc(m: Tracer, function: FunctionValue) -> Value:
    cells = tuple(CellType() for _ in function.code.co_freevars)
    return Known(FunctionType(function.code, {}, None, None, cells).__doc__)


_special("__name__", lambda m, function: Known(function.name))
_special("__qualname__", lambda m, function: Known(function.qualname))
_special("__doc__", _doc)
if "__type_params__" in FunctionType.__dict__:
    _special("__type_params__", lambda m, function: TupleValue([], tuple))
_special("__module__", lambda m, function: function.globals.get(m, "__name__") or NONE)


@model(FunctionType.__dict__["__globals__"])
def get_globals(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, FunctionValue):
        if self.globals.storage is None:
            raise Break(UNKNOWN_OPERATION, "the globals of a function that has its own")
        return m.lift(self.globals.storage)
    return m.lift(_seen(m, self).child("func_globals"))


@model(FunctionType.__dict__["__dict__"])
def get_dict(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, FunctionValue):
        found = self.special.get("__dict__")
        if found is None:
            found = self.special["__dict__"] = AttributeDict(self)
        return found
    return m.lift(_seen(m, self).child("func_dict"))


@model(FunctionType.__dict__["__annotations__"])  # noqa: RUF063
def get_annotations(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, FunctionValue):
        return _annotations(m, self)
    return m.lift(_seen(m, self).child("func_annotations"))


def _annotations(m: Tracer, function: FunctionValue) -> Value:
    """As a dict; until someone asks they are a tuple of names and values."""
    found = function.annotations
    if not isinstance(found, TupleValue) and found is not None:
        return found
    made = DictValue()
    items = found.all(m) if found is not None else []
    for name, value in zip(items[::2], items[1::2], strict=True):
        made.put(m, name, value)
    function.annotations = made
    return made


def _settable(name: str, field: str, kind: type) -> None:
    @setter(FunctionType.__dict__[name])
    def set_(m: Tracer, self: Value, value: Value) -> None:
        if not isinstance(self, FunctionValue):
            raise Break(EFFECT, f"the {name} of a function that existed before")
        empty = isinstance(value, Known) and value.obj is None
        if not empty and value.cls is not kind:
            m.throw(TypeError, f"{name} must be set to a {kind.__name__} object")
        setattr(self, field, None if empty else value)


_settable("__defaults__", "defaults", tuple)
_settable("__kwdefaults__", "kwdefaults", dict)


@setter(FunctionType.__dict__["__annotations__"])  # noqa: RUF063
def set_annotations(m: Tracer, self: Value, value: Value) -> None:
    if not isinstance(self, FunctionValue) or not isinstance(value, DictValue):
        raise Break(EFFECT, "the annotations of a function")
    self.annotations = value


@model(CellType.__dict__["cell_contents"])
def cell_contents(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, CellValue)
    found = self.get(m)
    if found is None:
        m.throw(ValueError, "Cell is empty")
    return found


@setter(CellType.__dict__["cell_contents"])
def set_cell_contents(m: Tracer, self: Value, value: Value) -> None:
    assert isinstance(self, CellValue)
    self.set(value)
    if self.seen is not None:
        m.effects.add(_fill, self, value)


def _fill(cell: Any, content: Any) -> None:
    cell.cell_contents = content


@model(MethodType.__dict__["__func__"])
def method_function(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, MethodValue)
    return self.function


@model(MethodType.__eq__)
def methods_equal(m: Tracer, self: Value, other: Value, /) -> Value:
    if not isinstance(self, MethodValue) or not isinstance(other, MethodValue):
        return NOT_IMPLEMENTED
    return boolean(m.same(self.receiver, other.receiver) and m.truth(m.compare("==", self.function, other.function)))


@model(MethodType.__dict__["__self__"])
def method_receiver(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, MethodValue)
    return self.receiver


@model(FunctionType.__new__)
def make_function(
    m: Tracer,
    cls: Value,
    code: Value,
    globals: Value,  # noqa: A002
    name: Value = NONE,
    argdefs: Value = NONE,
    closure: Value = NONE,
) -> Value:
    """`types.FunctionType(code, globals, ...)`"""
    if not isinstance(code, Known) or not isinstance(code.obj, CodeType) or not isinstance(globals, DictValue):
        raise Break(UNKNOWN_OPERATION, "a function made of what is not known")
    names = globals.namespace if type(globals) is NamespaceDict else DictNamespace(globals)
    made = FunctionValue(code.obj, names)
    if isinstance(name, Known) and isinstance(name.obj, str):
        made.name = name.obj
    made.defaults = None if isinstance(argdefs, Known) else argdefs
    cells = [] if isinstance(closure, Known) else m.unpack(closure)
    made.closure = [cell for cell in cells if isinstance(cell, CellValue)]
    if len(made.closure) != len(code.obj.co_freevars):
        raise Break(UNKNOWN_OPERATION, "a function made with another closure")
    return made
