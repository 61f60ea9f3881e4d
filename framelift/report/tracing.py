"""The log artifact `trace`: every source line as it is traced, indented by how deep it is inlined."""

from __future__ import annotations

from collections.abc import Callable

from framelift import logs
from framelift.code import Instr
from framelift.interpreter.frame import Frame
from framelift.report.places import Place


def watcher() -> Callable[[Frame, Instr], None] | None:
    """What a capture is to show its instructions to; None if nobody wants to see them."""
    if not logs.wanted("trace"):
        return None
    last: tuple[Frame | None, int | None] = (None, None)

    def watch(frame: Frame, instr: Instr) -> None:
        nonlocal last
        place = Place(frame.program, instr)
        if instr.line is None or (frame, instr.line) == last or place.is_ours:
            return
        last = (frame, instr.line)
        logs.say("trace", lambda: f"{'  ' * _depth(frame)}{place}: {place.source_line()}")

    return watch


def _depth(frame: Frame) -> int:
    depth = 0
    while frame.caller is not None:
        depth, frame = depth + 1, frame.caller
    return depth
