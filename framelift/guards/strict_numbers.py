"""Strict mode for conditions on sizes and numbers: the little programs of the native guards, run in Python."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from framelift.guards.conditions import REAL_FUNCTIONS

_LARGEST = 2**63


def first_failure(specification: Any, gathered: dict[int, Any]) -> int | None:
    """The index of the first condition that does not hold, -2 when a number cannot be had; None when all hold."""
    loads, conditions = specification
    try:
        numbers = [_load(gathered[out], origin, dim) for origin, out, dim in loads]
    except Exception:  # noqa: BLE001  (an object of another kind)
        return -2
    for index, condition in enumerate(conditions):
        if not _holds(condition, numbers):
            return index
    return None


def _load(obj: Any, origin: str, dim: int) -> Any:
    if origin in ("int", "float"):
        if type(obj).__name__ != origin:
            raise TypeError
        return _whole(obj) if origin == "int" else obj
    with torch._C.DisableTorchFunction():
        if not isinstance(obj, torch.Tensor):
            obj = torch.from_numpy(obj)
        if origin == "offset":
            return obj.storage_offset()
        return obj.size(dim) if origin == "size" else obj.stride(dim)


def _holds(condition: Any, numbers: list[Any]) -> bool:
    stack: list[Any] = []
    try:
        for name, argument in condition:
            if name == "variable":
                stack.append(numbers[argument])
            elif name == "constant":
                stack.append(argument)
            else:
                takes, compute = _OPERATIONS[name]
                operands = stack[len(stack) - takes :]
                del stack[len(stack) - takes :]
                stack.append(_whole(compute(*operands)))
    except (ArithmeticError, ValueError):
        return False
    return bool(stack[0])


def _whole(number: Any) -> Any:
    """What fits into 64 bits; anything larger makes its condition false."""
    if isinstance(number, int) and not -_LARGEST <= number < _LARGEST:
        raise OverflowError
    return number


def _floor_divide(left: Any, right: Any) -> Any:
    if isinstance(left, float) or isinstance(right, float):
        return float(math.floor(left / right))
    return left // right


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, float) or isinstance(right, float):
        return left - math.floor(left / right) * right
    return left % right


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, float) or isinstance(exponent, float) or exponent < 0:
        return math.pow(base, exponent)
    if exponent > 64:
        raise OverflowError
    return base**exponent


_OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, operator.add),
    "mul": (2, operator.mul),
    "floordiv": (2, _floor_divide),
    "mod": (2, _remainder),
    "truediv": (2, operator.truediv),
    "pow": (2, _power),
    "min": (2, min),
    "max": (2, max),
    "eq": (2, operator.eq),
    "ne": (2, operator.ne),
    "lt": (2, operator.lt),
    "le": (2, operator.le),
    "gt": (2, operator.gt),
    "ge": (2, operator.ge),
    "and": (2, lambda left, right: bool(left) and bool(right)),
    "or": (2, lambda left, right: bool(left) or bool(right)),
    "not": (1, operator.not_),
    "floor": (1, math.floor),
    "ceil": (1, math.ceil),
    "trunc": (1, math.trunc),
    "to_float": (1, float),
    "abs": (1, abs),
    **{name: (1, getattr(math, name)) for name in REAL_FUNCTIONS},
    "where": (3, lambda condition, left, right: left if condition else right),
}
