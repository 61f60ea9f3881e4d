"""Operations that PyTorch takes apart wrongly when AOTAutograd traces a graph: with such backends Python runs them."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.reasons import UNKNOWN_OPERATION, Break

_WRONG = (
    functional.multilabel_margin_loss,  # targets behind the first -1 count as well
    torch._C._nn.multilabel_margin_loss,
)


def _left_to_python(function: Any) -> None:
    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        if m.recorder.is_for_aot():
            raise Break(UNKNOWN_OPERATION, f"{function.__name__}, which this backend computes differently")
        return torch_ops.call(m, function, list(args), kwargs)


for _function in _WRONG:
    _left_to_python(_function)
