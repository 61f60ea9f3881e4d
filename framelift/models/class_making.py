"""Making real classes without running any code of the user's, while capturing and in the residual."""

from __future__ import annotations

from typing import Any

NEEDED_AT_ONCE = ("__module__", "__qualname__", "__slots__", "__doc__")


class _Quiet:
    """A first base that keeps the `__init_subclass__` of the others from being called."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        pass


def new_class(meta: Any, name: str, bases: tuple[Any, ...], entries: dict[str, Any]) -> Any:
    """A class with these bases and entries; neither its metaclass nor its bases are told."""
    if not _is_told(bases):
        return type.__new__(meta, name, bases, dict(entries))
    made: Any = type.__new__(meta, name, (_Quiet, *bases), dict(entries))
    made.__bases__ = bases
    return made


def _is_told(bases: tuple[Any, ...]) -> bool:
    """Whether a base would run code of its own."""
    for base in bases:
        for cls in base.__mro__ if isinstance(base, type) else ():
            if "__init_subclass__" in vars(cls) and cls is not object:
                return True
    return False


def set_attributes(cls: type, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
    """Put what is under its names into a class, past any `__setattr__` of its metaclass."""
    for name, value in zip(names, values, strict=True):
        type.__setattr__(cls, name, value)
