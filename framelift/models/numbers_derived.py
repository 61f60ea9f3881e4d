"""Functions of numbers of which some are symbolic, with results that are computed before the graph runs.

Ints stay with PyTorch's algebra, where that has the function: it relates sizes to each other. All other functions are
Python's own, done in every call as the program does them (see graph/derived.py).
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from framelift.graph.derived import hint_of
from framelift.graph.symbols import Symbolic
from framelift.values.base import Tracer, Value
from framelift.values.known import Known, boolean
from framelift.values.sequence import TupleValue
from framelift.values.symbol import wrapped

Function = Callable[..., Any]
NUMBERS = (int, float, bool)


def _floor_divided(left: Any, right: Any) -> Any:
    """The algebra is right for divisors greater than 0."""
    return -left // -right if type(right) is int and right < 0 else left // right


def _remainder(left: Any, right: Any) -> Any:
    return -(-left % -right) if type(right) is int and right < 0 else left % right


# What the algebra does with ints exactly as Python does.
OF_INTS: dict[Any, Function] = {
    operator.add: operator.add,
    operator.sub: operator.sub,
    operator.mul: operator.mul,
    operator.floordiv: _floor_divided,
    operator.mod: _remainder,
    operator.neg: operator.neg,
    operator.pos: operator.pos,
    operator.index: operator.pos,
    abs: abs,
    int: operator.pos,
    math.floor: operator.pos,
    math.ceil: operator.pos,
    math.trunc: operator.pos,
    max: torch.sym_max,
    min: torch.sym_min,
    torch.sym_max: torch.sym_max,
    torch.sym_min: torch.sym_min,
    torch.sym_int: operator.pos,
}

SAME: dict[Any, Any] = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.itruediv: operator.truediv,
    operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod,
    operator.ipow: operator.pow,
    operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
    operator.iand: operator.and_,
    operator.ior: operator.or_,
    operator.ixor: operator.xor,
    operator.abs: abs,
    pow: operator.pow,
    torch.sym_float: float,
    torch.sym_sqrt: math.sqrt,
}
"""Functions that are others under another name."""

DIVISIONS = frozenset({operator.truediv, operator.floordiv, operator.mod, divmod})
UNCHANGED = frozenset({complex, hash, str, repr, format, bytes, ascii, chr, hex, oct, bin, range})


def apply(m: Tracer, function: Any, operands: list[Any]) -> Value | None:
    """The result; None if it is none that can be computed so."""
    if function in UNCHANGED:
        return None
    hints = [hint_of(operand) for operand in operands]
    if any(type(hint) not in NUMBERS for hint in hints):
        return None
    if function in TRUTHS:
        return boolean(TRUTHS[function](m, *operands))
    if function in DIVISIONS and len(operands) == 2 and not m.evaluate(lambda: bool(operands[1] != 0)):
        return None
    ints = all(type(hint) is not float for hint in hints)
    if ints:
        found = _of_ints(m, function, operands)
        if found is not None:
            return wrapped(found)
    if function in (max, min) and (len(operands) != 2 or any(type(hint) is not float for hint in hints)):
        return None  # which of them it is: that is one comparison
    try:
        outcome = function(*hints)
    except Exception:  # noqa: BLE001  (Python is to raise it)
        return None
    if outcome is NotImplemented:
        return Known(NotImplemented)
    if type(outcome) is tuple and all(type(part) in (int, float) for part in outcome):
        parts = [m.recorder.derive(_part(function, index), operands) for index in range(len(outcome))]
        return None if any(part is None for part in parts) else TupleValue([wrapped(part) for part in parts], tuple)
    made = m.recorder.derive(function, operands) if type(outcome) in (int, float) else None
    return None if made is None else wrapped(made)


def _is_finite(m: Tracer, number: Any) -> bool:
    if type(hint_of(number)) is not float:
        return True
    nothing = m.recorder.derive(operator.sub, [number, number])
    return bool(m.evaluate(lambda: bool(nothing == 0.0)))


def _is_whole(m: Tracer, number: Any) -> bool:
    if type(hint_of(number)) is not float:
        return True
    floored = m.recorder.derive(math.floor, [number])
    return bool(m.evaluate(lambda: bool(floored == number)))


def _is_true(m: Tracer, number: Any) -> bool:
    return bool(m.evaluate(lambda: bool(number != 0)))


TRUTHS: dict[Any, Callable[..., bool]] = {
    math.isfinite: _is_finite,
    math.isinf: lambda m, number: not _is_finite(m, number),
    math.isnan: lambda m, number: not _is_finite(m, number),
    int.__bool__: _is_true,
    float.__bool__: _is_true,
    float.is_integer: _is_whole,
}
"""What is decided at once, as a condition of the entry. Symbols stand for finite numbers when they are made."""


def _of_ints(m: Tracer, function: Any, operands: list[Any]) -> Any:
    """By the algebra."""
    known = OF_INTS.get(function)
    if function is round and len(operands) == 1:
        known = operator.pos
    if function is operator.pow and type(operands[1]) is int and 0 <= operands[1] <= _LARGEST_POWER:
        known = operator.pow
    shift = operands[1] if function in (operator.lshift, operator.rshift) else None
    if type(shift) is int and 0 <= shift <= _LARGEST_SHIFT:
        return m.evaluate(lambda: _SHIFTS[function](operands[0], 1 << shift))
    divides = function in (operator.floordiv, operator.mod) and isinstance(operands[1], torch.SymInt)
    if divides and not m.evaluate(lambda: bool(operands[1] > 0)):
        return None
    if function in (max, min):
        return m.evaluate(lambda: functools.reduce(OF_INTS[function], operands)) if len(operands) > 1 else None
    return None if known is None else m.evaluate(lambda: known(*operands))


_LARGEST_POWER, _LARGEST_SHIFT = 8, 32
_SHIFTS: dict[Any, Function] = {operator.lshift: operator.mul, operator.rshift: operator.floordiv}


@functools.cache
def _part(function: Function, index: int) -> Function:
    """The function that gives one part of what another gives."""

    def part(*args: Any) -> Any:
        return function(*args)[index]

    part.__name__ = getattr(function, "__name__", "function")
    return part


_NAMES = {
    **dict.fromkeys(("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift"), 2),
    **dict.fromkeys(("and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge"), 2),
    **dict.fromkeys(("neg", "pos", "index", "abs"), 1),
}

_METHODS: dict[Any, tuple[Any, bool]] = {}
"""For methods of int and float that are operators: the function, and whether it takes the receiver last."""

for _kind in (int, float):
    for _name, _count in _NAMES.items():
        _function = getattr(operator, f"__{_name}__")
        for _prefix in ("", "r") if _count == 2 else ("",):
            _method = vars(_kind).get(f"__{_prefix}{_name}__")
            if _method is not None:
                _METHODS[_method] = (SAME.get(_function, _function), _prefix == "r")
    for _name, _function in (("int", int), ("float", float), ("trunc", int), ("floor", math.floor), ("round", round)):
        if (_method := vars(_kind).get(f"__{_name}__")) is not None:
            _METHODS[_method] = (_function, False)


def plain(function: Any, operands: list[Any]) -> tuple[Any, list[Any]]:
    """A method of int or float as the operator it is, where it does not refuse its operand."""
    if len(operands) < 3:  # pow() may have three
        function = SAME.get(function, function)
    known = _METHODS.get(function)
    if known is None:
        return function, operands
    kinds = [torch.SymInt, int, bool] if function.__objclass__ is int else [*Symbolic.__args__, *NUMBERS]
    if not all(type(operand) in kinds for operand in operands):
        return function, operands
    return known[0], operands[::-1] if known[1] else operands
