"""What a user writes into a program to say where capture is to end, or must not.

Without framelift all of these do nothing, so that they may stay in a program that runs eagerly. While capturing they
are recognized (`models/controls.py`) and never traced.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])


def graph_break(message: str = "") -> None:
    """End the graph here: Python runs this call, and capture goes on after it."""


class _Here(threading.local):
    """What holds on this thread."""

    def __init__(self) -> None:
        self.regions: list[bool] = []  # whether a break is an error, the innermost region last


_here = _Here()

Change = tuple[int, tuple[bool, ...]]
"""How many regions were left, and which entered then."""

NO_CHANGE: Change = (0, ())


def enter_region(value: bool) -> None:
    _here.regions.append(value)


def leave_region() -> None:
    _here.regions.pop()


def change_regions(change: Change) -> None:
    """Leave and enter regions as a captured stretch of the program did."""
    left, entered = change
    del _here.regions[len(_here.regions) - left :]
    _here.regions += entered


def error_on_break(change: Change = NO_CHANGE) -> bool | None:
    """Whether a graph break is an error at this place, after `change`; None: no region says anything."""
    left, entered = change
    regions = [*_here.regions[: len(_here.regions) - left], *entered]
    return regions[-1] if regions else None


class error_on_graph_break:  # noqa: N801  (used like a function)
    """`with error_on_graph_break(True):` a graph break inside is an error, as with `fullgraph=True`; False: it is none.

    Also a decorator. It is looked at when something is captured, not when a captured graph runs again.
    """

    def __init__(self, value: bool = True) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"error_on_graph_break() takes a bool, got {value!r}")
        self.value = value

    def __enter__(self) -> None:
        enter_region(self.value)

    def __exit__(self, *raised: object) -> None:
        leave_region()

    def __call__(self, function: F) -> F:
        """Decorate: the whole function is such a region."""
        value = self.value

        @functools.wraps(function)
        def within(*args: Any, **kwargs: Any) -> Any:
            with error_on_graph_break(value):
                return function(*args, **kwargs)

        return within  # type: ignore[return-value]


class Disabled:
    """A callable that is never captured."""

    runner: Callable[[Disabled, tuple[Any, ...], dict[str, Any]], Any] | None = None
    """Calls the function in place of `__call__`: the runtime puts in one that minds the frame hook."""

    def __init__(self, function: Callable[..., Any], recursive: bool, reason: str) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.recursive = recursive
        self.reason = reason

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        runner = type(self).runner
        return self.function(*args, **kwargs) if runner is None else runner(self, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<framelift.disable of {self.function!r}>"


_MISSING: Any = object()


@overload
def disable(fn: F, *, recursive: bool = True, reason: str = "") -> F: ...


@overload
def disable(*, recursive: bool = True, reason: str = "") -> Callable[[F], F]: ...


def disable(fn: Any = _MISSING, *, recursive: bool = True, reason: str = "") -> Any:
    """Have a function run as ordinary Python wherever it is called; what it calls too, unless `recursive=False`.

    Use it as a call, as `@disable` or as `@disable(...)`. `reason` is shown where the graph breaks.
    """
    if not isinstance(recursive, bool):
        raise TypeError(f"recursive must be a bool, got {recursive!r}")
    if not isinstance(reason, str):
        raise TypeError(f"reason must be a str, got {reason!r}")
    if fn is _MISSING:
        return lambda function: disable(function, recursive=recursive, reason=reason)
    if not callable(fn):
        raise TypeError(f"disable() takes a function or another callable, got {fn!r}")
    return Disabled(fn, recursive, reason)
