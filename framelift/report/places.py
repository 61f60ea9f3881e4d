"""Places in the user's source: kept as a program and an instruction of it, rendered when somebody asks."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from typing import NamedTuple

from framelift.code import Instr
from framelift.interpreter.frame import Frame, Program
from framelift.interpreter.machine import Machine

_MOST_LINES = 4


class Place(NamedTuple):
    """An instruction of a program."""

    program: Program
    instr: Instr

    @property
    def is_ours(self) -> bool:
        """Whether it is code of framelift's own that is traced in place of a built-in."""
        return self.program.is_ours

    def __str__(self) -> str:
        """`file:line in function`"""
        code = self.program.code
        return f"{code.filename}:{self.instr.line or code.firstlineno} in {code.qualname}"

    def source_line(self) -> str:
        """The first line of source, without its indentation."""
        return linecache.getline(self.program.code.filename, self.instr.line or 0).strip()

    def excerpt(self) -> list[str]:
        """The lines of source, with the expression underlined; empty if there is no source."""
        line, end_line, column, end_column = self.instr.position
        if line is None:
            return []
        filename = self.program.code.filename
        last = min(end_line or line, line + _MOST_LINES - 1)
        lines = [linecache.getline(filename, number).rstrip("\n") for number in range(line, last + 1)]
        if not any(lines):
            return []
        whole = column is None or end_column is None
        rows = []
        width = len(str(last))
        for number, text in enumerate(lines, line):
            rows.append(f"{number:>{width}} | {text}".rstrip())
            start = 0 if whole or number > line else _characters(text, column or 0)
            end = len(text) if whole or number != end_line else _characters(text, end_column or 0)
            start = max(start, len(text) - len(text.lstrip()))
            rows.append(f"{'':>{width}} | {' ' * start}{'^' * max(end - start, 1)}")
        if (end_line or line) > last:
            rows.append(f"{'':>{width}} | ...")
        return rows


def _characters(text: str, column: int) -> int:
    """Columns of a code object count bytes."""
    return len(text.encode()[:column].decode(errors="ignore"))


Chain = tuple[Place, ...]
"""Where something happened: the innermost place first, then the calls that were inlined on the way to it."""


def chain_at(machine: Machine, *, before: bool = False) -> Chain:
    """Where a capture stands: at the instruction just begun, or `before` the next one."""
    found = []
    frame = machine.frame
    innermost = True
    while frame is not None:
        found.append(_place(frame, frame.pc if before and innermost else frame.pc - 1))
        innermost = False
        frame = frame.caller
    if not found and machine.ledger.asker is not None:
        found.append(Place(*machine.ledger.asker))
    return users(found)


def users(chain: Iterable[Place]) -> Chain:
    """The chain without frames of framelift's own, unless there are no others."""
    places = tuple(chain)
    return tuple(place for place in places if not place.is_ours) or places


def _place(frame: Frame, index: int) -> Place:
    instrs = frame.program.code.instrs
    return Place(frame.program, instrs[max(0, min(index, len(instrs) - 1))])


_CALLS_OF_MODULES = ("Module._wrapped_call_impl", "Module._call_impl")


def shown(chain: Chain, first: str = "at", then: str = "called from") -> list[str]:
    """The chain as text, each place with its lines of source. How PyTorch calls modules is left out on the way."""
    rows = []
    for number, place in enumerate(chain):
        if number and place.program.code.qualname in _CALLS_OF_MODULES:
            continue
        rows.append(f"{then if number else first} {place}")
        rows += [f"    {row}" for row in place.excerpt()]
    return rows
