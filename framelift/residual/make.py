"""Functions that the residual calls to make objects again that were made while capturing."""

from __future__ import annotations

from types import CellType, CodeType, FunctionType
from typing import Any


def instance(cls: type) -> Any:
    """An object of a class, its attributes still to be set."""
    base: Any
    for base in (dict, list, set):
        if issubclass(cls, base):
            return base.__new__(cls)
    return object.__new__(cls)


def immutable(cls: type, content: Any) -> Any:
    """An instance of a subclass of tuple or frozenset, or of a struct sequence."""
    base: Any
    for base in (tuple, frozenset):
        if issubclass(cls, base) and base.__new__ is not cls.__new__ and cls.__flags__ & (1 << 9):
            return base.__new__(cls, content)
    return cls(content)


def exception(cls: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    made = cls.__new__(cls, *args)
    made.args = args
    return made


def attributes(obj: Any, values: dict[str, Any]) -> None:
    """Set attributes past any `__setattr__` of the class."""
    for name, value in values.items():
        object.__setattr__(obj, name, value)


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
    """An iterator over a list, tuple or range that has given so many items."""
    made = iter(iterable)
    made.__setstate__(position)
    return made


def own_dict(obj: Any) -> dict[str, Any]:
    found: dict[str, Any] = object.__getattribute__(obj, "__dict__")
    return found
