"""Calls with arguments a built-in callable does not take: the exception is the one the callable itself raises.

It counts its arguments before it looks at any. So it is called for real on stand-ins, which are thrown away.
"""

from __future__ import annotations

import re
import types
from typing import TYPE_CHECKING, Any

from framelift.interpreter import folding
from framelift.values.base import Value

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

_COUNTED = re.compile(
    r"takes (no|exactly|at most|at least|from|\d)|expected (exactly |at most |at least )?\d+ (positional )?argument"
    r"|expected (at most|at least|exactly) \d|positional argument|keyword argument|missing required|must have at least"
    r"|requires at least|takes no keyword"
)
_SAFE = (list, tuple, dict, set, frozenset, str, bytes, int, float, complex, range, slice)


_HARMLESS = (isinstance, issubclass, iter, next, getattr, hasattr, setattr, delattr, callable, all, any, id, vars)


def check(m: Machine, function: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Raise in the traced program what a built-in callable says to so many arguments; return if it accepts them."""
    call = _stand_in(function, args)
    if call is None:
        return
    target, count = call
    try:
        target(*[None] * count, **dict.fromkeys(kwargs))
    except TypeError as error:
        if len(error.args) == 1 and isinstance(error.args[0], str) and _COUNTED.search(error.args[0]):
            m.throw(TypeError, error.args[0])
    except Exception:  # noqa: BLE001 - it took so many arguments, and that is all that was asked
        return


def _stand_in(function: Any, args: list[Value]) -> tuple[Any, int] | None:
    """Something that can be called for real without harm, and with how many arguments."""
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
        owner: Any = function.__objclass__
        if not args or not isinstance(owner, type) or owner.__module__ not in ("builtins", "collections"):
            return None
        try:
            return function.__get__(owner()), len(args) - 1
        except TypeError:
            return None
    if function is bool:
        return function, len(args)
    if isinstance(function, types.BuiltinFunctionType) and function.__name__ == "__new__":
        owner = function.__self__
        if owner in _SAFE or owner in (enumerate, zip, map, filter, reversed):
            return owner, len(args) - 1
        return None
    # A function may do anything with what it is given, print it for one: only those known to be pure are tried.
    if isinstance(function, types.BuiltinFunctionType) and (function in _HARMLESS or folding.is_pure(function)):
        return function, len(args)
    return None
