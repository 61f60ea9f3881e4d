"""NumPy's functions of symbolic numbers, with results that are numbers: computed before the graph runs, by NumPy."""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from framelift.graph.derived import hint_of
from framelift.models import symbols
from framelift.values import numpy_numbers
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import Sequence
from framelift.values.symbol import NumpySymbol, SymbolValue, wrapped

np: Any = numpy_numbers.np
_COMPARISONS = frozenset({operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge})
_EXACT: tuple[Any, ...] = () if np is None else (np.int64, np.float64)


class Hole(NamedTuple):
    """Where a symbolic number stands among the arguments, and of which type it is there."""

    place: int
    kind: Any


@dataclass(frozen=True)
class Calculation:
    """A call of NumPy with numbers to be filled in; sequences are given as their class and items."""

    function: Callable[..., Any]
    args: tuple[Any, ...]

    def __call__(self, *numbers: Any) -> Any:
        with np.errstate(all="raise"):  # what it would warn of
            result = self.function(*[_filled(arg, numbers) for arg in self.args])
        return result.item() if numpy_numbers.is_number(result) else result

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", "function"))


class _Items(NamedTuple):
    cls: type
    items: tuple[Any, ...]


def _filled(arg: Any, numbers: tuple[Any, ...]) -> Any:
    if isinstance(arg, Hole):
        return numbers[arg.place] if arg.kind is None else arg.kind(numbers[arg.place])
    if isinstance(arg, _Items):
        return arg.cls([_filled(item, numbers) for item in arg.items])
    return arg


def apply(m: Tracer, function: Any, args: list[Value]) -> Value | None:
    """The result of a pure function of numbers, some symbolic; None if it is none that can be computed so."""
    if m.recorder.symbols is None:
        return None
    if function in _COMPARISONS:
        return _compared(m, function, args)
    found: list[Any] = []
    template = tuple(_template(m, arg, found) for arg in args)
    if not found or any(part is NotImplemented for part in template) or any(hint_of(sym) is None for sym in found):
        return None
    calculation = Calculation(function, template)
    try:
        hash(calculation)
        hints = [hint_of(sym) for sym in found]
        with np.errstate(all="raise"):
            result = function(*[_filled(arg, tuple(hints)) for arg in template])
    except Exception:  # noqa: BLE001  (NumPy is to raise it, or to warn)
        return None
    kind = type(result)
    if kind in (int, float):
        return _made(m, calculation, found, result)
    if kind not in _EXACT:
        return None
    made = _by_algebra(m, function, args) or _made(m, calculation, found, result.item())
    return NumpySymbol(kind, made) if isinstance(made, SymbolValue) and made.cls is type(result.item()) else None


def _by_algebra(m: Tracer, function: Any, args: list[Value]) -> Value | None:
    """What is the same with numbers of Python's, which conditions can be about."""
    known = _ALIKE.get(function) if isinstance(function, type | types.FunctionType | _FUNCTIONS) else None
    if known is None:
        return None
    if len(args) == 1 and isinstance(args[0], Sequence):
        args = args[0].all(m)
    numbers = [_plain(arg) for arg in args]
    if not all(isinstance(number, SymbolValue | Known) for number in numbers):
        return None
    if known in (int, float, math.sqrt):
        return symbols.apply(m, known, numbers) if len(numbers) == 1 else None
    made: Value | None = numbers[0]
    for number in numbers[1:]:
        made = None if made is None else symbols.apply(m, known, [made, number])
    return made


_FUNCTIONS: Any = types.BuiltinFunctionType if np is None else types.BuiltinFunctionType | np.ufunc | type(np.sum)
_ALIKE: dict[Any, Any] = {
    **{function: function for function in (operator.add, operator.sub, operator.mul, operator.truediv)},
    **(
        {}
        if np is None
        else {
            np.prod: operator.mul,
            np.sum: operator.add,
            np.multiply: operator.mul,
            np.add: operator.add,
            np.subtract: operator.sub,
            np.maximum: max,
            np.minimum: min,
            np.int64: int,
            np.float64: float,
            np.sqrt: math.sqrt,
        }
    ),
}


_CONVERSIONS: dict[str, Any] = {
    "int": int,
    "float": float,
    "index": operator.index,
    "item": operator.pos,
    "__int__": int,
    "__float__": float,
    "__index__": operator.index,
}


def _made(m: Tracer, calculation: Calculation, numbers: list[Any], result: Any) -> Value | None:
    if not math.isfinite(result):
        return None
    known = _CONVERSIONS.get(calculation.name)
    hole = calculation.args[0] if len(calculation.args) == 1 else None
    if known is not None and isinstance(hole, Hole):
        return symbols.apply(m, known, [wrapped(numbers[0])])
    made = m.recorder.derive(calculation, numbers)
    return None if made is None else wrapped(made)


def _template(m: Tracer, value: Value, found: list[Any]) -> Any:
    if isinstance(value, NumpySymbol):
        found.append(value.number.sym)
        return Hole(len(found) - 1, value.kind)
    if isinstance(value, SymbolValue) and value.cls in (int, float):
        found.append(value.sym)
        return Hole(len(found) - 1, None)
    if isinstance(value, Known) and (value.literal or isinstance(value.obj, type)):
        return value.obj
    if isinstance(value, Sequence) and value.cls in (list, tuple, torch.Size):
        items = tuple(_template(m, item, found) for item in value.all(m))
        return NotImplemented if NotImplemented in items else _Items(list if value.cls is list else tuple, items)
    return NotImplemented


def _compared(m: Tracer, function: Any, args: list[Value]) -> Value | None:
    """A comparison is that of the numbers."""
    plain = [_plain(arg) for arg in args]
    answer = symbols.apply(m, function, plain) if all(isinstance(arg, SymbolValue | Known) for arg in plain) else None
    return Known(np.bool_(answer.obj)) if isinstance(answer, Known) and type(answer.obj) is bool else None


def _plain(value: Value) -> Value:
    if isinstance(value, NumpySymbol):
        return value.number
    return Known(value.obj.item()) if isinstance(value, Known) and numpy_numbers.is_number(value.obj) else value
