"""The stance: what all compiled functions of the process may do at the moment."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from framelift import _core
from framelift.errors import CompileError

F = TypeVar("F", bound=Callable[..., Any])

# What the native callables do. Without an entry for a call: compile, run it untouched, or (asking here) fail.
_ACTIONS: dict[str, _core.Action] = {
    "default": "compile",
    "force_eager": "skip",
    "eager_on_recompile": "lookup",
    "fail_on_recompile": "compile",
    "eager_then_compile": "compile",
}

_stance = "default"


def current() -> str:
    """The stance in force."""
    return _stance


def change(stance: str) -> str:
    """Put another stance in force; gives the one that was."""
    global _stance
    if stance not in _ACTIONS:
        raise ValueError(f"unknown stance {stance!r}; expected one of {', '.join(_ACTIONS)}")
    before, _stance = _stance, stance
    _core.set_stance(_ACTIONS[stance])
    return before


def check_may_compile(name: str) -> None:
    """Raise if nothing may be compiled that is not yet."""
    if _stance == "fail_on_recompile":
        raise CompileError(f"{name} would have to be compiled, and the stance is 'fail_on_recompile'")


class set_stance:  # noqa: N801  (used like a function)
    """Put a stance in force: from here on, inside of a `with`, or in calls of a decorated function.

    `force_eager` runs everything as it was written; `eager_on_recompile` uses what is compiled and compiles no more;
    `fail_on_recompile` raises instead.
    """

    def __init__(self, stance: str = "default", *, force_backend: object = None, **options: object) -> None:
        if force_backend is not None:
            raise ValueError("framelift.set_stance() takes no force_backend: compile with that backend instead")
        self.stance = stance
        self.before = change(stance)

    def __enter__(self) -> None:
        change(self.stance)

    def __exit__(self, *raised: object) -> None:
        change(self.before)

    def __call__(self, function: F) -> F:
        """Decorate."""
        change(self.before)
        stance = self.stance

        @functools.wraps(function)
        def within(*args: Any, **kwargs: Any) -> Any:
            with set_stance(stance):
                return function(*args, **kwargs)

        return within  # type: ignore[return-value]
