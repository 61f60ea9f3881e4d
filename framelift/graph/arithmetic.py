"""From the algebra of symbolic numbers to nodes of the graph."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import sympy
import torch
from torch.fx import Graph
from torch.utils._sympy import functions as fns

FOLDED: dict[Any, Any] = {
    sympy.Add: operator.add,
    sympy.Mul: operator.mul,
    fns.Min: torch.sym_min,
    fns.Max: torch.sym_max,
    sympy.And: operator.and_,
    sympy.Or: operator.or_,
}

PLAIN: dict[Any, Any] = {
    sympy.Pow: operator.pow,
    sympy.Equality: operator.eq,
    sympy.Unequality: operator.ne,
    sympy.StrictLessThan: operator.lt,
    sympy.LessThan: operator.le,
    sympy.StrictGreaterThan: operator.gt,
    sympy.GreaterThan: operator.ge,
    sympy.Not: torch.sym_not,
    sympy.Abs: operator.abs,
    fns.FloorDiv: operator.floordiv,
    fns.CleanDiv: operator.floordiv,
    fns.Mod: operator.mod,
    fns.PythonMod: operator.mod,
    fns.IntTrueDiv: operator.truediv,
    fns.FloatTrueDiv: operator.truediv,
    fns.PowByNatural: operator.pow,
    fns.FloatPow: operator.pow,
    fns.ToFloat: torch.sym_float,
    fns.FloorToInt: math.floor,
    fns.CeilToInt: math.ceil,
    fns.TruncToInt: torch.sym_int,
    fns.RoundToInt: round,
    fns.RoundDecimal: round,
    fns.LShift: operator.lshift,
    fns.RShift: operator.rshift,
    fns.Where: torch.sym_ite,
}


def nodes_for(graph: Graph, expr: Any, of_symbol: Callable[[sympy.Symbol], Any]) -> Any:
    """A node that computes an expression, or a constant."""
    if isinstance(expr, sympy.Symbol):
        return of_symbol(expr)
    if expr is sympy.true or expr is sympy.false:
        return bool(expr)
    if isinstance(expr, sympy.Integer):
        return int(expr)
    if isinstance(expr, sympy.Float | sympy.Rational):
        return float(expr)
    args = [nodes_for(graph, arg, of_symbol) for arg in expr.args]
    folded = FOLDED.get(type(expr))
    if folded is not None:
        made = args[0]
        for arg in args[1:]:
            made = graph.call_function(folded, (made, arg))
        return made
    if isinstance(expr, fns.ModularIndexing):
        quotient = graph.call_function(operator.floordiv, (args[0], args[1]))
        return graph.call_function(operator.mod, (quotient, args[2]))
    return graph.call_function(PLAIN.get(type(expr)) or _opaque(expr), tuple(args))


def write_powers(graph: Graph) -> bool:
    """Have powers of negative constants written as calls: torch.fx writes -2 ** x, which Python reads as -(2 ** x).

    Gives whether there are any.
    """
    found = False
    for operation in (operator.pow, operator.ipow):
        for node in graph.find_nodes(op="call_function", target=operation):
            if repr(node.args[0]).startswith("-"):
                node.target, found = pow, True
    return found


def _opaque(expr: Any) -> Any:
    """The function behind one that the algebra keeps as it is, such as a square root."""
    name = type(expr).__name__.removeprefix("OpaqueUnaryFn_")
    found = getattr(torch, f"_sym_{name}", None)
    if found is None:
        raise NotImplementedError(f"no operation computes {expr}")
    return found
