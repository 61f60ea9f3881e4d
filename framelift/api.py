"""The public functions. They check what they are given and hand it to the runtime."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any, TypeVar, overload

from torch import nn

from framelift import _core, controls, logs
from framelift.report.explanation import Explanation, GuardListing, installed
from framelift.runtime import counters as counting
from framelift.runtime import disabling, driver, explaining, modules, strict
from framelift.runtime.backends import registry
from framelift.runtime.options import Backend, Options, interned

assert disabling is not None  # says how disabled functions run
assert strict is not None  # listens to the guards if it is to

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
    that says where and why; otherwise the graph breaks there and goes on after it. `dynamic=True` makes all sizes
    symbols at once, `dynamic=False` never, and by default one becomes a symbol when it is seen to change. `mode` and
    `options` go to the backend as `torch.compile` takes them. With `disable=True`, `fn` itself is given back.
    """
    registry.checked(backend)
    _check_options(mode, options)
    _check_kind("fullgraph", fullgraph, bool)
    _check_kind("disable", disable, bool)
    if dynamic is not None:
        _check_kind("dynamic", dynamic, bool)

    asked = interned(backend, fullgraph, dynamic, mode, registry.checked_options(backend, options or {}))

    def decorate(function: Any) -> Any:
        if not callable(function):
            raise TypeError(f"compile() takes a function or another callable, got {function!r}")
        return function if disable else _wrap(function, asked)

    return decorate if fn is _MISSING else decorate(fn)


def list_backends() -> list[str]:
    """The names `compile` takes for a backend: framelift's own, announced ones, and those registered with PyTorch."""
    return list(registry.names())


def explain(fn: Callable[..., Any], *, backend: Backend = "eager") -> Callable[..., Explanation]:
    """`explain(fn)(*args)` makes the call, captured afresh, and gives an `Explanation` of it; print that.

    It tells the graphs with their operations, the graph breaks with their reasons, the guards, the residual code, and
    why things were compiled again. `fn` may be compiled already or not; what is compiled stays as it is.
    """
    if not callable(fn):
        raise TypeError(f"explain() takes a function or another callable, got {fn!r}")
    asked = options_of(fn) or interned("eager", False, None, None, {})
    registry.checked(backend)
    options = interned(backend, False, asked.dynamic, None, {})
    target = plain(fn)

    def explained(*args: Any, **kwargs: Any) -> Explanation:
        found = explaining.explain(
            lambda ours: _wrap(target, ours), options, lambda compiled: compiled(*args, **kwargs)
        )
        found.recompiles = explaining.recompiled(_codes(target), options_of(fn)) + found.recompiles
        return found

    return explained


def guards(fn: Callable[..., Any]) -> GuardListing:
    """The guards installed for a compiled function, entry by entry; print it, or go through it."""
    if not callable(fn):
        raise TypeError(f"guards() takes a compiled function, got {fn!r}")
    return installed(explaining.entries(_codes(plain(fn)), options_of(fn)))


def disable(fn: Any = _MISSING, *, recursive: bool = True, reason: str = "") -> Any:
    """Have a function run as ordinary Python wherever it is called; what it calls too, unless `recursive=False`.

    Use it as a call, as `@disable` or as `@disable(...)`. `reason` is shown where the graph breaks.
    """
    if isinstance(fn, nn.Module):
        return modules.disabled_module(fn, recursive, reason)
    given = () if fn is _MISSING else (fn,)
    return controls.disable(*given, recursive=recursive, reason=reason)


def set_logs(*artifacts: str) -> None:
    """Log these artifacts and no others; without any, be quiet. `FRAMELIFT_LOGS=a,b` does the same from outside."""
    logs.switch(artifacts)


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
    made: Any = functools.update_wrapper(_core.Callable(inner, driver.compile_call, options), function)
    made._framelift_options = options
    return made


def plain(fn: Any) -> Any:
    """What was compiled, for something compiled; otherwise the thing itself."""
    while isinstance(fn, _core.Callable):
        fn = getattr(fn, "__wrapped__", None) or fn.__code__
    if isinstance(fn, MethodType) and isinstance(fn.__func__, _core.Callable):
        return MethodType(plain(fn.__func__), fn.__self__)
    return fn


def options_of(fn: Any) -> Options | None:
    """What something was compiled with."""
    found = getattr(getattr(fn, "__func__", fn), "_framelift_options", None)
    return found if isinstance(found, Options) else None


def _codes(target: Any) -> list[CodeType]:
    """The code objects that a call of something starts with."""
    call = type(target).__call__ if isinstance(target, nn.Module) else target
    found = plain(getattr(call, "__func__", call))
    code = getattr(found, "__code__", found)
    return [code if isinstance(code, CodeType) else _call_of(target).__code__]


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
