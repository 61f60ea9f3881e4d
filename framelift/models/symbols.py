"""Arithmetic with symbolic numbers, and the built-in functions that take them as they are.

A comparison of symbols is decided at once, as a condition of the entry, unless only the graph knows the numbers. What
nobody here knows to do with a symbol is done with the number it is in this call, which then is guarded.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from framelift.models import registry
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.symbol import SymbolValue, wrapped

Function = Callable[..., Any]

_float: Function = torch.sym_float
_promise: Function = torch._check
_promise_size: Function = torch._check_is_size

# How Python's functions are done on symbols.
SYMBOLIC: dict[Any, Function] = {
    **{
        function: function
        for function in (
            operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
            operator.neg, operator.pos, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
            operator.lshift, operator.rshift, operator.iadd, operator.isub, operator.imul, operator.itruediv,
            operator.ifloordiv, operator.imod, operator.ipow, abs, round, pow, math.floor, math.ceil,
            math.trunc, torch.sym_int, torch.sym_float, torch.sym_max, torch.sym_min, torch.sym_sqrt,
        )
    },
    operator.abs: abs,
    divmod: lambda x, y: (x // y, x % y),
    operator.index: operator.pos,
    int: torch.sym_int,
    float: torch.sym_float,
    math.sqrt: torch.sym_sqrt,
    max: torch.sym_max,
    min: torch.sym_min,
    math.pow: lambda x, y: _float(x) ** _float(y),
}  # fmt: skip


def apply(m: Tracer, function: Any, args: list[Value]) -> Value | None:
    """The result of a pure function of numbers, some symbolic; None if symbols cannot do it."""
    try:
        known = SYMBOLIC.get(function)
    except TypeError:
        return None
    operands = [_operand(arg) for arg in args]
    if known is None or None in operands:
        return None
    if function is pow and len(operands) != 2:
        return None
    if function in (max, min) and (len(args) != 2 or args[0].cls is not args[1].cls):
        return None
    if function in _ZERO_FAILS and len(operands) == 2 and not m.evaluate(lambda: bool(operands[1] != 0)):
        return None
    try:
        result = m.evaluate(lambda: _outcome(known(*operands)))
    except (TypeError, ValueError, NotImplementedError, OverflowError):  # beyond the algebra; Python's numbers decide
        return None
    if result is NotImplemented:
        return None
    if isinstance(result, tuple):
        return TupleValue([wrapped(part) for part in result], tuple)
    return wrapped(result)


_ZERO_FAILS = frozenset({
    operator.truediv, operator.floordiv, operator.mod, operator.itruediv, operator.ifloordiv, operator.imod, divmod,
})  # fmt: skip


def _operand(value: Value) -> Any:
    if isinstance(value, SymbolValue):
        return value.sym
    return value.obj if isinstance(value, Known) and type(value.obj) in (int, float, bool) else None


def _outcome(result: Any) -> Any:
    """Comparisons that can be decided are: programs compare in order to branch."""
    if isinstance(result, torch.SymBool) and result.node.has_hint():
        return bool(result)
    return result


def truth(m: Tracer, value: SymbolValue) -> bool:
    """`bool(value)`"""
    answer: bool = m.evaluate(lambda: bool(value.sym if value.cls is bool else value.sym != 0))
    return answer


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False
) -> Any:
    """(traced) What a symbolic number becomes part of is made by operations; everything else at once."""
    if isinstance(data, (list, tuple)):
        made = torch.stack([torch.tensor(item, dtype=dtype, device=device) for item in data])
    else:
        kind = dtype if dtype is not None else torch.int64 if isinstance(data, int) else torch.get_default_dtype()
        made = torch.scalar_tensor(data, dtype=kind, device=device)
    return made.requires_grad_() if requires_grad else made


TENSOR: Any = tensor


def contains_symbol(m: Tracer, data: Value) -> bool:
    """Whether a number in nested lists is symbolic."""
    if m.recorder.symbols is None:
        return False
    if isinstance(data, Sequence):
        return any(contains_symbol(m, item) for item in data.all(m))
    return isinstance(data, SymbolValue)


@model(torch._check)
def check(m: Tracer, condition: Value, message: Value | None = None, /) -> Value:
    """A promise of the user's about numbers that only the graph knows; of others, a check."""
    if isinstance(condition, SymbolValue):
        m.evaluate(lambda: _promise(condition.sym))
        m.recorder.promise(torch._check, condition.sym)
        return Known(None)
    if not m.truth(condition):
        text = m.call(message, []) if message is not None else Known("Expected cond to be True, but got False")
        m.raise_value(RuntimeError, [text])
    return Known(None)


@model(torch._check_is_size)
def check_is_size(m: Tracer, number: Value, message: Value | None = None, /) -> Value:
    if isinstance(number, SymbolValue):
        m.evaluate(lambda: _promise_size(number.sym))
        m.recorder.promise(torch._check_is_size, number.sym)
        return Known(None)
    return check(m, m.compare(">=", number, Known(0)), message)


def takes_symbols(*functions: Any) -> None:
    """These only keep what they are given, or ask Python's protocols of it."""
    for function in functions:
        registry.symbolic.add(id(function))


takes_symbols(*vars(object).values(), *vars(type).values())
takes_symbols(
    list.append, list.insert, list.__setitem__, list.extend, dict.__setitem__, dict.setdefault, dict.get, dict.pop,
    dict.update, setattr, getattr, isinstance, type, callable, hasattr, tuple.__new__, list.__init__, dict.__init__,
    slice, max, min, sum, abs, round, divmod, pow, int, float, bool, math.sqrt, math.floor, math.ceil, math.trunc,
    math.pow, torch._check, torch._check_is_size, enumerate, next, iter, torch.Tensor.__getitem__,
    torch.Tensor.__setitem__,
)  # fmt: skip
