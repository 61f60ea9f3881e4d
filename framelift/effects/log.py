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


class EffectLog:
    """What is to be replayed."""

    __slots__ = ("effects", "added")

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.added = 0  # how many there ever were, those included whose place another took

    def add(self, function: Callable[..., Any], *args: Any) -> None:
        """Log the call `function(*args)`."""
        self.added += 1
        if function in WRITES and self._overwrite(function, *args):
            return
        self.effects.append(Effect(function, args))

    def _overwrite(self, function: Callable[..., Any], owner: Any, name: Any, value: Any) -> bool:
        """Put a value in the place of one written before, if nothing but writes came since: nobody saw that one."""
        for index in range(len(self.effects) - 1, -1, -1):
            earlier = self.effects[index]
            if earlier.function not in WRITES:
                return False
            if earlier.function is function and earlier.args[0] is owner and _same_name(earlier.args[1], name):
                self.effects[index] = Effect(function, (owner, earlier.args[1], value))
                return True
        return False


# `function(owner, name, value)`: these run no code of the user's.
WRITES: frozenset[Any] = frozenset({object.__setattr__, dict.__setitem__, OrderedDict.__setitem__})


def _same_name(left: Any, right: Any) -> bool:
    """Whether two values are the same text."""
    first, second = getattr(left, "obj", None), getattr(right, "obj", None)
    return type(first) is str and type(second) is str and first == second
