"""The steps of a path in Python, none of which runs code of the user's.

Attribute access in Python may run a property or `__getattr__`; these read the storage behind it instead.
"""

from __future__ import annotations

import builtins
import gc
from collections import OrderedDict, deque
from collections.abc import Callable
from types import FunctionType
from typing import Any

import torch

from framelift import _core

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()


def builtins_of(function: FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = function.__builtins__ if hasattr(function, "__builtins__") else vars(builtins)
    return found


def item(sequence: Any, index: int) -> Any:
    return (tuple if isinstance(sequence, tuple) else list).__getitem__(sequence, index)


def key(mapping: dict[Any, Any], wanted: Any) -> Any:
    """What a dict has under a key. Python would ask other keys with the same hash whether they are equal to it."""
    return _core.reach("key", wanted, mapping)


def keys(mapping: dict[Any, Any]) -> tuple[Any, ...]:
    """The keys in the order in which Python goes through them, whatever a subclass makes of that."""
    return tuple((OrderedDict if isinstance(mapping, OrderedDict) else dict).__iter__(mapping))


def key_at(container: Any, position: int) -> Any:
    """A key of a dict or an element of a set, by its place in the order of iteration."""
    return keys(container)[position] if isinstance(container, dict) else ordered_elements(container)[position]


def ordered_elements(obj: Any) -> tuple[Any, ...]:
    return tuple((set if isinstance(obj, set) else frozenset).__iter__(obj))


def length(obj: Any) -> int:
    """How many items a built-in container holds, whatever a subclass says."""
    for kind in (list, tuple, dict, set, frozenset, str, bytes, bytearray, deque):
        if isinstance(obj, kind):
            return kind.__len__(obj)  # type: ignore[arg-type]
    return len(obj)


def elements(obj: Any) -> frozenset[Any]:
    return frozenset((set if isinstance(obj, set) else frozenset).__iter__(obj))


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


def present_class_attribute(cls: type, name: str) -> Any:
    """The same; an error if nothing."""
    found = class_attribute(cls, name)
    if found is ABSENT:
        raise LookupError(name)
    return found


def class_fact(name: str) -> Callable[[Any, Any], Any]:
    """What `type` itself says of a class under a name, whatever the metaclass makes of that."""
    getter: Any = type.__dict__[name].__get__
    return lambda cls, key: getter(cls)


def class_dict(cls: type, key: Any = None) -> dict[str, Any]:
    """The dictionary behind `cls.__dict__`."""
    found: dict[str, Any] = proxied(type.__dict__["__dict__"].__get__(cls))
    return found


def proxied(proxy: Any, key: Any = None) -> Any:
    """What a `MappingProxyType` is a view of."""
    return gc.get_referents(proxy)[0]


def gradient(tensor: torch.Tensor) -> torch.Tensor | None:
    """What a leaf holds; the tensor of a result has none of its own."""
    return tensor.grad if tensor.is_leaf else None


def slice_part(obj: slice, part: int) -> Any:
    return (obj.start, obj.stop, obj.step)[part]


CONTENT = frozenset({str, int, float, bool, bytes, complex, type(None)})
"""Types of keys that are compared by content and hold nothing."""

_PLAIN = frozenset({str, int, float, bool, bytes, complex, type(None), torch.Tensor, torch.nn.Parameter, torch.device})


_BASES: tuple[Any, ...] = (str, int, float, bytes)


def hashes_plainly(key: Any) -> bool:
    """Whether comparing a dict's key with another runs no code of the user's."""
    kind = type(key)
    if kind in _PLAIN:
        return True
    if kind is tuple:
        return all(map(hashes_plainly, key))
    hasher: Any = kind.__hash__
    equals: Any = kind.__eq__
    if equals is object.__eq__ or any(equals is base.__eq__ and hasher is base.__hash__ for base in _BASES):
        return True
    return hasher is object.__hash__ or not kind.__flags__ & (1 << 9)


def class_hashes_plainly(cls: type) -> bool:
    """Whether a class can be a key without its metaclass being asked."""
    meta = type(cls)
    if meta is type:
        return True
    return all(class_attribute(meta, name) is class_attribute(object, name) for name in ("__hash__", "__eq__"))


EXCEPTION_PARTS = ("args", "__context__", "__cause__", "__suppress_context__", "__traceback__")


def exception_part(exception: BaseException, part: int) -> Any:
    """What every exception has, whatever a subclass makes of the name."""
    return BaseException.__dict__[EXCEPTION_PARTS[part]].__get__(exception)
