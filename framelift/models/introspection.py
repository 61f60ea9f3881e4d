"""Models of the built-in functions that look at namespaces: `vars`, `globals`, `locals`, `dir`."""

from __future__ import annotations

from types import FunctionType

from framelift.models.registry import model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import LOOKS_AT_FRAME, UNKNOWN_OPERATION, Break


@model(globals)
def get_globals(m: Tracer, /) -> Value:
    storage = m.global_names().storage
    if storage is None:
        raise Break(UNKNOWN_OPERATION, "globals() of a function made during the call")
    return m.lift(storage)


@model(locals)
def get_locals(m: Tracer, /) -> Value:
    made = DictValue()
    for name, value in m.local_names().items():
        made.put(m, Known(name), value)
    return made


@model(vars)
def get_vars(m: Tracer, obj: Value | None = None, /) -> Value:
    if obj is None:
        return get_locals(m)
    try:
        return m.getattr(obj, "__dict__")
    except Raised as raised:
        if not issubclass(raised.value.cls, AttributeError):
            raise
        m.throw(TypeError, "vars() argument must have __dict__ attribute")


@model(dir)
def list_names(m: Tracer, /, *args: Value) -> Value:
    if args:
        lists = m.class_attribute(args[0].cls, "__dir__")
        if isinstance(lists, Known) and not isinstance(lists.obj, FunctionType):
            raise Break(UNKNOWN_OPERATION, "dir()")
        return m.call(Known(sorted), [m.call_method(args[0], "__dir__", [])])
    raise Break(LOOKS_AT_FRAME, "dir()")
