"""Recurrent networks for AOTAutograd, which takes them apart into steps.

PyTorch's Python code that does so forgets the dropout between layers; before 2.13 it gave the states of an LSTM a
dimension too much; and on the CPU it chooses a kernel without gradients for an LSTM if only the parameters want them.
It looks at the input alone there, so the graph has it look at one that requires a gradient, which nobody takes.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.symbols import takes_symbols
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence
from framelift.values.tensor import TensorValue

_LSTM_IS_RIGHT = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 13)


def _recurrent(function: Any) -> None:
    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        given = list(args)
        if m.recorder.is_for_aot():
            if kwargs or len(given) != 9 or _drops_between_layers(m, given):
                raise Break(UNKNOWN_OPERATION, "dropout between the layers of a recurrent network, with this backend")
            if function is torch.lstm:
                _prepare_lstm(m, given)
        return torch_ops.call(m, function, given, kwargs)

    takes_symbols(function)


for _function in (torch.lstm, torch.gru, torch.rnn_tanh, torch.rnn_relu):
    _recurrent(_function)


def _drops_between_layers(m: Tracer, given: list[Value]) -> bool:
    """(input, states, parameters, has biases, layers, dropout, training, ...); packed there is one more in front."""
    more = 0 if isinstance(given[2], Sequence) and not isinstance(given[3], Sequence) else 1
    layers, dropout, training = given[4 + more : 7 + more]
    return m.truth(training) and m.truth(dropout) and m.truth(m.compare(">", layers, Known(1)))


def _prepare_lstm(m: Tracer, given: list[Value]) -> None:
    if not _LSTM_IS_RIGHT:
        raise Break(UNKNOWN_OPERATION, "an LSTM, with this backend and release of PyTorch")
    data = given[0]
    without = isinstance(data, TensorValue) and not data.fake.requires_grad
    if without and torch.is_grad_enabled() and _wants_gradient(m, given):
        given[0] = m.call(Known(_requiring), [data])


def _requiring(data: torch.Tensor) -> torch.Tensor:
    """(traced)"""
    return data.detach().requires_grad_()


def _wants_gradient(m: Tracer, given: list[Value]) -> bool:
    parameters = [item for arg in given if isinstance(arg, Sequence) for item in arg.all(m)]
    return any(isinstance(item, TensorValue) and item.fake.requires_grad for item in parameters)
