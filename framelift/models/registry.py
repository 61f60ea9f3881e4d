"""The table of models.

A model says what a callable does to symbolic values. It is either a handler, `handler(tracer, *values)`, or a polyfill:
a Python function that does the same and is traced in its place. Polyfills are preferred.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import CO_VARARGS, CO_VARKEYWORDS, unwrap
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Handler(NamedTuple):
    """A model in terms of values, with the arguments it can take."""

    function: Callable[..., Any]
    least: int
    most: int | None
    keywords: frozenset[str]
    any_keywords: bool

    def accepts(self, count: int, names: Any) -> bool:
        """Whether a call with so many positional arguments and these keywords is one it knows."""
        if self.most is not None and count > self.most:
            return False
        if not names:
            return count >= self.least
        return (self.any_keywords or self.keywords.issuperset(names)) and count + len(names) >= self.least


_models: dict[int, tuple[Any, Handler | FunctionType]] = {}


def model(*targets: Any) -> Callable[[F], F]:
    """Declare a handler for callables. It takes the tracer, then values."""

    def declare(function: F) -> F:
        handler = _handler(function)
        for target in targets:
            _add(target, handler)
        return function

    return declare


def polyfill(*targets: Any) -> Callable[[F], F]:
    """Declare a Python function that is traced in place of callables."""

    def declare(function: F) -> F:
        for target in targets:
            _add(target, function)
        return function

    return declare


symbolic: set[int] = set()
"""The ids of modelled callables that take symbolic numbers as they are; others get the number of this call."""


_setters: dict[Any, Callable[..., None]] = {}


def setter(descriptor: Any) -> Callable[[F], F]:
    """Declare what assigning through a built-in descriptor does: `handler(tracer, receiver, value)`."""

    def declare(function: F) -> F:
        _setters[descriptor] = function
        return function

    return declare


def find_setter(descriptor: Any) -> Callable[..., None] | None:
    return _setters.get(descriptor)


_code_models: dict[int, tuple[Any, Callable[..., Any]]] = {}


def code_model(code: CodeType) -> Callable[[F], F]:
    """Declare what a function nested in a library function does: `handler(tracer, function, closure, args, kwargs)`."""

    def declare(function: F) -> F:
        _code_models[id(code)] = (code, function)
        return function

    return declare


_named_models: dict[str, tuple[str, Callable[..., Any]]] = {}


def named_model(file: str, qualname: str) -> Callable[[F], F]:
    """As `code_model`, for a function of a module that is not to be imported: it is known by its file and name."""

    def declare(function: F) -> F:
        _named_models[qualname] = (file, function)
        return function

    return declare


def find_code_model(code: CodeType) -> Callable[..., Any] | None:
    found = _code_models.get(id(code))
    if found is not None:
        return found[1]
    named = _named_models.get(code.co_qualname)
    return named[1] if named is not None and code.co_filename.endswith(named[0]) else None


def find(target: Any) -> Handler | FunctionType | None:
    """The model of a callable, if there is one."""
    found = _models.get(id(target))
    return found[1] if found is not None else None


def _add(target: Any, what: Any) -> None:
    assert target is not None, "None is modelled: a method that this Python does not have"
    assert id(target) not in _models, f"{target!r} is modelled twice"
    _models[id(target)] = (target, what)  # the target is kept, so that its id stays its own


def _handler(function: Callable[..., Any]) -> Handler:
    """There are thousands: what `inspect.signature` would tell is read off the code, in a tenth of the time."""
    told: Any = unwrap(function) if hasattr(function, "__wrapped__") else function
    code = told.__code__
    least = code.co_argcount - len(told.__defaults__ or ()) - 1  # the tracer does not count
    most = None if code.co_flags & CO_VARARGS else code.co_argcount - 1
    names = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return Handler(function, least, most, frozenset(names), bool(code.co_flags & CO_VARKEYWORDS))
