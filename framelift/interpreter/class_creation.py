"""The class statement and `type(name, bases, namespace)`.

The body is traced. The class itself is a real one without contents while capturing (see values/classes.py), made
without running any of the user's code: `__set_name__` and `__init_subclass__` are traced here.
"""

from __future__ import annotations

import builtins
import importlib
from types import FunctionType, GenericAlias
from typing import Any

from framelift.interpreter import calls, class_access
from framelift.interpreter.frame import Frame
from framelift.models import class_facts, class_making
from framelift.models.contents import content
from framelift.models.registry import model
from framelift.values.base import Raised, Value
from framelift.values.classes import ClassValue
from framelift.values.descriptors import DescriptorValue
from framelift.values.function import CellValue, FunctionValue
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.superclass import SuperValue

WRAPPED = {"__new__": staticmethod, "__init_subclass__": classmethod, "__class_getitem__": classmethod}
_abc_init: Any = vars(importlib.import_module("_abc"))["_abc_init"]
NOT_KEPT = frozenset({"__classcell__", "__qualname__", "__classdictcell__"})


@model(builtins.__build_class__)
def build_class(m: Any, body: Value, name: Value, /, *bases: Value, **kwargs: Value) -> Value:
    """The class statement."""
    metaclass = kwargs.pop("metaclass", None)
    given, bases = bases, tuple(_resolved(m, bases))
    winner = _metaclass(m, metaclass, bases)
    all_bases = TupleValue(list(bases), tuple)
    namespace: Value = DictValue()
    if issubclass(winner.obj, type):
        namespace = m.call(m.getattr(winner, "__prepare__"), [name, all_bases], kwargs)
    cell = _run_body(m, body, namespace)
    if bases != given:
        m.call_method(namespace, "__setitem__", [Known("__orig_bases__"), TupleValue(list(given), tuple)])
    made: Value = m.call(winner, [name, all_bases, namespace], kwargs)
    if isinstance(cell, CellValue) and isinstance(made, Known) and cell.get(m) is None:
        stated = f"__class__ not set defining {_text(name)!r} as {made.obj!r}."
        m.throw(RuntimeError, f"{stated} Was __classcell__ propagated to type.__new__?")
    return made


def _resolved(m: Any, bases: tuple[Value, ...]) -> list[Value]:
    """Bases that are no classes say what they stand for."""
    found: list[Value] = []
    for base in bases:
        if isinstance(base, Known) and isinstance(base.obj, type):
            found.append(base)
            continue
        try:
            entries = m.getattr(base, "__mro_entries__")
        except Raised as raised:
            if not issubclass(raised.value.cls, AttributeError):
                raise
            found.append(base)
            continue
        found += m.unpack(m.call(entries, [TupleValue(list(bases), tuple)]))
    return found


def _metaclass(m: Any, given: Value | None, bases: tuple[Value, ...]) -> Known:
    if given is None:
        given = Known(bases[0].cls) if bases else Known(type)
    if not isinstance(given, Known) or not isinstance(given.obj, type):
        raise Break(UNKNOWN_OPERATION, "a metaclass that is no class")
    if not issubclass(given.obj, type):
        return given
    winner: Any = given.obj
    for base in bases:
        if issubclass(base.cls, type) and issubclass(base.cls, winner):
            winner = base.cls
    return given if winner is given.obj else Known(winner)


def _run_body(m: Any, body: Value, namespace: Value) -> Value:
    if isinstance(body, FunctionValue):
        frame = calls.push(m, body.code, [], body.globals, body.closure)
    else:
        assert isinstance(body, Known)
        assert isinstance(body.obj, FunctionType)
        frame = calls.enter(m, body, [], {})
    assert isinstance(frame, Frame)
    frame.names = namespace
    result: Value = m.run(frame)
    return result


def _text(value: Value) -> str:
    if not isinstance(value, Known) or not isinstance(value.obj, str):
        raise Break(UNKNOWN_OPERATION, "a class whose name is no constant")
    return value.obj


@model(GenericAlias.__mro_entries__)
def alias_entries(m: Any, alias: Value, bases: Value, /) -> Value:
    assert isinstance(alias, Known)
    return TupleValue([Known(alias.obj.__origin__)], tuple)


@model(type.__dict__["__prepare__"])
def prepare(m: Any, /, *args: Value, **kwargs: Value) -> Value:
    return DictValue()


@model(type.__new__)
def new_class(m: Any, meta: Value, name: Value, bases: Value, namespace: Value, /, **kwargs: Value) -> Value:
    """`type.__new__(meta, name, bases, namespace)`"""
    namespace = content(namespace)
    if not isinstance(meta, Known) or not isinstance(namespace, DictValue) or not isinstance(bases, TupleValue):
        raise Break(UNKNOWN_OPERATION, "a class made of what is not known")
    parents = bases.all(m)
    winner = _metaclass(m, meta, tuple(parents))
    if winner.obj is not meta.obj and winner.obj.__new__ is not type.__new__:
        result: Value = m.call(m.getattr(winner, "__new__"), [winner, name, bases, namespace], kwargs)
        return result
    entries = {_text(key): value for key, value in namespace.items(m)}
    if shadowing := sorted(_OF_TYPE.intersection(entries)):
        raise Break(UNKNOWN_OPERATION, f"a class that has its own {shadowing[0]}")
    if "__module__" not in entries:
        module = m.frame.globals.get(m, "__name__")
        if module is not None:
            entries["__module__"] = module
    made = _make(m, winner, _text(name), parents, entries)
    class_facts.refuse_keys_of_its_own(made.obj)
    overlay = m.class_writes[made.obj] = _wrapped(entries)
    m.made_classes[made.obj] = made
    cell = entries.get("__classcell__")
    if isinstance(cell, CellValue):
        cell.set(made)
    for attribute, value in list(overlay.items()):
        if m.class_attribute(value.cls, "__set_name__") is not None:
            m.call_method(value, "__set_name__", [made, Known(attribute)])
    starter = m.getattr(SuperValue(made.obj, made, made.obj, receiver_is_instance=False), "__init_subclass__")
    m.call(starter, [], kwargs)
    return made


# What cannot be given to a class later: assigning to these changes the class itself.
_OF_TYPE = frozenset(
    {"__name__", "__class__", "__bases__", "__mro__", "__dict__", "__base__", "__weakrefoffset__", "__flags__"}
)


def _make(m: Any, meta: Known, name: str, parents: list[Value], entries: dict[str, Value]) -> ClassValue:
    seed = {key: _plain(m, entries[key]) for key in class_making.NEEDED_AT_ONCE if key in entries}
    real_bases = tuple(parent.obj if isinstance(parent, Known) else None for parent in parents)
    try:
        stand_in = class_making.new_class(meta.obj, name, real_bases, seed)
    except TypeError as error:
        m.throw(TypeError, *error.args)
    except NotImplementedError as error:
        raise Break(UNKNOWN_OPERATION, error) from None
    return ClassValue(stand_in, parents, {"name": name, "meta": meta, "entries": seed})


def _plain(m: Any, value: Value) -> Any:
    """A literal, or a tuple or list of such: all that `__slots__` and the names of a class are made of."""
    if isinstance(value, Known) and value.literal:
        return value.obj
    if isinstance(value, TupleValue) or value.cls is list:
        return tuple(_plain(m, item) for item in m.unpack(value))
    raise Break(UNKNOWN_OPERATION, "a class whose slots are not constant")


def _wrapped(entries: dict[str, Value]) -> dict[str, Value]:
    """The names of the class as its dictionary has them."""
    overlay: dict[str, Value] = {}
    for name, value in entries.items():
        if name in NOT_KEPT:
            continue
        kind = WRAPPED.get(name)
        overlay[name] = DescriptorValue(kind, [value]) if kind is not None and value.cls is FunctionType else value
    if "__eq__" in overlay and "__hash__" not in overlay:
        overlay["__hash__"] = NONE
    return overlay


@model(_abc_init)
def init_abstract(m: Any, cls: Value, /) -> Value:
    """Which methods of an abstract base class are abstract."""
    if not isinstance(cls, ClassValue):
        raise Break(UNKNOWN_OPERATION, "making an abstract class of one that existed")
    names = {name for name, value in m.class_writes[cls.obj].items() if _is_abstract(m, value)}
    for base in cls.bases:
        assert isinstance(base, Known)
        for name in getattr(base.obj, "__abstractmethods__", ()):
            found = m.class_attribute(cls.obj, name)
            if found is not None and _is_abstract(m, found):
                names.add(name)
    _abc_init(cls.obj)
    cls.obj.__abstractmethods__ = frozenset(names)
    cls.finish.append(_abc_init)
    return NONE


def _is_abstract(m: Any, value: Value) -> bool:
    answer: bool = m.truth(m.call(Known(getattr), [value, Known("__isabstractmethod__"), Known(False)]))
    return answer


@model(type.__init__)
def init_class(m: Any, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    return NONE


@model(type.__setattr__)
def set_attribute(m: Any, cls: Value, name: Value, value: Value, /) -> Value:
    assert isinstance(cls, Known)
    class_access.generic_set_class(m, cls, _text(name), value)
    return NONE


@model(type.__delattr__)
def delete_attribute(m: Any, cls: Value, name: Value, /) -> Value:
    assert isinstance(cls, Known)
    class_access.generic_delete_class(m, cls, _text(name))
    return NONE


@model(type.mro)
def resolution_order(m: Any, cls: Value, /) -> Value:
    assert isinstance(cls, Known)
    return ListValue([Known(base) for base in class_facts.order(m, cls.obj)], list)
