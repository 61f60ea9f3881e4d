"""Conditions on symbolic numbers, from PyTorch's algebra to the native guard program.

A condition that the native side has no operation for is replaced by a stronger one it has: the numbers in it are what
they were.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import sympy
from torch.utils._sympy import functions as fns
from torch.utils._sympy.numbers import int_oo

Instructions = list[tuple[str, Any]]


class Untranslatable(Exception):
    """There is no native operation for something in the expression."""


def translate(expr: Any, of_symbol: Callable[[Any], Instructions]) -> Instructions:
    """The instructions that compute an expression; `of_symbol` gives those of its symbols."""
    if isinstance(expr, sympy.Symbol):
        return of_symbol(expr)
    if expr is sympy.true or expr is sympy.false:
        return [("constant", int(bool(expr)))]
    if isinstance(expr, sympy.Integer):
        return [("constant", int(expr))]
    if isinstance(expr, sympy.Float):
        return [("constant", float(expr))]
    if isinstance(expr, sympy.Rational):
        return [("constant", int(expr.p)), ("constant", int(expr.q)), ("truediv", None)]
    if isinstance(expr, sympy.Pow) and expr.args[1] == sympy.Rational(1, 2):
        return [*translate(expr.args[0], of_symbol), ("sqrt", None)]
    if isinstance(expr, fns.ModularIndexing):
        base, divisor, modulus = expr.args
        return translate(fns.Mod(fns.FloorDiv(base, divisor), modulus), of_symbol)
    name = _NAMES.get(type(expr))
    if name is None:
        raise Untranslatable(expr)
    if name in _FOLDED:
        first, *others = expr.args
        found = translate(first, of_symbol)
        for other in others:
            found += [*translate(other, of_symbol), (name, None)]
        return found
    return [step for arg in expr.args for step in translate(arg, of_symbol)] + [(name, None)]


REAL_FUNCTIONS = ("sqrt", "log2", "cos", "sin", "tan", "cosh", "sinh", "tanh", "acos", "asin", "atan")

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
    sympy.Abs: "abs",
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
    **{getattr(fns, f"OpaqueUnaryFn_{name}"): name for name in REAL_FUNCTIONS},
}


def calculation(function: Any, operands: list[Instructions]) -> Instructions:
    """The instructions that compute a function of Python's as Python does."""
    if function is operator.sub:
        left, right = operands
        return [*left, *right, ("constant", -1), ("mul", None), ("add", None)]
    if function is operator.neg:
        return [*operands[0], ("constant", -1), ("mul", None)]
    if function is operator.pos:
        return operands[0]
    name = _FUNCTIONS.get((function, len(operands)))
    if name is None:
        raise Untranslatable(function)
    return [step for operand in operands for step in operand] + [(name, None)]


_FUNCTIONS: dict[tuple[Any, int], str] = {
    (operator.add, 2): "add",
    (operator.mul, 2): "mul",
    (operator.truediv, 2): "truediv",
    (operator.pow, 2): "pow",
    (float, 1): "to_float",
    (int, 1): "trunc",
    (math.trunc, 1): "trunc",
    (math.floor, 1): "floor",
    (math.ceil, 1): "ceil",
    (abs, 1): "abs",
    (max, 2): "max",
    (min, 2): "min",
    **{(getattr(math, name), 1): name for name in REAL_FUNCTIONS},
}


def within(symbol: sympy.Symbol, lower: Any, upper: Any, least: int | None) -> list[Any]:
    """The conditions that a number lies in a range; `least` is what it cannot fall below anyway."""
    found = []
    if lower not in (-int_oo, -sympy.oo) and (least is None or lower > least):
        found.append(sympy.GreaterThan(symbol, lower, evaluate=False))
    if upper not in (int_oo, sympy.oo):
        found.append(sympy.LessThan(symbol, upper, evaluate=False))
    return found
