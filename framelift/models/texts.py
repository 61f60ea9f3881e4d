"""`repr` of containers and of what is known for good."""

from __future__ import annotations

import types
from collections import OrderedDict, defaultdict, deque
from typing import Any

from framelift.models.contents import content
from framelift.models.deferred_texts import refusal
from framelift.models.dict_views import made_here
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.collection_iterators import VIEWS
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.symbol import specialized

_active: list[Value] = []  # containers whose text is being made; only one capture runs at a time


def _text(m: Tracer, value: Value) -> str:
    found = m.text(value, "repr")
    held = specialized(m, content(found))
    if not isinstance(held, Known):
        raise refusal()
    return str(held.obj)


def _nested(m: Tracer, owner: Value, inside_itself: str, make: Any) -> Value:
    """The text of a container, which may contain itself."""
    if any(owner is other for other in _active):
        return Known(inside_itself)
    _active.append(owner)
    try:
        return Known(make())
    finally:
        _active.pop()


def _items(m: Tracer, values: list[Value]) -> str:
    return ", ".join([_text(m, value) for value in values])


def _pairs(m: Tracer, owner: Value) -> str:
    held = content(owner)
    return ", ".join([f"{_text(m, name)}: {_text(m, value)}" for name, value in list(held.items(m))])


@model(list.__repr__)
def list_repr(m: Tracer, self: Value, /) -> Value:
    return _nested(m, self, "[...]", lambda: f"[{_items(m, list(content(self).all(m)))}]")


@model(tuple.__repr__)
def tuple_repr(m: Tracer, self: Value, /) -> Value:
    items = list(content(self).all(m))
    comma = "," if len(items) == 1 else ""
    return _nested(m, self, "(...)", lambda: f"({_items(m, items)}{comma})")


@model(dict.__repr__)
def dict_repr(m: Tracer, self: Value, /) -> Value:
    return _nested(m, self, "{...}", lambda: f"{{{_pairs(m, self)}}}")


@model(set.__repr__, frozenset.__repr__)
def set_repr(m: Tracer, self: Value, /) -> Value:
    name = self.cls.__name__
    if not content(self).keys(m):
        return Known(f"{name}()")

    def text() -> str:
        inner = f"{{{_items(m, content(self).ordered(m))}}}"
        return inner if self.cls is set else f"{name}({inner})"

    return _nested(m, self, f"{name}(...)", text)


@model(deque.__repr__)
def deque_repr(m: Tracer, self: Value, /) -> Value:
    held = content(self)
    bound = "" if held.bound is None else f", maxlen={held.bound}"
    name = self.cls.__name__
    return _nested(m, self, "[...]", lambda: f"{name}([{_items(m, list(held.all(m)))}]{bound})")


_AS_DICT = "{" in repr(OrderedDict(a=1))  # newer Pythons write OrderedDict({...})


@model(OrderedDict.__repr__)
def ordered_dict_repr(m: Tracer, self: Value, /) -> Value:
    name = self.cls.__name__
    held = content(self)
    if not held.entries(m):
        return Known(f"{name}()")

    def text() -> str:
        if _AS_DICT:
            return f"{name}({{{_pairs(m, self)}}})"
        pairs = [f"({_text(m, key)}, {_text(m, value)})" for key, value in list(held.items(m))]
        return f"{name}([{', '.join(pairs)}])"

    return _nested(m, self, "...", text)


@model(defaultdict.__repr__)
def default_dict_repr(m: Tracer, self: Value, /) -> Value:
    factory = _text(m, m.getattr(self, "default_factory"))
    inner = dict_repr(m, self)
    assert isinstance(inner, Known)
    return Known(f"{self.cls.__name__}({factory}, {inner.obj})")


@model(*(view.__dict__["__repr__"] for view in VIEWS.values()))
def view_repr(m: Tracer, self: Value, /) -> Value:
    view = made_here(self)
    return _nested(m, view, "...", lambda: f"{view.cls.__name__}([{_items(m, view.items(m))}])")


# Their text names them, or has their address: good for as long as they are the same object.
@model(type.__repr__, types.BuiltinFunctionType.__repr__, types.GenericAlias.__repr__, types.UnionType.__repr__)
def known_repr(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, Known):
        raise Break(UNKNOWN_OPERATION, f"the text of a {self.cls.__name__}")
    return Known(repr(self.obj))


@model(types.FunctionType.__repr__)
def function_repr(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, Known):
        raise Break(UNKNOWN_OPERATION, "the address of a function made during the call")
    return Known(types.FunctionType.__repr__(self.obj))


@model(object.__repr__)
def object_repr(m: Tracer, self: Value, /) -> Value:
    raise Break(UNKNOWN_OPERATION, f"the address of a {self.cls.__name__}")
