"""`torch.finfo` and `torch.iinfo`: the limits of number types. Such an object says all about itself."""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.contents import known_class
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


def _limits(kind: Any) -> None:
    @model(kind.__new__)
    def make(m: Tracer, cls: Value, /, type: Value | None = None) -> Value:  # noqa: A002 - what PyTorch calls it
        if known_class(cls) is not kind or (type is not None and not isinstance(type, Known)):
            raise Break(UNKNOWN_OPERATION, f"{kind.__name__} of an unusual type")
        try:
            return Known(kind() if type is None else kind(type.obj))
        except (TypeError, RuntimeError) as error:
            m.throw(error.__class__, *error.args)


for _kind in (torch.finfo, torch.iinfo):
    _limits(_kind)
