"""How a disabled function runs: the frame hook leaves it alone and, unless told otherwise, what it calls too."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import torch

from framelift import _core
from framelift.controls import Disabled
from framelift.runtime import driver

_PLAIN_FUNCTION = 0x1 | 0x2
_OTHER_KINDS = 0x20 | 0x80 | 0x200

# Libraries whose functions are worth capturing only as a part of what calls them.
_LIBRARIES = tuple(
    str(path) + "/"
    for path in (sysconfig.get_path("stdlib"), Path(torch.__file__).parent, Path(__file__).parent.parent)
)


def run(disabled: Disabled, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the function that `disabled` stands for."""
    if disabled.recursive or disabled.options is None:
        if not _core.hook_installed():
            return disabled.function(*args, **kwargs)
        with _core.Scope("skip"):
            return disabled.function(*args, **kwargs)
    own = getattr(disabled.function, "__code__", None)

    def compile_below(code: CodeType, function: FunctionType, options: object, bound: tuple[Any, ...]) -> Any:
        if code is own or not is_worth_capturing(code):
            return None
        return driver.compile_call(code, function, options, bound)

    with _core.Scope("compile", compile_below, disabled.options):
        return disabled.function(*args, **kwargs)


def is_worth_capturing(code: CodeType) -> bool:
    """Whether a frame that started by itself may be captured: a plain function of the user's."""
    flags = code.co_flags
    plain = flags & _PLAIN_FUNCTION == _PLAIN_FUNCTION and not flags & _OTHER_KINDS
    return plain and not code.co_filename.startswith(("<", *_LIBRARIES))


Disabled.runner = staticmethod(run)
