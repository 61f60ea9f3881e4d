"""Functions that the residual calls to make objects again that were made while capturing."""

from __future__ import annotations

import functools
import types
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from types import CellType, CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any

import torch

from framelift import _core
from framelift.paths.reach import class_attribute, own_dict

_HEAP_TYPE = 1 << 9


def instance(cls: type) -> Any:
    """An object of a class, its attributes and contents still to be set."""
    return _builtin_base(cls).__new__(cls)


def _builtin_base(cls: type) -> Any:
    """The built-in class whose memory an object of a class written in Python extends."""
    return next(base for base in cls.__mro__ if not base.__flags__ & _HEAP_TYPE)


def of_literal(cls: type, content: Any) -> Any:
    """An instance of a subclass of str, int, float, ..."""
    return _builtin_base(cls).__new__(cls, content)


def empty_deque(bound: int | None) -> Any:
    return deque(maxlen=bound)


def deque_instance(cls: Any, bound: int | None) -> Any:
    made = deque.__new__(cls)
    deque.__init__(made, (), bound)
    return made


def immutable(cls: type, content: Any) -> Any:
    """An instance of a subclass of tuple or frozenset, or of a struct sequence."""
    base: Any
    for base in (tuple, frozenset):
        if issubclass(cls, base) and cls.__flags__ & _HEAP_TYPE:
            return base.__new__(cls, content)
    return cls(content)


def add_hashed(target: set[Any], item: Any, number: int) -> None:
    """Add an element under a hash that it had once, without asking it."""
    set.update(target, _hashed((item,), (number,)))


def hashed_frozenset(items: tuple[Any, ...], numbers: tuple[int | None, ...]) -> frozenset[Any]:
    return frozenset(_hashed(items, numbers))


def _hashed(items: tuple[Any, ...], numbers: tuple[int | None, ...]) -> dict[Any, None]:
    found: dict[Any, None] = {}
    for item, number in zip(items, numbers, strict=True):
        _core.put_hashed(found, item, None, hash(item) if number is None else number)
    return found


def exception(cls: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    base = _builtin_base(cls)
    made: BaseException = base.__new__(cls, *args)
    base.__init__(made, *args)
    made.args = args
    return made


def raised(error: BaseException, function: Callable[[BaseException], Any]) -> None:
    """Give an exception the traceback it got when it was raised and caught in the program."""
    context = error.__context__
    with suppress(type(error)):
        function(error)
    error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
    if context is not None:
        error.__context__ = context
    del error, context  # the traceback leads back to this frame


def attributes(obj: Any, values: dict[str, Any]) -> None:
    """Set attributes past any `__setattr__` of the class, and past what has the same name there."""
    for name, value in values.items():
        found = class_attribute(type(obj), name)
        if hasattr(type(found), "__set__") and not isinstance(found, _FIELDS):
            own_dict(obj)[name] = value
        else:
            object.__setattr__(obj, name, value)


_FIELDS = (MemberDescriptorType, GetSetDescriptorType)


def function(
    code: CodeType,
    globals_: dict[str, Any],
    names: tuple[str, str],
    defaults: tuple[Any, ...] | None,
    kwdefaults: dict[str, Any] | None,
    closure: tuple[CellType, ...],
    annotations: Any,
) -> FunctionType:
    made = FunctionType(code, globals_, names[0], defaults, closure)
    made.__qualname__ = names[1]
    made.__kwdefaults__ = kwdefaults
    if annotations is not None:
        pairs = iter(annotations) if isinstance(annotations, tuple) else None
        made.__annotations__ = annotations if pairs is None else dict(zip(pairs, pairs, strict=True))
    return made


def cell(*content: Any) -> CellType:
    return CellType(*content)


def set_cell(target: CellType, content: Any) -> None:
    target.cell_contents = content


def iterator(iterable: Any, position: int) -> Any:
    """An iterator over a list or tuple that has given so many items."""
    made: Any = (list if isinstance(iterable, list) else tuple).__iter__(iterable)
    made.__setstate__(position)
    return made


def class_dict(cls: type) -> Any:
    return type.__dict__["__dict__"].__get__(cls)


def bound(descriptor: Any, receiver: Any) -> Any:
    """What a descriptor written in C gives for its receiver."""
    if isinstance(descriptor, types.ClassMethodDescriptorType):
        return descriptor.__get__(None, receiver)
    return descriptor.__get__(receiver)


def partial(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A partial that holds these very objects."""
    made = functools.partial(function)
    made.__setstate__((function, args, keywords, None))  # type: ignore[attr-defined]
    return made


def called(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    return function(*args, **keywords)


def advanced(kind: Any, args: tuple[Any, ...], given: int) -> Any:
    """An iterator that has given so many items."""
    made = kind(*args)
    for _ in range(given):
        next(made)
    return made


def exhausted(kind: type) -> Any:
    """An iterator over a list or tuple that has come to its end."""
    made = iter(kind())
    next(made, None)
    return made


def advanced_iterator(start: Any, iterable: Any, given: int) -> Any:
    """`iter(iterable)` or `reversed(iterable)` after so many calls of next."""
    made = start(iterable)
    for _ in range(given):
        next(made, None)
    return made


def range_iterator(place: int, stop: int, step: int) -> Any:
    return iter(range(place, stop, step))


def row_iterator(tensor: torch.Tensor, position: int) -> Any:
    return iterator(tensor.unbind(0), position)


def reverse_iterator(sequence: Any, position: int) -> Any:
    made: Any = list.__reversed__(sequence) if isinstance(sequence, list) else reversed(sequence)
    if position < 0:
        for _ in made:
            pass
    else:
        made.__setstate__(position)
    return made


def dict_view(mapping: Any, part: str) -> Any:
    """A view of a dict, whatever a subclass makes of its methods."""
    kind: Any = OrderedDict if isinstance(mapping, OrderedDict) else dict
    return getattr(kind, part)(mapping)


def dict_iterator(mapping: Any, part: str, backwards: bool, given: int) -> Any:
    return advanced_iterator(reversed if backwards else iter, dict_view(mapping, part), given)


def set_iterator(elements: Any, given: int) -> Any:
    base: Any = set if isinstance(elements, set) else frozenset
    return advanced_iterator(base.__iter__, elements, given)


def strict_zip(*sources: Any) -> Any:
    return zip(*sources, strict=True)


def key_wrapper(compare: Any, obj: Any) -> Any:
    return functools.cmp_to_key(compare)(obj)


double = functools.partial(torch.scalar_tensor, dtype=torch.float64)
"""A float as a tensor."""
