"""Backends by name.

Known are the ones framelift ships and those that third parties announce under PyTorch's entry-point group; the latter
are only listed here, and loaded when first used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import torch
from torch.fx import GraphModule

from framelift.errors import BackendError
from framelift.runtime.backends import modes, standard
from framelift.runtime.options import Backend, Options

ENTRY_POINT_GROUP = "torch_dynamo_backends"


@cache
def names() -> tuple[str, ...]:
    """Every backend that can be asked for by name, sorted."""
    announced = (point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return tuple(sorted({*standard.SHIPPED, *announced}))


def checked(backend: object) -> Backend:
    """`backend` itself when it is one; otherwise an error that says what would be."""
    if isinstance(backend, str):
        if backend in names():
            return backend
        raise ValueError(f"unknown backend {backend!r}; expected one of {', '.join(names())}, or a callable")
    if callable(backend):
        return backend
    raise TypeError(f"backend must be a name or a callable (graph_module, example_inputs), got {backend!r}")


def compile_with(options: Options, module: GraphModule, examples: list[torch.Tensor]) -> Callable[..., Any]:
    """Hand a graph to the backend; an error that names the backend if it fails."""
    backend = options.backend
    compiled: Any
    try:
        with modes.preserved():
            if isinstance(backend, str):
                return _by_name(backend, options, module, examples)
            compiled = backend(module, examples)
    except Exception as error:
        raise BackendError(f"backend {_shown(backend)} failed on a graph: {type(error).__name__}: {error}") from error
    if not callable(compiled):
        raise BackendError(f"backend {_shown(backend)} must return a callable, but returned {compiled!r}")
    found: Callable[..., Any] = compiled
    return found


def _by_name(name: str, options: Options, module: GraphModule, examples: list[torch.Tensor]) -> Callable[..., Any]:
    shipped = standard.SHIPPED.get(name)
    if shipped is not None:
        return shipped(module, examples, {**standard.MODES[options.mode or "default"], **dict(options.backend_options)})
    (point,) = entry_points(group=ENTRY_POINT_GROUP, name=name)
    compiled: Callable[..., Any] = point.load()(module, examples)
    return compiled


def _shown(backend: Backend) -> str:
    return repr(backend) if isinstance(backend, str) else getattr(backend, "__qualname__", repr(backend))
