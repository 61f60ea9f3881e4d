"""Models of `sys._getframe`: the frames of the capture, as far as what they run is concerned."""

from __future__ import annotations

import sys
import typing
from types import FrameType
from typing import Any

from framelift.interpreter.frame import Frame
from framelift.models import registry
from framelift.models.contents import NOT_AN_INTEGER, as_index
from framelift.models.registry import model, named_model
from framelift.values.base import Value
from framelift.values.dict_namespace import DictNamespace
from framelift.values.frames import FrameValue
from framelift.values.known import NONE, Known, boolean
from framelift.values.reasons import LOOKS_AT_FRAME, Break

_MODELS = registry.__file__.rpartition("registry")[0]


def _frame(m: Any, frame: Frame | None, depth: int) -> Frame:
    """The frame so many calls up. What stands for a function written in C has none."""
    while frame is not None:
        if not frame.program.code.filename.startswith(_MODELS):
            if depth <= 0:
                return frame
            depth -= 1
        frame = frame.caller
    raise Break(LOOKS_AT_FRAME, "a frame outside of the compiled function")


@model(sys._getframe)
def get_frame(m: Any, depth: Value = Known(0), /) -> Value:  # noqa: B008
    return FrameValue(_frame(m, m.frame, as_index(m, depth, NOT_AN_INTEGER)))


if hasattr(sys, "_getframemodulename"):

    @model(sys._getframemodulename)
    def module_name(m: Any, depth: Value = Known(0)) -> Value:  # noqa: B008
        found = _frame(m, m.frame, as_index(m, depth, NOT_AN_INTEGER))
        return found.globals.get(m, "__name__") or NONE


@model(FrameType.__dict__["f_globals"])
def frame_globals(m: Any, self: Value, /) -> Value:
    assert isinstance(self, FrameValue)
    names = self.frame.globals
    found: Value = names.mapping if isinstance(names, DictNamespace) else m.lift(names.storage)
    return found


@model(FrameType.__dict__["f_back"])
def frame_caller(m: Any, self: Value, /) -> Value:
    assert isinstance(self, FrameValue)
    return FrameValue(_frame(m, self.frame.caller, 0))


@model(FrameType.__dict__["f_locals"], FrameType.__dict__["f_code"], FrameType.__dict__["f_lineno"])
def frame_state(m: Any, self: Value, /) -> Value:
    raise Break(LOOKS_AT_FRAME, "the state of a frame")


@named_model("typing_extensions.py", "_has_generic_or_protocol_as_origin")
def is_generic_itself(m: Any, function: Any, closure: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """It asks the caller of its caller whether `Generic` or `Protocol` is what is given parameters."""
    frame = _frame(m, m.frame, 1)
    if frame.program.code.filename != typing.__file__:
        return boolean(False)
    names = [slot.name for slot in frame.program.code.slots]
    origin = frame.locals[names.index("origin")] if "origin" in names else None
    known = origin.obj if isinstance(origin, Known) else None
    return boolean(known is not None and known in (typing.Generic, typing.Protocol, _OTHER_PROTOCOL))


_OTHER_PROTOCOL = getattr(sys.modules.get("typing_extensions"), "Protocol", None)
