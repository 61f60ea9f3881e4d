"""Keeps PyTorch's modes as they are while a backend compiles: tracing a graph runs its changes of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._guards import TracingContext, tracing
from torch._subclasses.fake_tensor import FakeTensorMode

from framelift.graph.fake_mode import leave_gradients_out
from framelift.graph.symbols import Symbols
from framelift.models.torch_modes import SETTINGS

DEVICES = ("cpu", "cuda")


@contextmanager
def preserved() -> Iterator[None]:
    """Afterwards grad mode, autocast and the like are what they were before."""
    settings = [(change, ask()) for change, ask in SETTINGS]
    autocast = [(device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)) for device in DEVICES]
    try:
        yield
    finally:
        for (change, before), (_, ask) in zip(settings, SETTINGS, strict=True):
            if ask() != before:
                change(before)
        for device, enabled, dtype in autocast:
            torch.set_autocast_enabled(device, enabled)
            torch.set_autocast_dtype(device, dtype)


@contextmanager
def symbolic(symbols: Symbols | None, examples: list[Any], *, always: bool) -> Iterator[list[Any]]:
    """Backends find the symbols of the capture. Gives the inputs as fakes that have them.

    Without symbols there is nothing to find, and the inputs are given as they are unless `always` is set.
    """
    if symbols is None:
        if not always:
            yield examples
            return
        symbols = Symbols(specialize_zero_one=True, scalars=False, dynamic_outputs=False)
    mode = FakeTensorMode(shape_env=symbols.env)
    leave_gradients_out(mode)
    mode.allow_scalar_outputs = True  # what was not wanted in the graph is not there
    fakes = symbols.fakes(examples, mode)
    context = TracingContext(mode)
    for tensor, symbolic_context in symbols.contexts:
        context.tensor_to_context[tensor] = symbolic_context
    _forget_floats()
    with tracing(context), symbols.of_inputs(examples):
        yield fakes


def _forget_floats() -> None:
    """Have AOTAutograd forget which floats it wanted to be constants: it knows them by names that come again."""
    module = sys.modules.get("torch._dynamo.symbolic_convert")
    if module is not None:
        module.TensorifyState.clear()
