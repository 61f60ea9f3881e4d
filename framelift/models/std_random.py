"""Models of `random`: whatever draws a number, or sets what will be drawn, is left to Python as a whole."""

from __future__ import annotations

import random
import types
from typing import Any

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
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


_KINDS = types.FunctionType | types.MethodDescriptorType
_seen: set[int] = set()
for _cls in (random.Random, random.Random.__base__):
    for _name, _function in vars(_cls).items():
        if isinstance(_function, _KINDS) and not _name.startswith("_") and id(_function) not in _seen:
            _seen.add(id(_function))
            _left_to_python(_function)

for _method in (random.random, random.getrandbits):  # of the generator that the module's functions use
    if isinstance(_method, types.BuiltinMethodType):
        _left_to_python(_method)
