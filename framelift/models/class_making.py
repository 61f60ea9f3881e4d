"""Making real classes without running any code of the user's, while capturing and in the residual."""

from __future__ import annotations

from typing import Any

_IMMUTABLE_TYPE = 1 << 8
NEEDED_AT_ONCE = ("__module__", "__qualname__", "__slots__", "__doc__")


class _Quiet:
    """Comes first in method resolution while a class is made: `__init_subclass__` of the others is not called."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        pass


class _QuietWithDict:
    """The same for classes derived from ones whose objects have a dictionary."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        pass


_set_class = object.__dict__["__class__"].__set__
_set_bases = type.__dict__["__bases__"].__set__


def new_class(meta: Any, name: str, bases: tuple[Any, ...], entries: dict[str, Any]) -> Any:
    """A class with these bases and entries; neither its metaclass nor its bases are told."""
    if not _is_told(bases):
        return type.__new__(meta, name, bases, dict(entries))
    if meta.__flags__ & _IMMUTABLE_TYPE:
        return _with_first_base(meta, name, bases, entries)
    made = type.__new__(_quiet(meta), name, bases, dict(entries))
    _set_class(made, meta)
    _set_bases(made, bases)  # which finds the usual order again
    return made


def _with_first_base(meta: Any, name: str, bases: tuple[Any, ...], entries: dict[str, Any]) -> Any:
    """A class made with one base more, which is taken away; its objects have to be laid out as those of the others."""
    for quiet in (_Quiet, _QuietWithDict):
        made: Any = type.__new__(meta, name, (quiet, *bases), dict(entries))
        try:
            made.__bases__ = bases
        except TypeError:
            continue
        return made
    raise NotImplementedError(f"a class derived from {bases}")


def _quiet(meta: Any) -> Any:
    def mro(cls: Any) -> list[type]:
        first, *others = type.mro(cls)
        return [first, _Quiet, *others]

    return type.__new__(type(meta), "quiet", (meta,), {"mro": mro})


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
        if type(value) is property and hasattr(value, "__set_name__"):
            value.__set_name__(cls, name)  # messages speak of it by its name
        type.__setattr__(cls, name, value)
