"""What to call a call that was compiled, when telling people about it."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from torch import nn

_CALL: Any = nn.Module.__call__


def name_of_call(code: CodeType, args: tuple[Any, ...]) -> str:
    """The function and where it stands; for a module, whose call all modules share, its `forward`."""
    name = code.co_qualname
    if code is _CALL.__code__ and args and isinstance(args[0], nn.Module):
        forward = type(args[0]).forward
        name = f"{type(args[0]).__qualname__}.forward"
        if isinstance(forward, FunctionType):
            code = forward.__code__
    return f"{name} ({code.co_filename}:{code.co_firstlineno})"
