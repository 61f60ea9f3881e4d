"""Models of abstract base classes: whether a class counts as a subclass, and registering one.

Python remembers every answer. One that it remembers, or that only the library's own code decides, is taken from it.
Else `__subclasshook__` is traced. A yes stays a yes; a no holds until any class is registered anywhere.
"""

from __future__ import annotations

import abc
import importlib
import sys
from typing import Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.models import class_facts
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.classes import ClassValue
from framelift.values.known import Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue

_abc: Any = importlib.import_module("_abc")
_METHODS = (abc.ABCMeta.__subclasscheck__, type.__subclasscheck__)
_LIBRARY = frozenset({*sys.stdlib_module_names, "torch", "numpy"} - {"typing"})


@model(abc.ABCMeta.__instancecheck__, _abc._abc_instancecheck)
def instance_check(m: Tracer, cls: Value, obj: Value, /) -> Value:
    kinds = [Known(obj.cls)]
    claimed = kinds[0] if isinstance(obj, TensorValue) else m.getattr(obj, "__class__")
    if not isinstance(claimed, Known) or claimed.obj is not obj.cls:
        kinds.insert(0, claimed)  # type: ignore[arg-type]
    return boolean(any(m.truth(m.call_method(cls, "__subclasscheck__", [kind])) for kind in kinds))


@model(abc.ABCMeta.__subclasscheck__, _abc._abc_subclasscheck)
def subclass_check(m: Tracer, cls: Value, other: Value, /) -> Value:
    assert isinstance(cls, Known)
    if not isinstance(other, Known) or not isinstance(other.obj, type):
        m.throw(TypeError, "issubclass() arg 1 must be a class")
    made = cls.obj in m.made_classes or other.obj in m.made_classes
    if not made and not m.registered:
        answer = _from_python(cls.obj, other.obj)
        if answer is not None:
            return boolean(answer or _no(m))
        m.effects.add(issubclass, other, cls)  # so that it remembers the answer
    return boolean(_decide(m, cls, other) or _no(m))


def _no(m: Tracer) -> bool:
    """An answer that holds as long as nothing is registered."""
    Observed(m.ledger.paths.start("object", abc.ABCMeta), abc.ABCMeta, m.ledger).learn(facts.registrations)
    return False


def _from_python(cls: type, other: type) -> bool | None:
    """What Python remembers, or can say without running code of the user's."""
    _, yes, no, version = _abc._get_dump(cls)
    if any(reference() is other for reference in yes):
        return True
    if version == abc.get_cache_token() and any(reference() is other for reference in no):
        return False
    return issubclass(other, cls) if _is_quiet(cls, set()) else None


def _is_quiet(cls: type, seen: set[type]) -> bool:
    """Whether asking a class runs code of the library alone."""
    if cls in seen:
        return True
    seen.add(cls)
    if getattr(type(cls), "__subclasscheck__", None) not in _METHODS:
        return False
    hook = getattr(cls, "__subclasshook__", None)
    module = getattr(hook, "__module__", None) or "builtins"
    if module.partition(".")[0] not in _LIBRARY:
        return False
    return all(_is_quiet(below, seen) for below in _below(cls))


def _below(cls: type) -> list[type]:
    """The classes that were registered, and those derived from this one."""
    registered = [reference() for reference in _abc._get_dump(cls)[0]] if isinstance(cls, abc.ABCMeta) else []
    return [found for found in (*registered, *type.__subclasses__(cls)) if found is not None]


def _decide(m: Tracer, cls: Known, other: Known) -> bool:
    """What Python does when it has no answer yet."""
    answer = m.call(m.getattr(cls, "__subclasshook__"), [other])
    if not isinstance(answer, Known) or answer.obj is not NotImplemented:
        return m.truth(answer)
    if class_facts.derives(m, other.obj, cls.obj):
        return True
    below: list[Any] = [kind for kind in _below(cls.obj) if kind not in m.made_classes]
    below += m.registered.get(cls.obj, [])
    below += [made.obj for made in m.made_classes.values() if any(base.obj is cls.obj for base in made.bases)]
    return any(m.truth(m.call(Known(issubclass), [other, Known(kind)])) for kind in below)


@model(abc.ABCMeta.register, _abc._abc_register)
def register(m: Tracer, cls: Value, other: Value, /) -> Value:
    assert isinstance(cls, Known)
    if not isinstance(other, Known) or not isinstance(other.obj, type):
        m.throw(TypeError, "Can only register classes")
    if m.truth(m.call(Known(issubclass), [other, cls])):
        return other
    if m.truth(m.call(Known(issubclass), [cls, other])):
        m.throw(RuntimeError, "Refusing to create an inheritance cycle")
    m.registered.setdefault(cls.obj, []).append(other.obj)
    if isinstance(cls, ClassValue):
        cls.registered.append(other)
    else:
        m.effects.add(_abc._abc_register, cls, other)
    return other


@model(abc.get_cache_token)
def token(m: Tracer, /) -> Value:
    if m.registered:
        raise Break(UNKNOWN_OPERATION, "the number of registered classes after registering one")
    seen = Observed(m.ledger.paths.start("object", abc.ABCMeta), abc.ABCMeta, m.ledger)
    return Known(seen.learn(facts.registrations))
