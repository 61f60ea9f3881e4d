"""Numbers that Python functions compute from symbols: each is a symbol of its own, with what it is computed by.

PyTorch's algebra is exact for ints. Of floats it knows fewer functions than Python does, and it adds and multiplies in
an order of its own. So a float is never computed by the algebra where its value can be had before the graph runs: the
residual computes it as the program does, the graph gets it as an input, and the guards repeat the calculation.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import torch


class Derivation(NamedTuple):
    """What a number is computed by: a function, and numbers, symbolic or not."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kind: type
    may_fail: bool  # for other numbers it may raise, or give something else

    def text(self, shown: Callable[[Any], str]) -> str:
        """As a person would write it."""
        sign = _SIGNS.get(self.function)
        if sign is not None and len(self.args) == 2:
            return f"({shown(self.args[0])} {sign} {shown(self.args[1])})"
        name = getattr(self.function, "__name__", "function")
        return f"{name}({', '.join(map(shown, self.args))})"


_SIGNS: dict[Any, str] = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
}

NEVER_FAILS = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.neg,
    operator.pos, abs, float, max, min,
})  # fmt: skip
"""Functions that give a number of one kind for all numbers; divisors are known not to be 0."""

IN_GRAPH: dict[Any, Callable[..., Any]] = {
    **{
        function: function
        for function in (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pos, abs)
    },
    operator.pow: operator.pow,
    float: torch.sym_float,
    int: torch.sym_int,
    round: round,
    math.floor: math.floor,
    math.ceil: math.ceil,
    math.trunc: torch.sym_int,
    math.sqrt: torch.sym_sqrt,
}
"""What a graph can compute itself from sizes and ints, on every backend."""


def is_operation(derivation: Derivation) -> bool:
    """Whether a graph can compute a number as Python does.

    Powers of negative numbers confuse backends; the algebra knows neither the sign of a zero nor what is not finite.
    """
    function, args = derivation.function, derivation.args
    if any(isinstance(arg, float) and (arg == 0 or not math.isfinite(arg)) for arg in args):
        return False
    if function is operator.pow and not isinstance(args[0], torch.SymInt | torch.SymFloat) and args[0] < 0:
        return False
    return function in IN_GRAPH and not (function is round and len(args) > 1)


def key_of(number: Any) -> Any:
    """What tells a number from others: 0.0 from -0.0, and 1 from 1.0."""
    if isinstance(number, torch.SymInt | torch.SymFloat | torch.SymBool):
        return number.node._expr
    return type(number), repr(number)


def hint_of(number: Any) -> Any:
    """What a number is in this call; None if only the graph knows."""
    if not isinstance(number, torch.SymInt | torch.SymFloat | torch.SymBool):
        return number
    return number.node.hint if number.node.has_hint() else None


def computed(function: Callable[..., Any], kind: type, *args: Any) -> Any:
    """For the residual: a number, which is to be of the kind it was when the graph was made."""
    number = function(*args)
    if type(number) is not kind:
        raise TypeError(f"{function} gave a {type(number).__name__}, not a {kind.__name__}")
    return number
