"""Doing things for real while capturing: pure functions of literals."""

from __future__ import annotations

import abc
import cmath
import enum
import math
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from framelift.models import numpy_symbols, symbols
from framelift.models.pure_functions import PURE_LIBRARY
from framelift.models.real_exceptions import exception_value
from framelift.values import numpy_numbers
from framelift.values.base import Raised, Value
from framelift.values.instance import InstanceValue
from framelift.values.keys import PYBIND
from framelift.values.known import LITERALS, Known, NotConstant
from framelift.values.mapping import DictValue
from framelift.values.sequence import Sequence
from framelift.values.sets import SetValue
from framelift.values.slices import SliceValue
from framelift.values.symbol import NumpySymbol, SymbolValue, specialized
from framelift.values.text import TextValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

PURE_TYPES = (int, float, complex, bool, str, bytes, range, tuple, frozenset, *numpy_numbers.BASES)


def _changes_something(name: str) -> bool:
    """Whether a function of `operator` works in place."""
    return name in ("setitem", "delitem") or (name.startswith("i") and hasattr(operator, f"__{name.strip('_')}__"))


PURE: frozenset[Any] = frozenset(
    [function for module in (math, cmath) for function in vars(module).values() if callable(function)]
    + [function for name, function in vars(operator).items() if callable(function) and not _changes_something(name)]
    + [abs, ascii, bin, chr, divmod, format, hash, hex, len, max, min, oct, ord, pow, repr, round, sorted, sum]
    + [bool, bytes, complex, float, int, str, range, frozenset, *PURE_LIBRARY]
)


_GIVE_ITERATORS = ("__iter__", "__reversed__")  # and an iterator changes when it is used

MAX_NESTING = 20
_PLAIN_METACLASSES = (type, abc.ABCMeta)  # others may have their own `__eq__`, `__len__` ...


def to_python(m: Machine, value: Value, depth: int = 0) -> Any:
    """The Python object a value stands for, if it is made of literals alone."""
    if isinstance(value, Known):
        if value.literal or isinstance(value.obj, types.BuiltinFunctionType) or type(value.obj) in _PLAIN_METACLASSES:
            return value.obj
        if type(value.cls) is PYBIND and hasattr(value.cls, "__members__"):
            return value.obj  # a member of an enumeration of C++
        raise NotConstant
    if depth > MAX_NESTING:  # perhaps it contains itself
        raise NotConstant
    if isinstance(value, Sequence) and value.cls in (tuple, list, torch.Size):
        return value.cls([to_python(m, item, depth + 1) for item in value.all(m)])
    if isinstance(value, SetValue) and value.cls in (set, frozenset) and value.real is not None:
        return value.cls(value.real)  # in the same order
    if isinstance(value, DictValue) and value.cls is dict:
        return {to_python(m, name): to_python(m, item, depth + 1) for name, item in value.items(m)}
    if isinstance(value, SliceValue):
        return slice(*(to_python(m, part, depth + 1) for part in value.parts))
    raise NotConstant


def is_pure(function: Any) -> bool:
    """Whether a callable's result depends on its arguments alone and it changes nothing."""
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType | types.ClassMethodDescriptorType):
        return function.__objclass__ in PURE_TYPES and function.__name__ not in _GIVE_ITERATORS
    if isinstance(function, types.BuiltinFunctionType):
        owner = function.__self__
        if function is str.maketrans or function is bytes.maketrans:
            return True
        if isinstance(owner, type) and owner in PURE_TYPES:
            return True
        if type(owner) in LITERALS and not isinstance(owner, types.ModuleType):
            return owner is not None or function in PURE
    try:
        return function in PURE
    except TypeError:
        return False


def fold(
    m: Machine, function: Callable[..., Any], args: list[Value], kwargs: dict[str, Value], specialize: bool = False
) -> Value | None:
    """The result of a pure function of literals; None if it is not one.

    A symbolic number among the arguments stays symbolic where it can. One inside of an argument is taken for what it is
    in this call only if `specialize` is set.
    """
    if not is_pure(function):
        return None
    if m.recorder.symbols is not None and any(isinstance(arg, TextValue) for arg in args):
        args = [specialized(m, arg) if isinstance(arg, TextValue) else arg for arg in args]
    if m.recorder.symbols is not None and any(isinstance(arg, SymbolValue | NumpySymbol) for arg in args):
        apply = numpy_symbols.apply if any(map(_is_of_numpy, args)) else symbols.apply
        found = apply(m, function, args) if not kwargs else None
        if found is not None:
            return found
        args = [specialized(m, arg) for arg in args]
    convert = to_base if _ignores_subclasses(function) else to_python
    try:
        if specialize:
            args = [without_symbols(m, arg) for arg in args]
            kwargs = {name: without_symbols(m, arg) for name, arg in kwargs.items()}
        real_args = [convert(m, arg) for arg in args]
        real_kwargs = {name: convert(m, arg) for name, arg in kwargs.items()}
    except NotConstant:
        return None
    result = really(m, function, real_args, real_kwargs)
    fresh = convert is to_base and function.__objclass__ not in (tuple, frozenset)  # type: ignore[attr-defined]
    if not fresh and not isinstance(result, Known) and not all(isinstance(arg, Known | SliceValue) for arg in args):
        return None  # an argument or a part of one may be in it, and has to stay the object it is
    return result


def _is_of_numpy(value: Value) -> bool:
    return isinstance(value, NumpySymbol) or (isinstance(value, Known) and numpy_numbers.is_number(value.obj))


def without_symbols(m: Machine, value: Value, depth: int = 0) -> Value:
    """The same value with every symbolic number in it taken for what it is in this call."""
    if m.recorder.symbols is None or depth > MAX_NESTING:
        return value
    if isinstance(value, Sequence) and value.seen is None and value.cls in (tuple, list, torch.Size):
        return type(value)([without_symbols(m, item, depth + 1) for item in value.all(m)], value.cls)
    return specialized(m, value)


def _ignores_subclasses(function: Any) -> bool:
    """Whether a method takes instances of subclasses of str, int, ... for what their built-in base holds."""
    return (
        isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType)
        and function.__objclass__ in PURE_TYPES
        and function.__name__ not in ("format", "format_map", "__mod__", "__rmod__", "__eq__", "__hash__")
    ) or function in _BASE_METHODS


_BASE_METHODS = frozenset(method for cls in (int, float, complex, str, bytes) for method in (cls.__eq__, cls.__hash__))


def to_base(m: Machine, value: Value) -> Any:
    """As `to_python`, and for an instance of a subclass of str, int, ... what its built-in base holds."""
    if isinstance(value, InstanceValue) and isinstance(value.content, Known):
        return value.content.obj
    if isinstance(value, Known) and isinstance(value.obj, enum.Enum) and isinstance(value.obj, _BASES):
        return value.obj
    return to_python(m, value)


_BASES = (int, float, complex, str, bytes)


def really(m: Machine, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any] | None = None) -> Value:
    """Call something now; what it raises is raised in the traced program."""
    try:
        return m.constant(function(*args, **(kwargs or {})))
    except Exception as error:  # noqa: BLE001 - whatever the user's call raises is what it raises when traced
        raise Raised(exception_value(m, error)) from None
