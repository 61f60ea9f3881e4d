"""Models of NumPy's functions."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from framelift.models import registry
from framelift.models.numpy_library import LEFT_TO_PYTHON, Theirs, call
from framelift.models.registry import model
from framelift.values import numpy_numbers
from framelift.values.base import Tracer, Value

np: Any = numpy_numbers.np


def _function(function: Any, names: list[str], module: str) -> None:
    """Declare the model of a function, which may have several names."""
    theirs = Theirs([function.__name__, *names], module)

    def handler(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        return call(m, function, list(args), kwargs, theirs)

    registry.symbolic.add(id(function))
    model(function)(handler)


def _public(module: Any, kinds: Any) -> Iterator[tuple[str, Any]]:
    for name in dir(module):
        function = getattr(module, name)
        home = getattr(function, "__module__", None) or "numpy"
        if not name.startswith("_") and isinstance(function, kinds) and home.startswith("numpy"):
            yield name, function


def _declare() -> None:
    kinds = (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.sum))
    for module in (np, np.linalg, np.fft):
        names: dict[int, list[str]] = {}
        for name, function in _public(module, kinds):
            names.setdefault(id(function), []).append(name)
        for _, function in _public(module, kinds):
            if registry.find(function) is None and function.__name__ not in LEFT_TO_PYTHON:
                _function(function, names[id(function)], module.__name__.rpartition("numpy")[2].strip("."))


if np is not None:
    _declare()
