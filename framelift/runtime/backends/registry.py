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

from framelift.runtime.options import Backend, Options

SHIPPED = ("aot_eager", "cudagraphs", "eager", "inductor")
ENTRY_POINT_GROUP = "torch_dynamo_backends"


@cache
def names() -> tuple[str, ...]:
    """Every backend that can be asked for by name, sorted."""
    announced = (point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return tuple(sorted({*SHIPPED, *announced}))


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
    """Hand a graph to the backend."""
    backend = options.backend
    if backend in ("eager", "inductor"):
        forward: Callable[..., Any] = module.forward
        return forward
    assert not isinstance(backend, str)
    compiled: Callable[..., Any] = backend(module, examples)
    return compiled
