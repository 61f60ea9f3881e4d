"""Worlds: a program together with everything it can change, made anew whenever one is needed.

The eager and the compiled run each get a world of their own, so that neither sees what the other did and their ends can
be compared. A corpus is executed again for each (from fresh code objects, so that no cache entry is shared either).
"""

from __future__ import annotations

import copy
import marshal
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROGRAMS = "__programs__"


class Arguments:
    """The arguments of one call."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs

    def fresh(self) -> Arguments:
        """An equal set of arguments that shares nothing with this one, and within itself what this one shares."""
        args, kwargs = copy.deepcopy((self.args, self.kwargs))
        return Arguments(args, kwargs)


class World:
    """A function to call, and the module it lives in."""

    def __init__(self, function: Callable[..., Any], module: types.ModuleType) -> None:
        self.function = function
        self.module = module

    def enter(self) -> None:
        """Let the module be found by name: dataclasses and pickling look there."""
        sys.modules[self.module.__name__] = self.module

    @property
    def code(self) -> types.CodeType | None:
        function = getattr(self.function, "__func__", self.function)
        return getattr(function, "__code__", None)


class Corpus:
    """A source text that can be executed any number of times."""

    def __init__(self, source: str, name: str, filename: str) -> None:
        self.name = name
        self.filename = filename
        self._code = marshal.dumps(compile(source, filename, "exec", dont_inherit=True))

    @classmethod
    def of(cls, path: Path) -> Corpus:
        return cls(path.read_text(encoding="utf-8"), f"tests.capture.programs.{path.stem}", str(path))

    def module(self) -> types.ModuleType:
        """The module, executed anew from code objects of its own."""
        module = types.ModuleType(self.name)
        module.__file__ = self.filename
        sys.modules[self.name] = module
        exec(marshal.loads(self._code), vars(module))
        return module


def world_of(function: types.FunctionType) -> World:
    """A world for a function that exists: its code, defaults, closure and the data among its globals are copies."""
    memo: dict[int, Any] = {}
    module = types.ModuleType(function.__module__)
    for name, value in function.__globals__.items():
        vars(module)[name] = copy.deepcopy(value, memo) if _is_data(value) else value
    cells = tuple(types.CellType(*_cell_contents(cell, memo)) for cell in function.__closure__ or ())
    made = types.FunctionType(
        function.__code__.replace(), vars(module), function.__name__, copy.deepcopy(function.__defaults__, memo), cells
    )
    made.__kwdefaults__ = copy.deepcopy(function.__kwdefaults__, memo)
    made.__qualname__ = function.__qualname__
    return World(made, module)


def _is_data(value: Any) -> bool:
    return type(value) in (list, dict, set, bytearray)


def _cell_contents(cell: types.CellType, memo: dict[int, Any]) -> tuple[Any, ...]:
    try:
        return (copy.deepcopy(cell.cell_contents, memo),)
    except ValueError:
        return ()


def names_used(function: Callable[..., Any], module: types.ModuleType) -> list[str]:
    """The global names a function and the functions and classes of its module that it leads to mention, sorted."""
    names: set[str] = set()
    seen: set[int] = set()
    todo: list[Any] = [getattr(function, "__func__", function)]
    while todo:
        obj = todo.pop()
        if id(obj) in seen:
            continue
        seen.add(id(obj))
        if isinstance(obj, types.CodeType):
            todo += [const for const in obj.co_consts if isinstance(const, types.CodeType)]
            for name in obj.co_names:
                if name in vars(module):
                    todo.append(vars(module)[name])
                names.add(name)
        elif isinstance(obj, types.FunctionType):
            todo += [obj.__code__, *_contents(obj)]
        elif isinstance(obj, type) and obj.__module__ == module.__name__:
            todo += [*vars(obj).values(), *obj.__mro__[1:], type(obj)]
        elif isinstance(obj, property):
            todo += [obj.fget, obj.fset, obj.fdel]
        elif isinstance(obj, staticmethod | classmethod | types.MethodType):
            todo.append(obj.__func__)
        else:
            todo.append(type(obj))
    return sorted(names)


def _contents(function: types.FunctionType) -> list[Any]:
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue
    return found
