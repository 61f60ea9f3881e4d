"""What has to hold of an entry's symbolic numbers, as the specification for the native guard program."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import sympy

from framelift.graph.placement import Placement
from framelift.graph.symbols import Number, Symbolic, Symbols
from framelift.guards.conditions import Instructions, Untranslatable, calculation, translate, within
from framelift.guards.observed import Observed

Load = tuple[str, int, int]

_BITS = 63
_LARGEST = sympy.Float(sys.float_info.max)


class Condition(NamedTuple):
    """One condition, for reports: in words, and on whose behalf."""

    text: str
    asker: Any


class Conditions(NamedTuple):
    """All of them: for the native guards, and for people."""

    specification: tuple[tuple[Load, ...], tuple[tuple[tuple[str, Any], ...], ...]]
    notes: list[Condition]


def conditions(
    symbols: Symbols | None, argument_names: tuple[str, ...], placements: list[Placement] | None = None
) -> Conditions:
    none = Symbols(specialize_zero_one=True, scalars=False, dynamic_outputs=False) if symbols is None else symbols
    return _Builder(none, argument_names).build(placements or [])


def became_constant(symbols: Symbols, marked: list[tuple[str, int]]) -> list[tuple[Number, Any]]:
    """The dimensions that the user said vary, of which the graph needs one size; with that size."""
    found = []
    for number in symbols.numbers:
        if number.origin == "size" and (number.seen.path.text(), number.dim) in marked:
            value = symbols.env.replacements.get(number.expr)
            if value is not None and value.is_number:
                found.append((number, value))
    return found


def _implied(conditions: list[Any]) -> set[int]:
    """Which conditions only bound a symbol by a number where another bounds it more narrowly."""
    implied: set[int] = set()
    narrowest: dict[Any, tuple[Any, int]] = {}
    for index, expr in enumerate(conditions):
        if not isinstance(expr, _BOUNDS) or not expr.lhs.is_Symbol or not expr.rhs.is_number:
            continue
        below = isinstance(expr, sympy.StrictGreaterThan | sympy.GreaterThan)
        bound = (expr.rhs if below else -expr.rhs, isinstance(expr, sympy.StrictGreaterThan | sympy.StrictLessThan))
        other = narrowest.setdefault((expr.lhs, below), (bound, index))
        if other[0] < bound:
            narrowest[expr.lhs, below] = (bound, index)
            implied.add(other[1])
        elif other[1] != index:
            implied.add(index)
    return implied


_BOUNDS = (sympy.StrictGreaterThan, sympy.GreaterThan, sympy.StrictLessThan, sympy.LessThan)


class _Builder:
    def __init__(self, symbols: Symbols, argument_names: tuple[str, ...]) -> None:
        self.symbols = symbols
        self.argument_names = argument_names
        self.loads: dict[Load, int] = {}
        self.programs: dict[tuple[tuple[str, Any], ...], Condition] = {}
        self.names: dict[sympy.Symbol, sympy.Symbol] = {}
        self.read: dict[sympy.Symbol, int] = {}

    def build(self, placements: list[Placement]) -> Conditions:
        env = self.symbols.env
        for index, number in enumerate(self.symbols.numbers):
            if number.origin == "int":
                self._load(number)  # which an int of more than 64 bits does not pass
            first = self.symbols.where(number.expr)
            if number.origin == "offset" or (number is first and number.expr.is_Symbol):
                continue  # this is where the symbol is read, and a graph works wherever its inputs begin
            own = sympy.Symbol(f"number{index}", integer=True)
            self.read[own] = self._load(number)
            self.names[own] = sympy.Symbol(self._text(number))
            self._add(sympy.Eq(own, number.expr, evaluate=False), None)
        implied = _implied([guard.expr for guard in env.guards])
        for index, guard in enumerate(env.guards):
            askers = self.symbols.askers
            if index not in implied:
                self._add(guard.expr, askers[index] if index < len(askers) else None)
        self._add_ranges()
        for index, placement in enumerate(placements):
            self._add_placement(placement, f"place{index}")
        return Conditions((tuple(self.loads), tuple(self.programs)), list(self.programs.values()))

    def _add_placement(self, placement: Placement, name: str) -> None:
        begins = [self._begin(seen, f"{name}.{index}") for index, seen in enumerate(placement[:2])]
        relation = sympy.Eq if placement.exact else sympy.Le
        self._add(relation(begins[0] + placement.distance, begins[1], evaluate=False), None)

    def _begin(self, seen: Observed, name: str) -> sympy.Symbol:
        own = sympy.Symbol(name, integer=True)
        number = Number(own, seen, "offset", 0)
        self.read[own] = self._load(number)
        self.names[own] = sympy.Symbol(self._text(number))
        return own

    def _add_ranges(self) -> None:
        for number in self.symbols.numbers:
            symbol = number.expr
            if not symbol.is_Symbol or self.symbols.where(symbol) is not number or number.origin == "offset":
                continue
            if number.origin == "float":  # whatever holds of numbers need not hold of infinities and NaN
                self._add_range(symbol, -_LARGEST, _LARGEST, None)
            known = self.symbols.env.var_to_range.get(symbol)
            if known is not None:
                least = 0 if number.origin in ("size", "stride") else None
                self._add_range(symbol, known.lower, known.upper, least)
        for symbol in self.symbols.derivations:
            known = self.symbols.env.var_to_range.get(symbol)
            if known is not None:
                self._add_range(symbol, known.lower, known.upper, None)

    def _add_range(self, symbol: sympy.Symbol, lower: Any, upper: Any, least: int | None) -> None:
        for condition in within(symbol, lower, upper, least):
            self._add(condition, None)

    def _add(self, expr: Any, asker: Any) -> None:
        if expr is sympy.true:
            return
        try:
            program = translate(expr, self._of_symbol)
        except Untranslatable:
            for symbol in sorted(self.symbols.roots(expr), key=str):
                value = self.symbols.env.backed_var_to_val[symbol]
                self._add(sympy.Eq(symbol, value, evaluate=False), asker)
            return
        shown = {symbol: self._name(symbol) for symbol in expr.free_symbols}
        self.programs.setdefault(tuple(program), Condition(str(expr.xreplace(shown)), asker))

    def _of_symbol(self, symbol: sympy.Symbol) -> Instructions:
        """How a symbol is had: by reading it, or by the calculation that gives it."""
        derivation = self.symbols.derivations.get(symbol)
        if derivation is None:
            return [("variable", self._variable(symbol))]
        return calculation(derivation.function, [self._of_number(arg) for arg in derivation.args])

    def _of_number(self, number: Any) -> Instructions:
        if isinstance(number, Symbolic):
            return translate(self.symbols.expression(number), self._of_symbol)
        if isinstance(number, int) and number.bit_length() > _BITS:
            raise Untranslatable(number)
        return [("constant", number)]

    def _variable(self, symbol: sympy.Symbol) -> int:
        known = self.read.get(symbol)
        if known is None:
            number = self.symbols.where(symbol)
            assert number is not None, f"a condition on {symbol}, which only the graph computes"
            known = self.read[symbol] = self._load(number)
        return known

    def _load(self, number: Number) -> int:
        return self.loads.setdefault((number.origin, number.seen.hand_over(), number.dim), len(self.loads))

    def _name(self, symbol: sympy.Symbol) -> sympy.Symbol:
        found = self.names.get(symbol)
        if found is None:
            found = self.names[symbol] = sympy.Symbol(self._shown(symbol))
        return found

    def _shown(self, symbol: sympy.Symbol) -> str:
        derivation = self.symbols.derivations.get(symbol)
        if derivation is not None:
            return derivation.text(self._shown_number)
        number = self.symbols.where(symbol)
        return str(symbol) if number is None else self._text(number)

    def _shown_number(self, number: Any) -> str:
        if not isinstance(number, Symbolic):
            return repr(number)
        expr = self.symbols.expression(number)
        return str(expr.xreplace({symbol: self._name(symbol) for symbol in expr.free_symbols}))

    def _text(self, number: Number) -> str:
        path = number.seen.path.text(self.argument_names)
        return _TEXTS[number.origin].format(path, number.dim)


_TEXTS = {
    "size": "{0}.size({1})",
    "stride": "{0}.stride({1})",
    "offset": "{0}.storage_offset()",
    "int": "{0}",
    "float": "{0}",
}
