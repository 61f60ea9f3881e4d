"""What can be found out about a live object. Each fact has one native check that repeats it on later calls.

A fact is measured in Python while capturing. `check` turns the answer into the native check that holds exactly as long
as the answer does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from framelift import _core
from framelift.paths import reach

Check = tuple[str, Any]


class Fact(NamedTuple):
    """A question, how to answer it, and the native check for an answer."""

    name: str
    measure: Callable[..., Any]
    check: Callable[..., Check]
    when_false: str


class Unguardable(Exception):
    """A question that the guards could not ask again without running code of the user's."""


FACTS: dict[str, Fact] = {}


def fact(*, check: str | Callable[..., Check], when_false: str) -> Callable[[Callable[..., Any]], Fact]:
    """Declare a fact. `check` names the native check that takes the answer, or builds one from answer and arguments."""

    def declare(measure: Callable[..., Any]) -> Fact:
        name = measure.__name__
        build = (lambda answer, *args: (check, answer)) if isinstance(check, str) else check
        FACTS[name] = Fact(name, measure, build, when_false)
        return FACTS[name]

    return declare


@fact(check="type_is", when_false="{path} was a {old.__name__}, now a {new.__name__}")
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


@fact(check="keys", when_false="{path} had the keys {old}, now {new}")
def keys(obj: dict[Any, Any]) -> tuple[Any, ...]:
    return reach.keys(obj)


@fact(
    check=lambda present, key: ("has_key" if present else "lacks_key", key),
    when_false="whether {path} has a key was {old}, now {new}",
)
def has_key(obj: dict[Any, Any], key: Any) -> bool:
    if type(key) is not str and not all(map(reach.hashes_plainly, dict.__iter__(obj))):
        raise Unguardable("a dict with keys whose comparison may run code of the user's")
    return dict.__contains__(obj, key)


@fact(
    check=lambda present, name: ("has_attr" if present else "lacks_attr", name),
    when_false="whether {path} has an attribute was {old}, now {new}",
)
def has_attribute(obj: Any, name: str) -> bool:
    return reach.has_own_dict(obj) and name in reach.own_dict(obj)


@fact(
    check=lambda found, name: (
        ("type_lookup_absent", name) if found is reach.ABSENT else ("type_lookup_is", (name, found))
    ),
    when_false="the class attribute {path} was {old!r}, now {new!r}",
)
def class_attribute(cls: type, name: str) -> Any:
    return reach.class_attribute(cls, name)


@fact(check="set_is", when_false="{path} held {old}, now {new}")
def elements(obj: Any) -> frozenset[Any]:
    return reach.elements(obj)


@fact(check="keys", when_false="{path} held {old} in this order, now {new}")
def ordered_elements(obj: Any) -> tuple[Any, ...]:
    return tuple((set if isinstance(obj, set) else frozenset).__iter__(obj))


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


@fact(check="tensor", when_false="{path} changed: {new}")
def tensor(obj: Any) -> Any:
    """The metadata of a tensor: type, dtype, device, layout, sizes, strides, requires_grad."""
    return _core.tensor_meta(obj)
