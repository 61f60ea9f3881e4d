"""Modes for fake tensors, made without a walk over the stack.

PyTorch's constructor of one takes a traceback of whoever makes it, with a look at the file of every frame; deep in a
program that costs more than many a capture. So it is called once for each configuration, and all other modes are copies
of that one with containers and a memory of tensors of their own.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import Any

from torch._subclasses.fake_tensor import FakeTensorConverter, FakeTensorMode
from torch.nested._internal import nested_tensor

# What the constructor asks, and whom; it imports them itself.
_SETTINGS = (
    ("torch._dynamo.config", "fake_tensor_cache_enabled"),
    ("torch._dynamo.config", "fake_tensor_cache_crosscheck_enabled"),
    ("torch._functorch.config", "fake_tensor_propagate_real_tensors"),
    ("torch._functorch.config", "fake_tensor_allow_unsafe_data_ptr_access"),
    ("torch._functorch.config", "fake_tensor_allow_meta"),
)

_first: dict[tuple[Any, ...], FakeTensorMode] = {}


def fake_mode() -> FakeTensorMode:
    """A mode of its own, as `FakeTensorMode()` makes it."""
    first = _first.get(_configuration())
    if first is None:
        first = FakeTensorMode()
        _first[_configuration()] = first
    made = FakeTensorMode.__new__(FakeTensorMode)
    vars(made).update({name: _own(value) for name, value in vars(first).items()})
    made.fake_tensor_converter = FakeTensorConverter(copy_data=first.propagate_real_tensors, export=False)
    made.nt_tensor_id_initial_count = nested_tensor._tensor_id_counter
    made.reset_nt_tensor_id_counter()
    return made


def _configuration() -> tuple[Any, ...]:
    return tuple(getattr(sys.modules.get(module), name, None) for module, name in _SETTINGS)


def _own(value: Any) -> Any:
    return type(value)() if isinstance(value, list | deque) else value
