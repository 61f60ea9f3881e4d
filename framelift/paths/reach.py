"""The steps of a path in Python, none of which runs code of the user's.

Attribute access in Python may run a property or `__getattr__`; these read the storage behind it instead.
"""

from __future__ import annotations

import builtins
from types import FunctionType
from typing import Any

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()


def builtins_of(function: FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = function.__builtins__ if hasattr(function, "__builtins__") else vars(builtins)
    return found


def item(sequence: Any, index: int) -> Any:
    return (tuple if isinstance(sequence, tuple) else list).__getitem__(sequence, index)


def key(mapping: dict[Any, Any], wanted: Any) -> Any:
    return dict.__getitem__(mapping, wanted)


def key_at(mapping: dict[Any, Any], position: int) -> Any:
    return list(dict.__iter__(mapping))[position]


def own_dict(obj: Any) -> dict[str, Any]:
    """The object's own `__dict__`, whatever its class says of that name."""
    found: dict[str, Any] = object.__getattribute__(obj, "__dict__")
    return found


def own_attribute(obj: Any, name: str) -> Any:
    return own_dict(obj)[name]


def has_own_dict(obj: Any) -> bool:
    try:
        return isinstance(own_dict(obj), dict)
    except AttributeError:
        return False


def class_attribute(cls: type, name: str) -> Any:
    """What the type's method resolution finds under a name, without binding it; `ABSENT` if nothing."""
    for base in type.__dict__["__mro__"].__get__(cls):
        namespace = type.__dict__["__dict__"].__get__(base)
        if name in namespace:
            return namespace[name]
    return ABSENT
