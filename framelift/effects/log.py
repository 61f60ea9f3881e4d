"""Mutations of objects that existed before the call, in the order the program made them.

While capturing nothing of the user's changes. Each mutation is logged as the call that performs it; the residual makes
these calls after the graph. Objects made while capturing need no log: they are rebuilt in their final state.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple


class Effect(NamedTuple):
    """`function(*args)`: a plain Python function, with symbolic values for arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]


def nothing() -> None:
    """What is left of an effect that was taken back."""


class EffectLog:
    """What is to be replayed. Effects keep their places: some grow later on."""

    __slots__ = ("effects", "_replaced", "_taken_back")

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self._replaced = 0
        self._taken_back = 0

    @property
    def state(self) -> tuple[int, int]:
        """Tells whether anything was done: it is the same again only if all that was logged since was taken back."""
        return len(self.effects) - self._taken_back, self._replaced

    def add(self, function: Callable[..., Any], *args: Any) -> None:
        """Log the call `function(*args)`."""
        if function in WRITES and self._overwrite(function, *args):
            return
        self.effects.append(Effect(function, args))

    def replace(self, place: int, function: Callable[..., Any], *args: Any) -> None:
        """Have an effect that was logged do something else."""
        self.effects[place] = Effect(function, args)
        self._replaced += 1

    def take_back(self, place: int) -> None:
        """An effect that was logged need not be performed after all."""
        self.effects[place] = Effect(nothing, ())
        self._taken_back += 1

    def _overwrite(self, function: Callable[..., Any], owner: Any, name: Any, value: Any) -> bool:
        """Put a value in the place of one written before, if nothing but writes came since: nobody saw that one."""
        for index in range(len(self.effects) - 1, -1, -1):
            earlier = self.effects[index]
            if earlier.function is nothing:
                continue
            if earlier.function not in WRITES:
                return False
            if earlier.function is function and earlier.args[0] is owner and _same_name(earlier.args[1], name):
                self.replace(index, function, owner, earlier.args[1], value)
                return True
        return False


# `function(owner, name, value)`: these run no code of the user's.
WRITES: frozenset[Any] = frozenset({object.__setattr__, dict.__setitem__, OrderedDict.__setitem__})


def _same_name(left: Any, right: Any) -> bool:
    """Whether two values are the same text."""
    first, second = getattr(left, "obj", None), getattr(right, "obj", None)
    return type(first) is str and type(second) is str and first == second
