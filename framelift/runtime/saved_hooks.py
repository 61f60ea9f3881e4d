"""Hooks on what autograd saves must not see the tensors of a capture, nor those of a backend that traces a graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

_autograd: Any = torch._C._autograd


@contextmanager
def suspended() -> Iterator[None]:
    """Without the hooks of this thread."""
    hooks = []
    while (top := _autograd._top_saved_tensors_default_hooks(True)) is not None:
        hooks.append(top)
        _autograd._pop_saved_tensors_default_hooks()
    try:
        yield
    finally:
        for pair in reversed(hooks):
            _autograd._push_saved_tensors_default_hooks(*pair)
