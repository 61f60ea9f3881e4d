"""How often a function is compiled again before it runs as ordinary Python.

Each object it is a method of has a budget of its own, so that many instances of a class do not use up a common one.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from torch.nn import Module

from framelift import _core, logs, settings
from framelift.report.naming import name_of_call
from framelift.report.recompiles import Recompile


def owner_of(code: CodeType, args: tuple[Any, ...]) -> int:
    """The module a call belongs to, by its id; 0 if to none. One in a variable, not one that waits on a stack."""
    named = zip(code.co_varnames, args, strict=False)
    return next((id(arg) for name, arg in named if issubclass(type(arg), Module) and name.isidentifier()), 0)


def is_reached(code: CodeType, options: object, args: tuple[Any, ...], recompile: Recompile | None) -> bool:
    """Count one more compilation; True when there have been enough, of which the user is told once."""
    budgets: dict[Any, int] = _core.scratch(code).setdefault("budgets", {})
    mine = (options, owner_of(code, args))
    budgets[mine] = budgets.get(mine, 0) + 1
    chosen = settings.current()
    if chosen.break_at or chosen.break_every:  # a test asked for breaks
        return False
    total = sum(budgets.values())
    if budgets[mine] <= chosen.recompile_limit and total <= chosen.total_recompile_limit:
        return False
    if budgets[mine] == chosen.recompile_limit + 1 or total == chosen.total_recompile_limit + 1:
        _tell(name_of_call(code, args), budgets[mine] - 1, recompile)
    return True


def _tell(name: str, count: int, recompile: Recompile | None) -> None:
    reason = f": {recompile.failures[0].text}" if recompile is not None and recompile.failures else ""
    logs.warn(
        f"{name} was compiled {count} times and runs as ordinary Python where no compiled form fits, from now on. What "
        f"keeps changing{reason}. Make it stay the same, pass it as a tensor, mark a size with mark_dynamic, or raise "
        "settings.recompile_limit. FRAMELIFT_LOGS=recompiles tells each time why."
    )
