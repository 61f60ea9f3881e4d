"""Models of the built-in functions that compute: numbers, extremes, sums, hashes, texts of numbers."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import torch

from framelift.models import symbols, torch_ops
from framelift.models.contents import NOT_AN_INTEGER, as_index, content, said_by
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.keys import key_of, literal_of
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue
from framelift.values.sets import SetValue
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue


def _is_literal(value: Value) -> bool:
    return isinstance(value, Known) and value.literal


@model(abs)
def absolute(m: Tracer, obj: Value, /) -> Value:
    if isinstance(obj, TensorValue):
        return torch_ops.call(m, torch.abs, [obj], {})
    folded = m.fold(abs, [obj])
    if folded is not None:
        return folded
    if m.class_attribute(obj.cls, "__abs__") is None:
        m.throw(TypeError, f"bad operand type for abs(): {obj.cls.__name__!r}")
    return m.call_method(obj, "__abs__", [])


@model(round)
def round_(m: Tracer, /, number: Value, ndigits: Value = NONE) -> Value:
    args = [number] if isinstance(ndigits, Known) and ndigits.obj is None else [number, ndigits]
    if isinstance(number, TensorValue):
        return torch_ops.call(m, torch.round, [number], {} if len(args) == 1 else {"decimals": ndigits})
    folded = m.fold(round, args)
    if folded is not None:
        return folded
    if m.class_attribute(number.cls, "__round__") is None:
        m.throw(TypeError, f"type {number.cls.__name__} doesn't define __round__ method")
    return m.call_method(number, "__round__", args[1:])


@model(divmod)
def divmod_(m: Tracer, left: Value, right: Value, /) -> Value:
    folded = m.fold(divmod, [left, right])
    if folded is not None:
        return folded
    tries = [(left, "__divmod__", right), (right, "__rdivmod__", left)]
    if right.cls is not left.cls and issubclass(right.cls, left.cls):
        tries.reverse()
    for receiver, name, other in tries:
        if m.class_attribute(receiver.cls, name) is None:
            continue
        result = m.call_method(receiver, name, [other])
        if not (isinstance(result, Known) and result.obj is NotImplemented):
            return result
    m.throw(TypeError, f"unsupported operand type(s) for divmod(): {left.cls.__name__!r} and {right.cls.__name__!r}")


@model(pow)
def pow_(m: Tracer, /, base: Value, exp: Value, mod: Value = NONE) -> Value:
    if isinstance(mod, Known) and mod.obj is None:
        return m.binary("**", base, exp)
    folded = m.fold(pow, [base, exp, mod])
    if folded is not None:
        return folded
    if m.class_attribute(base.cls, "__pow__") is None:
        raise Break(UNKNOWN_OPERATION, "pow() with three arguments")
    return m.call_method(base, "__pow__", [exp, mod])


def _digits(function: Any) -> None:
    @model(function)
    def convert(m: Tracer, number: Value, /) -> Value:
        return m.constant(function(as_index(m, number, NOT_AN_INTEGER)))


for _function in (hex, oct, bin):
    _digits(_function)


@model(chr)
def chr_(m: Tracer, number: Value, /) -> Value:
    folded = m.fold(chr, [Known(as_index(m, number, NOT_AN_INTEGER))])
    assert folded is not None
    return folded


@model(ord)
def ord_(m: Tracer, character: Value, /) -> Value:
    folded = m.fold(ord, [content(character)])
    if folded is not None:
        return folded
    m.throw(TypeError, f"ord() expected string of length 1, but {character.cls.__name__} found")


@model(hash)
def hash_(m: Tracer, obj: Value, /) -> Value:
    literal = literal_of(key := key_of(m, obj))
    if literal is not None:
        return Known(hash(literal[0]))
    number = key.hash_if_traced()
    if number is None:
        raise Break(UNKNOWN_OPERATION, f"the hash of a {obj.cls.__name__}, which is its address")
    return Known(number)


@model(format)
def format_(m: Tracer, value: Value, spec: Value | None = None, /) -> Value:
    if spec is not None and not issubclass(spec.cls, str):
        m.throw(TypeError, f"format() argument 2 must be str, not {spec.cls.__name__}")
    return m.formatted(value, spec)


@model(ascii)
def ascii_(m: Tracer, obj: Value, /) -> Value:
    return m.text(obj, "ascii")


@polyfill(all)
def all_(iterable: Any, /) -> bool:
    for item in iterable:
        if not item:
            return False
    return True


@polyfill(any)
def any_(iterable: Any, /) -> bool:
    for item in iterable:
        if item:
            return True
    return False


@model(sum)
def sum_(m: Tracer, iterable: Value, /, start: Value | None = None) -> Value:
    """Literals at the beginning are summed up for real: newer Pythons add floats more exactly than `+` does."""
    total: Value = Known(0) if start is None else start
    for kind, hint in ((str, "use ''.join(seq) instead"), (bytes, "use b''.join(seq) instead")):
        if issubclass(total.cls, kind):
            m.throw(TypeError, f"sum() can't sum {'strings' if kind is str else 'bytes'} [{hint}]")
    items = m.unpack(iterable)
    leading = list(itertools.takewhile(_is_number, [total, *items]))
    if any(isinstance(item, SymbolValue) for item in leading) and any(item.cls is float for item in leading):
        rest = items[len(leading) - 1 :]
        found = symbols.apply(m, _added_up, leading)
        total, *items = [found, *rest] if found is not None else [*[specialized(m, item) for item in leading], *rest]
    count = 0
    while count < len(items) and _is_literal(total) and _is_literal(items[count]):
        count += 1
    if count:
        folded = m.fold(sum, [ListValue(items[:count], list), total])
        assert folded is not None
        total = folded
    for item in items[count:]:
        total = m.binary("+", total, item)
    return total


def _is_number(value: Value) -> bool:
    return isinstance(value, Known | SymbolValue) and value.cls in (int, float, bool)


def _added_up(start: Any, *numbers: Any) -> Any:
    return sum(numbers, start)


_MISSING = object()


_EMPTY = said_by(lambda: max(())).replace("max", "{}")


def _of_symbols(choose: Any, one: Any, other: Any) -> Any:
    """The larger or the smaller of two numbers if there is no saying which that is while capturing; else None."""


@model(_of_symbols)
def of_symbols(m: Tracer, choose: Value, one: Value, other: Value) -> Value:
    if not isinstance(choose, Known) or not (isinstance(one, SymbolValue) or isinstance(other, SymbolValue)):
        return NONE
    return symbols.apply(m, choose.obj, [one, other]) or NONE


symbols.takes_symbols(_of_symbols)


def _in_any_order(iterable: Any) -> Any:
    """The same elements, in an order that is known, where it does not matter which that is."""


@model(_in_any_order)
def in_any_order(m: Tracer, iterable: Value) -> Value:
    found = content(iterable)
    if not isinstance(found, SetValue) or iterable.cls not in (set, frozenset):
        return iterable
    literals = {key: literal_of(key) for key in found.keys(m)}
    known = [literal[0] for literal in literals.values() if literal is not None]
    kinds = set(map(type, known))
    ordered = kinds <= {str} or kinds <= {bytes} or (kinds <= {int, float, bool} and all(one == one for one in known))
    if not ordered or len(known) != len(literals):
        return iterable
    return ListValue([key.value for key in sorted(literals, key=lambda key: literals[key] or ())], list)


def _extreme(choose: Any, better: Any, args: Any, key: Any, default: Any, name: str) -> Any:
    """(traced)"""
    if len(args) == 1:
        items = args[0] if key is not None else _in_any_order(args[0])
    else:
        items = args
        if default is not _MISSING:
            raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
    best = best_key = _MISSING
    for item in items:
        item_key = item if key is None else key(item)
        both = None if key is not None or best is _MISSING else _of_symbols(choose, best, item)
        if both is not None:
            best = best_key = both
        elif best is _MISSING or better(item_key, best_key):
            best, best_key = item, item_key
    if best is _MISSING:
        if default is _MISSING:
            raise ValueError(_EMPTY.format(name))
        return default
    return best


@polyfill(max)
def max_(first: Any, /, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
    return _extreme(max, operator.gt, (first, *args), key, default, "max")


@polyfill(min)
def min_(first: Any, /, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
    return _extreme(min, operator.lt, (first, *args), key, default, "min")


@polyfill(sorted)
def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    result = list(iterable if key is not None else _in_any_order(iterable))
    result.sort(key=key, reverse=reverse)
    return result
