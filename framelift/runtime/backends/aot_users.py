"""Which callables trace the graphs they are given with AOTAutograd. It counts its traces, so that shows."""

from __future__ import annotations

import sys
import weakref
from typing import Any

_AOT = "torch._functorch.aot_autograd"
_known: dict[int, weakref.ref[Any]] = {}


def traces() -> str:
    """Something that changes with each trace."""
    module = sys.modules.get(_AOT)
    return "count(0)" if module is None else repr(module.AOT_COUNTER)


def note(backend: Any) -> None:
    """This one does."""
    number = id(backend)
    try:
        _known[number] = weakref.ref(backend, lambda gone: _known.pop(number, None))
    except TypeError:
        return  # it is found out again with each graph


def is_known(backend: Any) -> bool:
    """Whether it was seen to, or is what PyTorch's own `aot_autograd` makes."""
    found = _known.get(id(backend))
    return (found is not None and found() is backend) or type(backend).__name__ == "AotAutograd"
