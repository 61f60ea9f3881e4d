"""Modes for fake tensors, made without a walk over the stack, and for tensors without their gradients.

PyTorch's constructor of one takes a traceback of whoever makes it, with a look at the file of every frame; deep in a
program that costs more than many a capture. So it is called once for each configuration, and all other modes are copies
of that one with containers and a memory of tensors of their own.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import deque
from typing import Any

from torch._subclasses.fake_tensor import FakeTensorConverter, FakeTensorMode
from torch._subclasses.meta_utils import MetaTensorDescriber
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
    leave_gradients_out(made)
    made.nt_tensor_id_initial_count = nested_tensor._tensor_id_counter
    made.reset_nt_tensor_id_counter()
    return made


class _WithoutGradients(MetaTensorDescriber):
    def describe_tensor(self, t: Any, *, recurse: bool = True, trace: bool = False) -> Any:
        found = super().describe_tensor(t, recurse=recurse, trace=trace)
        return found if found.grad is None else dataclasses.replace(found, grad=None)


def leave_gradients_out(mode: FakeTensorMode) -> None:
    """Have the fake of a tensor be made without one of its gradient.

    Who asks for a gradient gets a fake for it then, and guards on it. Made along with its tensor's it would only have
    symbols of its own, for sizes that nobody reads again.
    """
    converter = mode.fake_tensor_converter.meta_converter
    converter.describer = _WithoutGradients(copy_data=mode.propagate_real_tensors)


def _configuration() -> tuple[Any, ...]:
    return tuple(getattr(sys.modules.get(module), name, None) for module, name in _SETTINGS)


def _own(value: Any) -> Any:
    return type(value)() if isinstance(value, list | deque) else value
