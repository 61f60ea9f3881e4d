"""Code objects as editable lists of instructions, in one canonical form for every supported Python."""

from framelift.code.assembler import assemble
from framelift.code.code import CELL, FREE, HIDDEN, LOCAL, Code, Slot
from framelift.code.errors import CodeError
from framelift.code.instr import JOINED, NOWHERE, Instr, Position, Region
from framelift.code.reader import read

__all__ = [
    "CELL",
    "FREE",
    "HIDDEN",
    "JOINED",
    "LOCAL",
    "NOWHERE",
    "Code",
    "CodeError",
    "Instr",
    "Position",
    "Region",
    "Slot",
    "assemble",
    "read",
]
