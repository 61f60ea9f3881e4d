"""The public functions. They check what they are given and hand it to the runtime."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from torch import nn

from framelift import _core
from framelift.runtime import counters as counting
from framelift.runtime import driver, modules
from framelift.runtime.backends import registry
from framelift.runtime.options import Backend, Options, interned

F = TypeVar("F", bound=Callable[..., Any])

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


class _Missing:
    """Stands for a function not given: `compile(backend=...)` is a decorator, `compile(None)` a mistake."""


_MISSING = _Missing()


@overload
def compile(
    fn: F,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Backend = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: bool = False,
) -> F: ...


@overload
def compile(
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Backend = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: bool = False,
) -> Callable[[F], F]: ...


def compile(
    fn: Any = _MISSING,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Backend = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """Give back a callable that does what `fn` does, its tensor operations captured as a graph for the backend.

    Use it as a call, as `@compile` or as `@compile(...)`. With `fullgraph=True`, what cannot be captured is an error
    that says where and why; otherwise such a call runs as ordinary Python. `dynamic`, `mode` and `options` are checked
    and otherwise without effect yet.
    """
    registry.checked(backend)
    _check_options(mode, options)
    _check_kind("fullgraph", fullgraph, bool)
    _check_kind("disable", disable, bool)
    if dynamic is not None:
        _check_kind("dynamic", dynamic, bool)

    asked = interned(backend, fullgraph, dynamic, mode, dict(options or {}))

    def decorate(function: Any) -> Any:
        if not callable(function):
            raise TypeError(f"compile() takes a function or another callable, got {function!r}")
        return function if disable else _wrap(function, asked)

    return decorate if fn is _MISSING else decorate(fn)


def counters() -> dict[str, dict[str, int]]:
    """What happened so far in this process; `graph_break` maps each reason and place to how often it occurred."""
    return counting.counters()


def reset() -> None:
    """Forget everything compiled in this process."""
    driver.reset()
    counting.clear()


def _wrap(function: Callable[..., Any], options: Options) -> Any:
    if isinstance(function, nn.Module):
        return modules.compiled_module(function, options)
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        return MethodType(_wrap(function.__func__, options), function.__self__)
    inner = function if isinstance(function, FunctionType) else _call_of(function)
    return functools.update_wrapper(_core.Callable(inner, driver.compile_call, options), function)


def _call_of(target: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls `target`: builtins, partials, classes and callable objects have no code to run."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return target(*args, **kwargs)

    return call


def _check_options(mode: str | None, options: Mapping[str, Any] | None) -> None:
    if mode is not None and not isinstance(mode, str):
        raise TypeError(f"mode must be a str or None, got {mode!r}")
    if mode is not None and mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}; expected one of {', '.join(MODES)}")
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options must be a mapping of backend options, got {options!r}")
    if mode is not None and options is not None:
        raise ValueError("give either mode or options: a mode is a named set of options")


def _check_kind(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {value!r}")
