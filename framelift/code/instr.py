"""An instruction, and the stretch of instructions an exception handler covers.

Both refer to other instructions directly, so that inserting and removing needs no renumbering.
"""

import weakref
from collections.abc import Sequence
from typing import Any, Final

Position = tuple[int | None, int | None, int | None, int | None]
"""First line, last line, first column, end column."""

NOWHERE: Final[Position] = (None, None, None, None)

JOINED: Final = "+"
"""The spelling of a piece that came from the same real instruction as the piece before it."""

NO_INTERRUPT: Final = "NO_INTERRUPT"
"""The spelling of a backward jump that does not check for interrupts."""

WIDE: Final = "WIDE"
"""The spelling of a jump that had an EXTENDED_ARG, perhaps only because it jumps across that very one."""

WIDE_NO_INTERRUPT: Final = "WIDE_NO_INTERRUPT"


class PositionTable:
    """The positions of a code object, decoded when somebody first asks for one.

    The code object is held weakly, so that instructions can be kept with it: positions asked for after it is gone are
    unknown. So are those past the end of a table that is too short for the code.
    """

    __slots__ = ("_positions", "_source")

    def __init__(self, source: Any) -> None:
        self._source = weakref.ref(source)
        self._positions: Sequence[Position] | None = None

    def positions(self) -> Sequence[Position]:
        """One position for each code unit."""
        found = self._positions
        if found is None:
            source = self._source()
            found = [] if source is None else list(source.co_positions())
            missing = 0 if source is None else len(source.co_code) // 2 - len(found)
            found += [NOWHERE] * missing
            self._positions = found
        return found


class Instr:
    """One canonical instruction.

    `arg` is decoded (a name, a constant, a slot number, ...). `spelling` remembers how the original
    code wrote the operation where there is a choice; None leaves the choice to the assembler.
    `index` is right after reading and after every method of `Code` that edits; `offset` is that of
    the real instruction this one was read from, or -1.
    """

    __slots__ = ("op", "arg", "target", "where", "spelling", "index", "offset")

    def __init__(
        self,
        op: str,
        arg: Any = None,
        target: "Instr | None" = None,
        where: Position | PositionTable = NOWHERE,
        spelling: str | None = None,
        index: int = -1,
        offset: int = -1,
    ) -> None:
        self.op = op
        self.arg = arg
        self.target = target
        self.where = where
        self.spelling = spelling
        self.index = index
        self.offset = offset

    @property
    def position(self) -> Position:
        """Where in the source this comes from; any part may be None."""
        where = self.where
        if isinstance(where, PositionTable):
            table = where.positions()
            where = self.where = table[self.offset >> 1] if table else NOWHERE
        return where

    @position.setter
    def position(self, position: Position) -> None:
        self.where = position

    @property
    def line(self) -> int | None:
        return self.position[0]

    def copy(self) -> "Instr":
        """The same instruction again, still jumping to the old target."""
        return Instr(self.op, self.arg, self.target, self.where, self.spelling, self.index, self.offset)

    def __repr__(self) -> str:
        argument = "" if self.arg is None else f" {self.arg!r}"
        jump = "" if self.target is None else f" -> {self.target.index}"
        return f"<{self.index} {self.op}{argument}{jump}>"


class Region:
    """Instructions from `start` to `end`, both included, whose exceptions go to `handler`.

    The stack is cut to `depth`, then the offset of the raising instruction is pushed if `lasti`,
    then the exception.
    """

    __slots__ = ("start", "end", "handler", "depth", "lasti")

    def __init__(self, start: Instr, end: Instr, handler: Instr, depth: int, lasti: bool = False) -> None:
        self.start = start
        self.end = end
        self.handler = handler
        self.depth = depth
        self.lasti = lasti

    def __repr__(self) -> str:
        mark = " lasti" if self.lasti else ""
        return f"<region {self.start.index}..{self.end.index} -> {self.handler.index} depth {self.depth}{mark}>"
