"""Making numbers again that vary from call to call, and texts of what does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from framelift.graph.derived import Derivation, computed
from framelift.graph.symbols import Symbolic
from framelift.guards.observed import Observed
from framelift.models import deferred_texts
from framelift.residual import make
from framelift.values.base import Value
from framelift.values.identity_number import IdentityNumber
from framelift.values.symbol import FloatInput, NumpySymbol, SymbolValue
from framelift.values.text import TextValue

if TYPE_CHECKING:
    from framelift.residual.rebuild import Rebuilder


def _symbol(r: Rebuilder, value: SymbolValue) -> None:
    """A symbolic number: computed from the inputs, and from numbers that the graph gives back."""
    symbols = r.tracer.use_symbols()
    if symbols.is_made_by_graph(value.sym):
        r.tensors[id(value)] = value
        r.emit.const(None)
        return
    expr = symbols.expression(value.sym)
    derivation = symbols.derivations.get(expr)
    if derivation is not None:
        _derived(r, value, r.tracer.symbol(expr), derivation)
        return
    function, sources = symbols.formula(value.sym)
    r.emit.const_callee(function)
    for source in sources:
        if isinstance(source, Observed):
            r.emit.fast(r.first_input + source.hand_over(), bound=True)
        else:
            r.load(r.tracer.symbol(source))
    r.emit.call(len(sources))
    r.keep(value)


def _derived(r: Rebuilder, value: SymbolValue, known: Value, derivation: Derivation) -> None:
    """A number that a function of Python's computes, once."""
    if known is not value:
        r.load(known)
        return
    args = [SymbolValue(arg) if isinstance(arg, Symbolic) else arg for arg in derivation.args]
    if derivation.may_fail:
        r.call(computed, derivation.function, derivation.kind, *args)
    else:
        r.call(derivation.function, *args)
    r.keep(value)


def _numpy_symbol(r: Rebuilder, value: NumpySymbol) -> None:
    r.call(value.kind, value.number)
    r.keep(value)


def _float_input(r: Rebuilder, value: FloatInput) -> None:
    r.call(make.double, value.number)


def _identity_number(r: Rebuilder, value: IdentityNumber) -> None:
    r.call(id, value.of)
    r.keep(value)


def _text(r: Rebuilder, value: TextValue) -> None:
    if value.copies is None:
        value.copies = [deferred_texts.copied(r.tracer, value, arg) for arg in value.args]
    r.call(value.function, *value.copies)
    r.keep(value)


NUMBER_MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    SymbolValue: _symbol,
    FloatInput: _float_input,
    NumpySymbol: _numpy_symbol,
    IdentityNumber: _identity_number,
    TextValue: _text,
}
