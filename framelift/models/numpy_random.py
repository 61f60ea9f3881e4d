"""Models of NumPy's generators: the residual draws numbers and arrays before the graph, which gets them as inputs.

Whatever else draws something, or sets what will be drawn, is left to Python as a whole.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models import early_steps, registry, torch_scalars
from framelift.models.numpy_graph import tensor_over
from framelift.models.registry import model
from framelift.values import numpy_numbers
from framelift.values.arrays import ArrayValue, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import Break, reason

np: Any = numpy_numbers.np

RANDOM = reason(
    "random number of NumPy",
    "The program uses a generator of NumPy's, of which every call gives something else.",
    "Draw the numbers with PyTorch, or outside of the compiled region.",
)

# Those of which the kind and shape of the result follow from the arguments.
_DRAW = frozenset(
    {
        *("rand", "randn", "random", "random_sample", "uniform", "normal", "standard_normal", "randint", "integers"),
        *("exponential", "poisson", "binomial", "beta", "gamma", "laplace", "lognormal", "permutation"),
    }
)


def _left_to_python(function: Any) -> None:
    def refuse(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        raise Break(RANDOM, function)

    model(function)(refuse)


def _drawn_early(function: Any, name: str, make: Any) -> None:
    """Have the graph take what is drawn before it runs. `make(0)` gives a generator to find out what that is like."""

    def draw(m: Tracer, generator: Value, /, *args: Value, **kwargs: Value) -> Value:
        if generator.seen is None or kwargs.keys() - {"size", "low", "high", "loc", "scale"}:
            raise Break(RANDOM, function)
        given = [_literal(m, arg) for arg in args]
        named = {key: _literal(m, arg) for key, arg in kwargs.items()}
        try:
            like = getattr(make(0), name)(*given, **named)
        except Exception:  # noqa: BLE001 - wrong arguments are for Python to complain of
            raise Break(RANDOM, function) from None
        example = tensor_over(np.asarray(like))
        if example is None:
            raise Break(RANDOM, function)
        found = early_steps.tensor(m, name, lambda: torch.zeros(example.shape, dtype=example.dtype))
        early_steps.add(m, _Draw(name, given, named), generator, result=found)
        if isinstance(like, np.ndarray):
            return ArrayValue(tensor=found)
        return NumberValue(found, type(like)) if isinstance(like, np.generic) else torch_scalars.scalar(m, found)

    model(function)(draw)


def _literal(m: Tracer, value: Value) -> Any:
    if not isinstance(value, Known) and not hasattr(value, "all"):
        raise Break(RANDOM, "with such arguments")
    found = early_steps.literal(m, value)
    return tuple(found) if isinstance(found, list) else found


class _Draw:
    """For the residual: draws, and gives a tensor of it."""

    def __init__(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> None:
        self.name = name
        self.args = args
        self.kwargs = kwargs

    def __call__(self, generator: Any) -> torch.Tensor:
        return torch.from_numpy(np.asarray(getattr(generator, self.name)(*self.args, **self.kwargs)))


def _declare() -> None:
    for cls, make in ((np.random.RandomState, np.random.RandomState), (np.random.Generator, np.random.default_rng)):
        for name, function in vars(cls).items():
            if callable(function) and not name.startswith("_"):
                if name in _DRAW:
                    _drawn_early(function, name, make)
                else:
                    _left_to_python(function)
    for name in ("seed", "get_state", "set_state", "default_rng", "sample", "ranf"):
        function = getattr(np.random, name, None)
        if callable(function) and not isinstance(function, type) and registry.find(function) is None:
            _left_to_python(function)


if np is not None:
    _declare()
