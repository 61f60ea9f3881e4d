"""What is kept of one compilation, in its cache entry. None of it is an object of the user's."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from framelift import _core
from framelift.graph.conditions import Condition
from framelift.guards.notes import GuardNote, NodeNotes
from framelift.interpreter.frame import Program

if TYPE_CHECKING:
    from types import CodeType

    from framelift.guards.strict import Measurements
    from framelift.report.breaks import BreakRecord
    from framelift.report.recompiles import Recompile


_numbers = itertools.count()


class Compiled:
    """How an entry came to be."""

    __slots__ = (
        "name", "filename", "line", "number", "from_line", "graph", "guards", "conditions", "state", "broken",
        "graph_break", "recompile", "left_alone", "measurements", "own",
    )  # fmt: skip

    def __init__(self, code: CodeType, state: _core.State, program: Program) -> None:
        self.name = code.co_qualname
        self.filename = code.co_filename
        self.line = code.co_firstlineno
        self.number = next(_numbers)  # in the order of making
        self.from_line = _start(program)  # where it begins, if that is in the middle, after a graph break
        self.state = state
        self.graph: Any = None  # the graph module, if there was anything to put into one
        self.guards: list[NodeNotes] = []
        self.conditions: list[Condition] = []  # on sizes and numbers, in the order of the native ones
        self.broken: str | None = None
        self.graph_break: BreakRecord | None = None  # where the entry ends, unless it ends with the function
        self.recompile: Recompile | None = None  # why the entries before did not do
        self.measurements: Measurements | None = None  # in strict mode, the guards in Python
        self.own: list[Any] = []  # objects that the capture made, which live as long as the entry
        self.left_alone = False  # captures gave nothing so often that there will be no more

    @property
    def title(self) -> str:
        """Which stretch of which function this is."""
        start = "" if self.from_line is None else f", from line {self.from_line} on"
        return f"{self.name} ({self.filename}:{self.line}){start}"

    @property
    def all_guards(self) -> list[GuardNote]:
        return [note for node in self.guards for note in node.guards]

    def condition(self, index: int) -> Condition:
        if 0 <= index < len(self.conditions):
            return self.conditions[index]
        return Condition("a condition on sizes or numbers", None)


def _start(program: Program) -> int | None:
    """The line at which a continuation goes on."""
    origin = program.origin
    return None if origin is None else origin.program.code.instrs[origin.positions[0]].line
