"""LSTMs for AOTAutograd, which chooses a kernel without gradients on the CPU if only the parameters want them.

It looks at the input alone. So the graph has it look at one that requires a gradient, which nobody takes.
"""

from __future__ import annotations

import torch

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.symbols import takes_symbols
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import Sequence
from framelift.values.tensor import TensorValue


@model(torch.lstm)
def lstm(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
    given = list(args)
    if given and m.recorder.by_aot and torch.is_grad_enabled():
        data = given[0]
        if isinstance(data, TensorValue) and not data.fake.requires_grad and _wants_gradient(m, args):
            given[0] = m.call(Known(_requiring), [data])
    return torch_ops.call(m, torch.lstm, given, kwargs)


def _requiring(data: torch.Tensor) -> torch.Tensor:
    """(traced)"""
    return data.detach().requires_grad_()


def _wants_gradient(m: Tracer, args: tuple[Value, ...]) -> bool:
    parameters = [item for arg in args if isinstance(arg, Sequence) for item in arg.all(m)]
    return any(isinstance(item, TensorValue) and item.fake.requires_grad for item in parameters)


takes_symbols(torch.lstm)
