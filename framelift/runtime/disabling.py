"""How a disabled function runs: the frame hook leaves it alone and, unless told otherwise, what it calls too."""

from __future__ import annotations

from typing import Any

from framelift import _core
from framelift.controls import Disabled


def run(disabled: Disabled, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the function that `disabled` stands for."""
    if not disabled.recursive or not _core.hook_installed():
        return disabled.function(*args, **kwargs)
    with _core.Scope("skip"):
        return disabled.function(*args, **kwargs)


Disabled.runner = staticmethod(run)
