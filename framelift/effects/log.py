"""Mutations of objects that existed before the call, in the order the program made them.

While capturing nothing of the user's changes. Each mutation is logged as the call that performs it; the residual makes
these calls after the graph. Objects made while capturing need no log: they are rebuilt in their final state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Effect(NamedTuple):
    """`function(*args)`: a plain Python function, with symbolic values for arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]


class EffectLog:
    """What is to be replayed."""

    __slots__ = ("effects",)

    def __init__(self) -> None:
        self.effects: list[Effect] = []

    def add(self, function: Callable[..., Any], *args: Any) -> None:
        """Log the call `function(*args)`."""
        self.effects.append(Effect(function, args))
