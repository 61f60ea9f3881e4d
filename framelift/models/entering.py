"""Managers that are entered for real only where capture ends inside of them.

Entering is logged as an effect and leaving takes it back: a manager that is entered and left in the call is then never
entered by the residual, and what it means is in the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.values.base import Tracer, Value


def enter(m: Tracer, function: Callable[..., Any], manager: Value) -> None:
    """Log `function(manager)`, which enters it."""
    m.effects.add(function, manager)


def leave(m: Tracer, function: Callable[..., Any], manager: Value) -> bool:
    """Take the entering back; False if the manager was not entered in this call."""
    effects = m.effects.effects
    for index in range(len(effects) - 1, -1, -1):
        if effects[index].function is function and effects[index].args[0] is manager:
            m.effects.take_back(index)
            return True
    return False
