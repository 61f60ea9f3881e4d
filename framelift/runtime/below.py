"""Functions that are disabled, but not what they call: the frame hook captures the frames below such a call."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import torch

from framelift import _core
from framelift.controls import Disabled
from framelift.models import controls
from framelift.residual.break_points import BreakPoint
from framelift.values.base import Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.getter import GetterValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known

_PLAIN_FUNCTION = 0x1 | 0x2
_OTHER_KINDS = 0x20 | 0x80 | 0x200

# Libraries whose functions are worth capturing only as a part of what calls them.
_LIBRARIES = tuple(
    str(path) + "/"
    for path in (sysconfig.get_path("stdlib"), Path(torch.__file__).parent, Path(__file__).parent.parent)
)


def captured_below(point: BreakPoint, compile_call: _core.Compile, options: Any) -> BreakPoint:
    """Have the frames below a call captured, if what is called says so."""
    operands = [
        GetterValue(_Within, [operand, Known(compile_call), Known(options)], {}) if _is_shallow(operand) else operand
        for operand in point.operands
    ]
    return point._replace(operands=operands)


def _is_shallow(callee: Value) -> bool:
    found = callee.function if isinstance(callee, MethodValue) else callee
    function = found.obj if isinstance(found, Known) else found
    if isinstance(function, FunctionType | FunctionValue):
        return controls.is_shallow(function)
    if not isinstance(found, InstanceValue) or found.cls is not Disabled:
        return False
    if found.seen is not None:
        return bool(found.seen.convert(lambda disabled: not disabled.recursive))
    recursive = found.attributes.written.get("recursive")
    return isinstance(recursive, Known) and recursive.obj is False


class _Within:
    """Calls a function that is not captured itself."""

    __slots__ = ("function", "compile_call", "options")

    def __init__(self, function: Any, compile_call: _core.Compile, options: Any) -> None:
        self.function = function
        self.compile_call = compile_call
        self.options = options

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        own = _codes_of(self.function)

        def compile_below(code: CodeType, function: FunctionType, options: object, bound: tuple[Any, ...]) -> Any:
            if code in own or not is_worth_capturing(code):
                return None
            return self.compile_call(code, function, options, bound)

        with _core.Scope("compile", compile_below, self.options):
            return self.function(*args, **kwargs)


def _codes_of(function: Any) -> list[CodeType]:
    """What a call of a disabled function runs: it, and what stands in front of it."""
    found: list[CodeType] = []
    while function is not None:
        function = getattr(function, "__func__", function)
        function = function.function if isinstance(function, Disabled) else function
        code = getattr(function, "__code__", None)
        found += [] if code is None else [code]
        function = getattr(function, controls.ORIGINAL, None)
    return found


def is_worth_capturing(code: CodeType) -> bool:
    """Whether a frame that started by itself may be captured: a plain function of the user's."""
    flags = code.co_flags
    plain = flags & _PLAIN_FUNCTION == _PLAIN_FUNCTION and not flags & _OTHER_KINDS
    return plain and not code.co_filename.startswith(("<", *_LIBRARIES))
