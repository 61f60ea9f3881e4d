"""Conditions on symbolic numbers, from PyTorch's algebra to the native guard program.

A condition that the native side has no operation for is replaced by a stronger one it has: the numbers in it are what
they were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from torch.utils._sympy import functions as fns
from torch.utils._sympy.numbers import int_oo

Instructions = list[tuple[str, Any]]


class Untranslatable(Exception):
    """There is no native operation for something in the expression."""


def translate(expr: Any, variable: Callable[[Any], int]) -> Instructions:
    """The instructions that compute an expression; `variable` numbers its symbols."""
    if isinstance(expr, sympy.Symbol):
        return [("variable", variable(expr))]
    if expr is sympy.true or expr is sympy.false:
        return [("constant", int(bool(expr)))]
    if isinstance(expr, sympy.Integer):
        return [("constant", int(expr))]
    if isinstance(expr, sympy.Float):
        return [("constant", float(expr))]
    if isinstance(expr, sympy.Rational):
        return [("constant", int(expr.p)), ("constant", int(expr.q)), ("truediv", None)]
    if isinstance(expr, sympy.Pow) and expr.args[1] == sympy.Rational(1, 2):
        return [*translate(expr.args[0], variable), ("sqrt", None)]
    if isinstance(expr, fns.ModularIndexing):
        base, divisor, modulus = expr.args
        return translate(fns.Mod(fns.FloorDiv(base, divisor), modulus), variable)
    name = _NAMES.get(type(expr))
    if name is None:
        raise Untranslatable(expr)
    if name in _FOLDED:
        first, *others = expr.args
        found = translate(first, variable)
        for other in others:
            found += [*translate(other, variable), (name, None)]
        return found
    return [step for arg in expr.args for step in translate(arg, variable)] + [(name, None)]


_FOLDED = frozenset({"add", "mul", "and", "or", "min", "max"})

_NAMES: dict[Any, str] = {
    sympy.Add: "add",
    sympy.Mul: "mul",
    sympy.Pow: "pow",
    sympy.Equality: "eq",
    sympy.Unequality: "ne",
    sympy.StrictLessThan: "lt",
    sympy.LessThan: "le",
    sympy.StrictGreaterThan: "gt",
    sympy.GreaterThan: "ge",
    sympy.And: "and",
    sympy.Or: "or",
    sympy.Not: "not",
    fns.FloorDiv: "floordiv",
    fns.CleanDiv: "floordiv",
    fns.Mod: "mod",
    fns.PythonMod: "mod",
    fns.IntTrueDiv: "truediv",
    fns.FloatTrueDiv: "truediv",
    fns.PowByNatural: "pow",
    fns.FloatPow: "pow",
    fns.Min: "min",
    fns.Max: "max",
    fns.ToFloat: "to_float",
    fns.FloorToInt: "floor",
    fns.CeilToInt: "ceil",
    fns.TruncToInt: "trunc",
    fns.Where: "where",
}


def within(symbol: sympy.Symbol, lower: Any, upper: Any, least: int | None) -> list[Any]:
    """The conditions that a number lies in a range; `least` is what it cannot fall below anyway."""
    found = []
    if lower not in (-int_oo, -sympy.oo) and (least is None or lower > least):
        found.append(sympy.GreaterThan(symbol, lower, evaluate=False))
    if upper not in (int_oo, sympy.oo):
        found.append(sympy.LessThan(symbol, upper, evaluate=False))
    return found
