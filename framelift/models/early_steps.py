"""Declaring what the residual does before the graph, with tensors among the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from framelift.graph.derived import hint_of
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyStep, EarlyTensor
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.symbol import SymbolValue, specialized


def add(m: Tracer, function: Callable[..., Any], *args: Any, result: Value | None = None, changes: bool = True) -> None:
    m.early.steps.append(EarlyStep(function, args, result, changes))


def tensor(m: Tracer, name: str, make: Callable[[], Any]) -> EarlyTensor:
    """A tensor that a step will make, as an input of the graph: `make()` gives a fake like it."""
    with m.recorder.mode:
        fake = make()
    sizes, strides = [hint_of(size) for size in fake.shape], [hint_of(step) for step in fake.stride()]
    if None in sizes:
        raise Break(UNKNOWN_OPERATION, f"{name} of a size that only the graph knows")
    example = torch.empty_strided(sizes, strides, dtype=fake.dtype, device=fake.device)
    if any(type(size) is not int for size in fake.shape):
        m.use_symbols().note_made(example, fake)
    if isinstance(fake, torch.nn.Parameter):
        example = torch.nn.Parameter(example, fake.requires_grad)
    made = EarlyTensor(m.recorder.placeholder(name, fake, example), fake, type(example))
    m.early.inputs[made.node] = made
    return made


def with_sizes(m: Tracer, value: Value) -> Value:
    """Literals and sizes, alone or in sequences; what is computed from sizes is the number of this call."""
    if isinstance(value, TupleValue | ListValue):
        return TupleValue([with_sizes(m, item) for item in value.all(m)], tuple)
    if isinstance(value, SymbolValue) and not value.sym.node._expr.is_Symbol:
        value = specialized(m, value)
    return number(m, value)


def number(m: Tracer, value: Value) -> Value:
    """A literal, or an int that is known before the graph runs."""
    if isinstance(value, SymbolValue) and value.cls is int and hint_of(value.sym) is not None:
        return value
    return Known(literal(m, specialized(m, value)))


def fakes(m: Tracer, value: Value) -> Any:
    """The same, as operations on fakes take them."""
    if isinstance(value, TupleValue):
        return tuple(fakes(m, item) for item in value.all(m))
    assert isinstance(value, Known | SymbolValue)
    return value.obj if isinstance(value, Known) else value.sym


def literal(m: Tracer, value: Value) -> Any:
    """A literal or a sequence of them, as it is."""
    if isinstance(value, Known) and value.literal:
        return value.obj
    if isinstance(value, TupleValue | ListValue):
        return [literal(m, item) for item in value.all(m)]
    if isinstance(value, SymbolValue):
        raise Break(UNKNOWN_OPERATION, "a number that varies, for something done before the graph")
    raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} among the arguments of something done before the graph")
