"""Models of `random`: the residual draws plain numbers before the graph, which gets them as inputs.

Whatever else draws something, or sets what will be drawn, is left to Python as a whole.
"""

from __future__ import annotations

import random
import types
from typing import Any

import torch

from framelift.models import early_numbers
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import Break, reason

RANDOM = reason(
    "random number of Python",
    "The program uses a generator of Python's module random, of which every call gives something else.",
    "Draw the numbers with PyTorch, or outside of the compiled region.",
)


def _left_to_python(function: Any) -> None:
    def refuse(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        raise Break(RANDOM, function)

    model(function)(refuse)


_FLOATS = ("random", "uniform", "triangular", "gauss", "normalvariate", "expovariate", "betavariate", "lognormvariate")
_INTS = ("randint", "randrange", "getrandbits")
_LARGEST = 2**62


def _drawn_early(function: Any, name: str) -> None:
    """Have the graph take a number that is drawn before it runs."""
    dtype = torch.float64 if name in _FLOATS else torch.int64

    def draw(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        refused = Break(RANDOM, function)
        generator, given = (
            (Known(_SHARED), args) if isinstance(function, types.BuiltinMethodType) else (args[0], args[1:])
        )
        if kwargs or generator.cls is not random.Random or not all(_is_plain(arg) for arg in given):
            raise refused
        if not isinstance(generator, Known) and generator.seen is None:
            raise refused  # one made in the call
        literals = [arg.obj for arg in given if isinstance(arg, Known)]
        if name == "getrandbits" and literals and literals[0] >= _LARGEST.bit_length():
            raise refused  # a tensor holds no such number
        try:
            getattr(random.Random(0), name)(*literals)  # wrong arguments are for Python to complain of
        except Exception:  # noqa: BLE001
            raise refused from None
        return early_numbers.taken(m, getattr(random.Random, name), dtype, generator, *given, otherwise=refused)

    model(function)(draw)


def _is_plain(value: Value) -> bool:
    if not isinstance(value, Known):
        return False
    return type(value.obj) is float or (type(value.obj) is int and -_LARGEST < value.obj < _LARGEST)


_SHARED: Any = random.random.__self__  # type: ignore[attr-defined]
_KINDS = types.FunctionType | types.MethodDescriptorType
_seen: set[int] = set()


def _declare(function: Any, name: str) -> None:
    if name in (*_FLOATS, *_INTS):
        _drawn_early(function, name)
    else:
        _left_to_python(function)


for _cls in (random.Random, random.Random.__base__):
    for _name, _function in vars(_cls).items():
        if isinstance(_function, _KINDS) and not _name.startswith("_") and id(_function) not in _seen:
            _seen.add(id(_function))
            _declare(_function, _name)

for _method in (random.random, random.getrandbits):  # of the generator that the module's functions use
    if isinstance(_method, types.BuiltinMethodType):
        _declare(_method, _method.__name__)
