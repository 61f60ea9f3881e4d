"""What can be found out about a live object. Each fact has one native check that repeats it on later calls.

A fact is measured in Python while capturing. `check` turns the answer into the native check that holds exactly as long
as the answer does.
"""

from __future__ import annotations

import abc
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from framelift import _core
from framelift.paths import reach

Check = tuple[str, Any]


class Fact(NamedTuple):
    """A question, how to answer it, and the native check for an answer."""

    name: str
    measure: Callable[..., Any]
    check: Callable[..., Check]
    when_false: str
    checks: tuple[str, ...]
    """The names that `check` may give."""


class Unguardable(Exception):
    """A question that the guards could not ask again without running code of the user's."""


FACTS: dict[str, Fact] = {}


def fact(*, check: str | Callable[..., Check], when_false: str) -> Callable[[Callable[..., Any]], Fact]:
    """Declare a fact. `check` names the native check that takes the answer, or builds one from answer and arguments."""

    def declare(measure: Callable[..., Any]) -> Fact:
        name = measure.__name__
        if isinstance(check, str):
            FACTS[name] = Fact(name, measure, lambda answer, *args: (check, answer), when_false, (check,))
        else:
            named = tuple(constant for constant in check.__code__.co_consts if isinstance(constant, str))
            FACTS[name] = Fact(name, measure, check, when_false, named)
        return FACTS[name]

    return declare


@fact(check="type_is", when_false="{path} was a {old}, now a {new}")
def type_of(obj: Any) -> type:
    return type(obj)


@fact(check="is", when_false="{path} was {old!r}, now {new!r}")
def identity(obj: Any) -> Any:
    return obj


@fact(check="equals", when_false="{path} was {old!r}, now {new!r}")
def value(obj: Any) -> Any:
    return obj


@fact(check="length", when_false="{path} had {old} items, now {new}")
def length(obj: Any) -> int:
    return reach.length(obj)


def weakly(key: Any) -> Any:
    """A key as a guard holds it: what is looked up in a dict must not live for that."""
    if type(key) in reach.CONTENT or issubclass(type(key), type | tuple | frozenset):
        return key
    try:
        return weakref.ref(key)
    except TypeError:
        return key


@fact(check=lambda found: ("keys", tuple(map(weakly, found))), when_false="{path} had the keys {old}, now {new}")
def keys(obj: dict[Any, Any]) -> tuple[Any, ...]:
    return reach.keys(obj)


@fact(
    check=lambda present, key: ("has_key" if present else "lacks_key", key),
    when_false="whether {path} has the key {arg} was {old}, now {new}",
)
def has_key(obj: dict[Any, Any], key: Any) -> bool:
    names_only = type(key) is str and set(map(type, dict.__iter__(obj))) <= {str}
    if not names_only and not all(map(reach.hashes_plainly, dict.__iter__(obj))):
        raise Unguardable("a dict with keys whose comparison may run code of the user's")
    return dict.__contains__(obj, key)


@fact(
    check=lambda present, name: ("has_attr" if present else "lacks_attr", name),
    when_false="whether {path} has its own attribute {arg} was {old}, now {new}",
)
def has_attribute(obj: Any, name: str) -> bool:
    return reach.has_own_dict(obj) and name in reach.own_dict(obj)


@fact(
    check=lambda found, name: (
        ("type_lookup_absent", name) if found is reach.ABSENT else ("type_lookup_is", (name, found))
    ),
    when_false="the class attribute {arg} of {path} was {old}, now {new}",
)
def class_attribute(cls: type, name: str) -> Any:
    return reach.class_attribute(cls, name)


@fact(
    check=lambda derives, base: ("derives_from" if derives else "does_not_derive_from", base),
    when_false="whether {path} derives from a class was {old}, now {new}",
)
def derives_from(cls: type, base: type) -> bool:
    """By method resolution alone: no `__subclasscheck__` is asked."""
    return base in type.__dict__["__mro__"].__get__(cls)


@fact(check="abc_token", when_false="classes were registered with abstract ones {old} times, now {new} times")
def registrations(obj: Any) -> Any:
    """How often a class was registered with an abstract one, in the whole process."""
    return abc.get_cache_token()


@fact(check="set_is", when_false="{path} held {old}, now {new}")
def elements(obj: Any) -> frozenset[Any]:
    return reach.elements(obj)


@fact(check=lambda found: ("keys", tuple(map(weakly, found))), when_false="{path} held {old} in this order, now {new}")
def ordered_elements(obj: Any) -> tuple[Any, ...]:
    return reach.ordered_elements(obj)


@fact(
    check=lambda bound: ("deque_bound", 0 if bound is None else bound + 1),
    when_false="{path} had the maximum length {old}, now {new}",
)
def deque_bound(obj: Any) -> int | None:
    found: int | None = deque.__dict__["maxlen"].__get__(obj)
    return found


@fact(check="base_equals", when_false="{path} held {old!r}, now {new!r}")
def base_value(obj: Any) -> Any:
    """What an instance of a subclass of str, int, ... holds."""
    base: Any = next(kind for kind in (int, float, complex, str, bytes) if isinstance(obj, kind))
    if base is str:
        return "".join(str.__iter__(obj))
    if base is bytes:
        return bytes.__add__(obj, b"")
    return base.__pos__(obj) if base is not complex else complex(obj.real, obj.imag)


@fact(check="cell_empty", when_false="whether {path} was empty was {old}, now {new}")
def cell_empty(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


@fact(check="tensor_leaf", when_false="whether {path} is a leaf of the graph of autograd was {old}, now {new}")
def is_leaf(tensor: Any) -> bool:
    with torch._C.DisableTorchFunctionSubclass():
        return bool(tensor.is_leaf)


@fact(check="tensor_hooked", when_false="whether {path} has hooks on its gradient was {old}, now {new}")
def is_hooked(tensor: Any) -> bool:
    return tensor._backward_hooks is not None or tensor._post_accumulate_grad_hooks is not None


@fact(check=lambda meta, *which: ("tensor", meta), when_false="{path} changed: {new}")
def tensor(obj: Any, sizes: tuple[int, ...] = (), strides: tuple[int, ...] | None = None) -> Any:
    """The metadata of a tensor: type, dtype, device, layout, sizes, strides, requires_grad.

    `sizes` and `strides` are the dimensions of which these are symbolic, and so not compared.
    """
    return _core.tensor_meta(obj, sizes, strides)


@fact(check="generator_on", when_false="the device of {path} was {old}, now {new}")
def generator_device(generator: torch.Generator) -> torch.device:
    return generator.device


@fact(
    check=lambda more, count: ("more_ahead" if more else "no_more_ahead", count),
    when_false="whether {path} has more items ahead was {old}, now {new}",
)
def more_ahead(iterator: Any, count: int) -> bool:
    """Whether an iterator has more than so many items to give."""
    if _core.holds("more_ahead", count, iterator):
        return True
    if _core.holds("no_more_ahead", count, iterator):
        return False
    raise Unguardable("an iterator over a dict that has changed")


@fact(check="zip_strict", when_false="whether {path} is strict was {old}, now {new}")
def zip_strict(iterator: Any) -> bool:
    return _core.holds("zip_strict", True, iterator)


@fact(
    check=lambda has, key: ("cache_has" if has else "cache_lacks", key),
    when_false="whether {path} has a result in its cache was {old}, now {new}",
)
def cache_has(function: Any, key: Any) -> bool:
    return _core.holds("cache_has", key, function)


@fact(
    check=lambda _, key, result: ("cache_lacks_or", (key, result)),
    when_false="{path} has another result in its cache",
)
def cache_gives(function: Any, key: Any, result: Any) -> bool:
    """Whether a call would run the function, or find this constant in its cache."""
    return _core.holds("cache_lacks_or", (key, result), function)


@fact(check=lambda _, more: ("cache_room", more), when_false="the cache of {path} is full")
def cache_room(function: Any, more: int) -> bool:
    """Whether so many more results fit into a cache. What does not fit is not captured: there is no other check."""
    return _core.holds("cache_room", more, function)
