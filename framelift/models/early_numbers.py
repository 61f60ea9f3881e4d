"""Numbers that Python makes before the graph runs, which gets them as inputs: of each only the kind is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from framelift.models import early_steps, torch_scalars
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import Break

_MOST = 100  # so many numbers are made before one graph; a program that makes thousands is not about them


def taken(m: Tracer, function: Callable[..., Any], dtype: torch.dtype, *args: Value, otherwise: Break) -> Value:
    """The number that `function(*args)` will give, which fits into a tensor of this dtype."""
    if len(m.early.steps) >= _MOST:
        raise otherwise  # each is a symbol of its own, and these take PyTorch milliseconds
    found = early_steps.tensor(m, function.__name__, lambda: torch.zeros((), dtype=dtype))
    early_steps.add(m, _as_tensor, Known(function), Known(dtype), *args, result=found)
    number = torch_scalars.scalar(m, found)
    m.recorder.uncount()  # the number is there before the graph
    return number


def _as_tensor(function: Callable[..., Any], dtype: torch.dtype, *args: Any) -> torch.Tensor:
    """For the residual."""
    return torch.tensor(function(*args), dtype=dtype)
