"""What Python does to an exception when it is raised: it becomes linked to the one being handled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framelift.values.base import Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.traceback import TracebackValue

if TYPE_CHECKING:
    from framelift.interpreter.frame import Frame
    from framelift.interpreter.machine import Machine


class Way:
    """Where an exception was raised while capturing and the frames it came through: what its traceback has to show."""

    __slots__ = ("exception", "places", "caught_by", "is_plain")

    def __init__(self, exception: Value, places: list[tuple[Frame, int]]) -> None:
        self.exception = exception
        self.places = places  # each frame with its instruction, the outermost first
        self.caught_by: Frame | None = None
        self.is_plain = all(frame.generator is None for frame, _ in places)

    def shown(self) -> list[tuple[Frame, int]] | None:
        """From the frame that caught it to the one that raised it; None if that is not all there is to it."""
        frames = [frame for frame, _ in self.places]
        if not self.is_plain or self.caught_by not in frames:
            return None
        return self.places[frames.index(self.caught_by) :]


def is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def current(m: Machine) -> Value:
    """The exception being handled, as `sys.exception()` has it: a generator's own, or else its caller's."""
    for handled in (m.handled, *reversed(m.handled_outside)):
        if not is_none(handled):
            return handled
    return NONE


def link(m: Machine, exception: Value, handled: Value) -> None:
    """Make `handled` the context of an exception that is raised meanwhile."""
    if isinstance(exception, InstanceValue) and is_none(exception.slots.get("__traceback__") or NONE):
        exception.slots["__traceback__"] = TracebackValue()
    if is_none(handled) or handled is exception:
        return
    _cut(exception, handled)
    if isinstance(exception, InstanceValue) and exception.seen is None:
        exception.slots["__context__"] = handled
    else:
        if isinstance(exception, InstanceValue):
            exception.slots["__context__"] = handled
        m.effects.add(setattr, exception, Known("__context__"), handled)


def _cut(exception: Value, handled: Value) -> None:
    """No exception may become its own context. Another may be already, if the program made it so."""
    visited: list[Value] = []
    while isinstance(handled, InstanceValue) and not any(handled is other for other in visited):
        visited.append(handled)
        context = handled.slots.get("__context__")
        if context is exception:
            handled.slots["__context__"] = NONE
            return
        if context is None:
            return
        handled = context
