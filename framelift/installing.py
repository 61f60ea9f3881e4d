"""Puts framelift in the place of PyTorch's own compiler, for the libraries of a process that call it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from framelift import api
from framelift.runtime.stance import set_stance

_lock = threading.Lock()
_originals: dict[tuple[Any, str], Any] = {}

# Of what PyTorch's own front end takes; they say nothing to a backend.
_NOT_FOR_BACKENDS = ("guard_filter_fn", "use_aoti")


def install() -> None:
    """Have `torch.compile`, `nn.Module.compile` and the libraries that call them use framelift from now on."""
    with _lock:
        if not _originals:
            for place, name, stand_in in _replaced():
                _originals[place, name] = getattr(place, name)
                setattr(place, name, stand_in)


def uninstall() -> None:
    """Put back what `install` replaced. What was compiled meanwhile stays compiled."""
    with _lock:
        for (place, name), original in _originals.items():
            setattr(place, name, original)
        _originals.clear()


def is_installed() -> bool:
    """Whether `torch.compile` is framelift's."""
    return bool(_originals)


@contextmanager
def installed() -> Iterator[None]:
    """`with framelift.installed():` installed inside, and afterwards as before."""
    before = is_installed()
    install()
    try:
        yield
    finally:
        if not before:
            uninstall()


def _replaced() -> list[tuple[Any, str, Any]]:
    return [
        (torch, "compile", torch_compile),
        (torch.compiler, "set_stance", set_stance),
        (torch.compiler, "reset", torch_reset),
    ]


def torch_compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
    **others: Any,
) -> Any:
    """What `torch.compile` is while framelift is installed. Limits and names given to that one say nothing here."""
    if options is not None:
        options = {name: value for name, value in options.items() if name not in _NOT_FOR_BACKENDS} or None
    decorate = api.compile(
        fullgraph=bool(fullgraph),
        dynamic=dynamic,
        backend="inductor" if backend is None else backend,
        mode=mode,
        options=options,
        disable=bool(disable),
    )
    return decorate if model is None else decorate(model)


def torch_reset() -> None:
    """Forget everything compiled, here and, where it is in use, by PyTorch's own front end."""
    api.reset()
    if "torch._dynamo" in sys.modules:
        _originals[torch.compiler, "reset"]()
