"""Messages that different Pythons word differently: Python is asked for them once, with a class of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class _Stand:
    __slots__ = ("name",)
    name: Any


def _message(action: Callable[[], Any]) -> str:
    try:
        action()
    except AttributeError as error:
        return str(error)
    raise AssertionError


_NO_PLACE = _message(lambda: object.__setattr__(_Stand(), "other", None))
_UNSET_SLOT = _message(lambda: _Stand().name)


def _about(message: str, old: str, cls: type, name: str) -> str:
    full = cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
    message = message.replace(repr(old), repr(name))
    return message.replace(f"{_Stand.__module__}._Stand", full).replace("_Stand", cls.__name__)


def no_place(cls: type, name: str) -> str:
    """An object without a dictionary is given an attribute."""
    return _about(_NO_PLACE, "other", cls, name)


def unset_slot(cls: type, name: str) -> str:
    """A slot is read before it is set."""
    return _about(_UNSET_SLOT, "name", cls, name)
