"""Declaring what the residual does before the graph, with tensors among the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyStep, EarlyTensor
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.symbol import SymbolValue


def add(m: Tracer, function: Callable[..., Any], *args: Any, result: Value | None = None, changes: bool = True) -> None:
    m.early.steps.append(EarlyStep(function, args, result, changes))


def tensor(m: Tracer, name: str, make: Callable[[], Any]) -> EarlyTensor:
    """A tensor that a step will make, as an input of the graph: `make()` gives a fake like it."""
    with m.recorder.mode:
        fake = make()
    if not all(type(size) is int for size in fake.shape):
        raise Break(UNKNOWN_OPERATION, f"{name} of a size that varies")
    example = torch.empty_strided(fake.shape, fake.stride(), dtype=fake.dtype, device=fake.device)
    if isinstance(fake, torch.nn.Parameter):
        example = torch.nn.Parameter(example, fake.requires_grad)
    made = EarlyTensor(m.recorder.placeholder(name, fake, example), fake, type(example))
    m.early.inputs[made.node] = made
    return made


def literal(m: Tracer, value: Value) -> Any:
    """A literal or a sequence of them, as it is."""
    if isinstance(value, Known) and value.literal:
        return value.obj
    if isinstance(value, TupleValue | ListValue):
        return [literal(m, item) for item in value.all(m)]
    if isinstance(value, SymbolValue):
        raise Break(UNKNOWN_OPERATION, "a number that varies, for something done before the graph")
    raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} among the arguments of something done before the graph")
