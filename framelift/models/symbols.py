"""Arithmetic with symbolic numbers, and the built-in functions that take them as they are.

A comparison of symbols is decided at once, as a condition of the entry, unless only the graph knows the numbers. What
nobody here knows to do with a symbol is done with the number it is in this call, which then is guarded.
"""

from __future__ import annotations

import abc
import collections
import functools
import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import torch

from framelift.graph.derived import hint_of
from framelift.models import numbers_derived, registry
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import Known, boolean
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
    max: torch.sym_max,
    min: torch.sym_min,
    math.pow: lambda x, y: _float(x) ** _float(y),
    math.radians: lambda x: _float(x) * (math.pi / 180.0),
    math.degrees: lambda x: _float(x) * (180.0 / math.pi),
}  # fmt: skip

_HUGE = sys.float_info.max

# Of which numbers there is such a function; of others Python raises an exception.
DOMAINS: dict[str, Function] = {
    "sqrt": lambda x: x >= 0.0,
    "log2": lambda x: x > 0.0,
    "cos": lambda x: -_HUGE <= x <= _HUGE,
    "sin": lambda x: -_HUGE <= x <= _HUGE,
    "tan": lambda x: -_HUGE <= x <= _HUGE,
    "cosh": lambda x: -710.0 <= x <= 710.0,
    "sinh": lambda x: -710.0 <= x <= 710.0,
    "acos": lambda x: -1.0 <= x <= 1.0,
    "asin": lambda x: -1.0 <= x <= 1.0,
    "atan": lambda x: True,
    "tanh": lambda x: True,
}


def _real_function(name: str) -> Function:
    symbolic, has = getattr(torch, f"_sym_{name}"), DOMAINS[name]

    def of(x: Any) -> Any:
        number = _float(x)
        if not has(number):
            return NotImplemented
        return symbolic(number)

    return of


SYMBOLIC.update({getattr(math, name): _real_function(name) for name in DOMAINS})


def apply(m: Tracer, function: Any, args: list[Value]) -> Value | None:
    """The result of a pure function of numbers, some symbolic; None if symbols cannot do it."""
    try:
        hash(function)
    except TypeError:
        return None
    if function in (operator.eq, operator.ne) and any(isinstance(arg, Known) and _is_no_number(arg) for arg in args):
        return boolean(function is operator.ne)
    operands = [_operand(arg) for arg in args]
    if any(operand is None for operand in operands):
        return None
    function, operands = numbers_derived.plain(function, operands)
    if function not in _COMPARISONS and not any(hint_of(operand) is None for operand in operands):
        return numbers_derived.apply(m, function, operands)
    return _by_algebra(m, function, args, operands)


def _by_algebra(m: Tracer, function: Any, args: list[Value], operands: list[Any]) -> Value | None:
    """Comparisons, and all there is of numbers that only the graph knows."""
    known = SYMBOLIC.get(function)
    if known is None:
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


_COMPARISONS = frozenset({operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge})


def _is_no_number(value: Known) -> bool:
    """Whether something is equal to no number."""
    return type(value.obj) in (type(None), str, bytes, tuple, type(Ellipsis), type(NotImplemented))


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


def settled(number: Any) -> Any:
    """For code that is traced: the number that a symbolic one is in this call."""
    return number


@model(settled)
def settle(m: Tracer, number: Value, /) -> Value:
    return number  # as every model is given it that does not take symbols


def takes_symbols(*functions: Any) -> None:
    """These only keep what they are given, or ask Python's protocols of it."""
    for function in functions:
        registry.symbolic.add(id(function))


def _functions(owner: Any) -> list[Any]:
    return [function for function in vars(owner).values() if callable(function)]


takes_symbols(*vars(object).values(), *vars(type).values(), *_functions(math), *_functions(operator))
takes_symbols(*_functions(int), *_functions(float), *_functions(bool))
takes_symbols(
    list.append, list.insert, list.__setitem__, list.extend, list.remove, list.index, list.count, list.__contains__,
    list.__init__, list.__new__, tuple.__new__, tuple.index, tuple.count, tuple.__contains__, dict.__setitem__,
    dict.setdefault, dict.get, dict.pop, dict.update, dict.__init__, dict.__new__, slice.__new__, enumerate.__new__,
    setattr, getattr, isinstance, type, callable, hasattr, slice, max, min, sum, abs, round, divmod, pow, int, float,
    bool, torch._check, torch._check_is_size, enumerate, next, iter, torch.Tensor.__getitem__,
    torch.Tensor.__setitem__, abc.ABCMeta.__instancecheck__, collections.deque.append, collections.deque.appendleft,
    torch.Size.__new__, torch.Size.__mul__, functools.partial.__new__,
)  # fmt: skip
