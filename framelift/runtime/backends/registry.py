"""Backends by name.

Known are the ones framelift ships, those that third parties announce under PyTorch's entry-point group, and those
registered with PyTorch. The latter two are only listed here, and loaded when first used; PyTorch's own list is in a
part of it that is imported for a name found nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import torch
from torch.fx import GraphModule

from framelift.errors import BackendError
from framelift.graph.symbols import Symbols
from framelift.runtime.backends import aot_users, modes, spent, standard
from framelift.runtime.options import Backend, Options

ENTRY_POINT_GROUP = "torch_dynamo_backends"


REGISTRY = "torch._dynamo.backends.registry"


@cache
def _own_names() -> frozenset[str]:
    return frozenset([*standard.SHIPPED, *(point.name for point in entry_points(group=ENTRY_POINT_GROUP))])


def names() -> tuple[str, ...]:
    """Every backend that can be asked for by name, sorted."""
    registered = import_module(REGISTRY).list_backends(exclude_tags=())
    return tuple(sorted({*_own_names(), *registered}))


def _is_known(name: str) -> bool:
    return name in _own_names() or name in names()


def checked(backend: object) -> Backend:
    """`backend` itself when it is one; otherwise an error that says what would be."""
    if isinstance(backend, str):
        if _is_known(backend):
            return backend
        raise ValueError(f"unknown backend {backend!r}; expected one of {', '.join(names())}, or a callable")
    if callable(backend):
        return backend
    raise TypeError(f"backend must be a name or a callable (graph_module, example_inputs), got {backend!r}")


def checked_options(backend: Backend, options: Mapping[str, Any]) -> dict[str, Any]:
    """What `backend` is to be told; an error for what it would not understand, as far as that is known here."""
    return standard.inductor_options(options) if backend == "inductor" and options else dict(options)


def compile_with(
    options: Options, module: GraphModule, examples: list[Any], symbols: Symbols | None = None
) -> Callable[..., Any]:
    """Hand a graph to the backend; an error that names the backend if it fails."""
    backend = options.backend
    compiled: Any
    try:
        with modes.preserved(), modes.symbolic(symbols, examples, always=backend == "inductor") as fakes:
            if isinstance(backend, str):
                return _by_name(backend, options, module, fakes)
            compiled = _called(backend, options, module, examples)
    except Exception as error:
        raise BackendError(
            f"backend {_shown(backend)} failed on a graph: {type(error).__name__}: {error}", module
        ) from error
    if not callable(compiled):
        raise BackendError(f"backend {_shown(backend)} must return a callable, but returned {compiled!r}")
    found: Callable[..., Any] = compiled
    return found


def dynamic(options: Options) -> bool | None:
    """Whether sizes may vary in a graph: what was asked for, except that a CUDA graph has fixed sizes."""
    return False if options.dynamic is None and options.backend == "cudagraphs" else options.dynamic


def uses_aot(options: Options) -> bool:
    """Whether a backend is known to trace graphs with AOTAutograd."""
    backend = options.backend
    if isinstance(backend, str):
        return backend in ("inductor", "cudagraphs") or backend.startswith("aot_")
    return aot_users.is_known(backend)


def prologue(options: Options) -> Callable[[], Any] | None:
    """What has to be called at the start of every call of a function compiled with these options."""
    return standard.begin_step if standard.uses_cudagraphs(options) else None


def _called(
    backend: Callable[..., Any], options: Options, module: GraphModule, examples: list[torch.Tensor]
) -> Callable[..., Any]:
    before = aot_users.traces()
    try:
        compiled: Callable[..., Any] = backend(module, examples, **_extras(options))
    finally:
        if aot_users.traces() != before:
            aot_users.note(backend)
    return module.forward if compiled is module else compiled  # hooks on all modules are for those of the program


def _by_name(name: str, options: Options, module: GraphModule, examples: list[torch.Tensor]) -> Callable[..., Any]:
    shipped = standard.SHIPPED.get(name)
    if shipped is not None:
        asked = {**standard.MODES[options.mode or "default"], **dict(options.backend_options)}
        if not uses_aot(options):
            return shipped(module, examples, asked)
        return spent.compiled_without(module, lambda graph: shipped(graph, examples, asked))
    announced = tuple(entry_points(group=ENTRY_POINT_GROUP, name=name))
    backend: Any = announced[0].load() if announced else import_module(REGISTRY).lookup_backend(name)
    compiled: Callable[..., Any] = backend(module, examples, **_extras(options))
    return compiled


def _extras(options: Options) -> dict[str, Any]:
    """What a backend is told besides the graph, as PyTorch does it: nothing unless it was asked for."""
    extras: dict[str, Any] = {}
    if options.mode not in (None, "default"):
        extras["mode"] = options.mode
    if options.backend_options:
        extras["options"] = dict(options.backend_options)
    return extras


def _shown(backend: Backend) -> str:
    return repr(backend) if isinstance(backend, str) else getattr(backend, "__qualname__", repr(backend))
