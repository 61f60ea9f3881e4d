"""Numbers that are not known but symbolic: sizes that vary between calls, ints and floats that do."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from framelift.graph.derived import hint_of
from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.ranges import RangeValue
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.sequence import TupleValue
from framelift.values.text import TextValue

KINDS: dict[type, type] = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}


class SymbolValue(Value):
    """An int, float or bool computed from symbols."""

    __slots__ = ("sym",)

    def __init__(self, sym: Any, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.sym = sym

    @property
    def cls(self) -> type:
        return KINDS[type(self.sym)]

    def __repr__(self) -> str:
        return f"<symbol {self.sym}>"


class NumpySymbol(Value):
    """One of NumPy's numbers, computed from symbols: `kind(number)`."""

    __slots__ = ("kind", "number")

    def __init__(self, kind: type, number: SymbolValue) -> None:
        super().__init__()
        self.kind = kind
        self.number = number

    @property
    def cls(self) -> type:
        return self.kind


class FloatInput(Value):
    """The tensor as which a float goes into the graph."""

    __slots__ = ("number",)

    def __init__(self, number: Value) -> None:
        super().__init__()
        self.number = number

    @property
    def cls(self) -> type:
        return torch.Tensor


def wrapped(number: Any) -> Value:
    """The value of a number, which may turn out to be known."""
    if type(number) not in KINDS:
        return Known(number)
    node = number.node
    known = node.maybe_as_int() if node.pytype is int else node.maybe_as_float() if node.pytype is float else None
    if node.pytype is bool:
        known = node.maybe_as_bool()
    return SymbolValue(number) if known is None else Known(known)


def specialized(m: Tracer, value: Value) -> Value:
    """The value itself, or for a symbol the number it is in this call, guarded from here on. Also in texts, ranges."""
    if isinstance(value, TextValue):
        return _settled(m, value) or value
    if isinstance(value, NumpySymbol):
        return Known(value.kind(_real(m, value.number)))
    if isinstance(value, RangeValue):
        return Known(range(*[_real(m, part) for part in value.parts]))
    if not isinstance(value, SymbolValue):
        return value
    number = m.evaluate(lambda: value.cls(value.sym))
    return Known(number) if number or type(number) is not float else _zero(m, value)


def _zero(m: Tracer, value: SymbolValue) -> Known:
    """Conditions know one zero only: which it is depends on the bits of what it was computed from."""
    assert m.recorder.symbols is not None
    for seen in m.recorder.symbols.floats_behind(value.sym):
        seen.learn(facts.value)
    return Known(hint_of(value.sym))


def _settled(m: Tracer, text: TextValue) -> Known | None:
    """What a text says in this call, if there is no tensor in it."""
    if has_tensor(m, text):
        return None
    return Known(text.function(*[_real(m, arg) for arg in text.args]))


def has_tensor(m: Tracer, value: Value) -> bool:
    """Whether data of a tensor is part of a text, or of an argument of one."""
    if isinstance(value, TextValue):
        return any(has_tensor(m, arg) for arg in value.args)
    if isinstance(value, TupleValue):
        return any(has_tensor(m, item) for item in value.all(m))
    return not isinstance(value, Known | SymbolValue)


def _real(m: Tracer, value: Value) -> Any:
    if isinstance(value, TupleValue):
        return value.cls([_real(m, item) for item in value.all(m)])
    found = specialized(m, value)
    assert isinstance(found, Known)
    return found.obj


def evaluate(m: Tracer, compute: Any) -> Any:
    """Compute with symbols; what it needs to know becomes conditions of the entry."""
    try:
        return compute()
    except GuardOnDataDependentSymNode as error:
        raise Break(DATA_DEPENDENT, "a number that only the graph computes") from error
    finally:
        assert m.recorder.symbols is not None
        m.recorder.symbols.note_askers(m.ledger.asker)
