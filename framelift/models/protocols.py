"""What operators and attributes do with methods written in Python, as Python code that is traced in their place.

A break in such a method ends the graph there, and the frames on the way out go on: these functions are among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.values.base import type_name

Try = tuple[Callable[[Any, Any], Any], Any, Any]


def first_answer(tries: tuple[Try, ...], sign: str, left: Any, right: Any) -> Any:
    """`left <sign> right`: the first method that knows."""
    for method, receiver, other in tries:
        result = method(receiver, other)
        if result is not NotImplemented:
            return result
    return no_answer(sign, left, right)


def no_answer(sign: str, left: Any, right: Any) -> bool:
    """None does."""
    if sign == "==":
        return left is right
    if sign == "!=":
        return left is not right
    names = f"{type_name(type(left))!r} and {type_name(type(right))!r}"
    if sign in ("<", "<=", ">", ">="):
        raise TypeError(f"{sign!r} not supported between instances of {names}")
    shown = {"**": "** or pow()", "**=": "** or pow()"}.get(sign, sign)
    raise TypeError(f"unsupported operand type(s) for {shown}: {names}")


def contained(method: Any, container: Any, item: Any, negated: bool) -> bool:
    """`item in container`"""
    found = bool(method(container, item))
    return not found if negated else found


def attribute_or(getter: Any, args: tuple[Any, ...], fallback: Any, receiver: Any, name: str) -> Any:
    """`receiver.name` of a class with `__getattr__`."""
    try:
        return getter(*args)
    except AttributeError:
        return fallback(receiver, name)


def initialized(starter: Any, made: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`cls(...)`, after `__new__`."""
    result = starter(made, *args, **kwargs)
    if result is not None:
        raise TypeError(f"__init__() should return None, not {type(result).__name__!r}")
    return made
