"""What a dialect is: two tables, from real opcodes to canonical operations and back.

The reader and the assembler loop over these tables; they are flat tuples with a small integer for
the kind of argument, because both loops run for every instruction of every captured function.
"""

import dis
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from framelift.code.canonical import OPS
from framelift.code.instr import Instr

# The kinds of argument. Those up to TABLE are used for reading and writing alike.
NOTHING: Final = 0
SLOT: Final = 1
CONST: Final = 2
NAME: Final = 3
INT: Final = 4
TABLE: Final = 5  # reading: sequence or mapping of int -> argument; writing: mapping back
JUMP: Final = 6  # reading: (direction, bytes to skip at the target); writing: (forward, backward)
# Reading only
NAME_OR: Final = 7  # a name and a low bit; extra: the operation if the bit is set
SPLIT: Final = 8  # extra: function of (arg, names, consts) to several (operation, argument)
DECODE: Final = 9  # extra: function of (arg, names) to the argument
RAW_SLOT: Final = 10  # a slot; extra: the operation if the slot holds a cell
NAMED_CALL: Final = 11  # takes the constant pushed before it as the names of its arguments
PREFIX: Final = 12  # belongs to the instruction that follows
EXTEND: Final = 13
REFUSED: Final = 14
NUMBER: Final = 15  # how the reader sees a slot or an integer
# Writing only
SHIFTED: Final = 16  # a name, shifted left by extra[0], or-ed with extra[1]
CHOICE: Final = 17  # a slot; extra: the opcode for instructions with a spelling
LOWER: Final = 18  # extra: function of (writer, instr)


class Reading(NamedTuple):
    """How one real opcode is read; `size` counts its own bytes and those of its caches."""

    kind: int
    op: str
    size: int
    spelling: str | None
    extra: Any


class Writing(NamedTuple):
    """How one canonical operation is written."""

    kind: int
    opcode: int
    extra: Any


class Writer(Protocol):
    """The part of the assembler that lowering functions use."""

    instrs: list[Instr]
    named_calls: set[int]
    extra_stack: int

    def emit(self, opcode: int, arg: int, instr: Instr) -> None: ...
    def emit_jump(self, opcode: int, target: Instr | int, instr: Instr) -> None: ...
    def emit_loop_end(self, instr: Instr) -> None: ...
    def here(self) -> int: ...
    def is_entered(self, instr: Instr) -> bool: ...
    def name_index(self, name: str) -> int: ...
    def const_index(self, value: Any) -> int: ...
    def slot_index(self, slot: int) -> int: ...


class Fusion(NamedTuple):
    """A real instruction that does the work of several canonical ones.

    `encode` gives the argument of the real instruction, or -1 if these pieces do not fit into one.
    """

    opcode: int
    ops: tuple[str, ...]
    encode: Callable[[Writer, Sequence[Instr]], int]


Pieces = Sequence[tuple[str, Any]]


class Dialect:
    """The tables of one Python, and the few facts about it that code generators need."""

    def __init__(
        self,
        version: str,
        caches: Mapping[str, int],
        *,
        null_below_callable: bool,
        jumps_need_bool: bool,
        names_on_stack: bool,
        merges_positions: bool,
        loop_end: tuple[str, ...],
    ) -> None:
        self.version = version
        self.null_below_callable = null_below_callable
        self.jumps_need_bool = jumps_need_bool
        self.names_on_stack = names_on_stack
        self.merges_positions = merges_positions
        self.loop_end = loop_end
        self.caches = [0] * 256
        unknown = f"not an opcode of Python {version}"
        self.readings = [Reading(REFUSED, f"opcode {number}", 2, None, unknown) for number in range(256)]
        self.writings: dict[str, Writing] = {}
        self.fusions: dict[str, Fusion] = {}
        self.mapped: set[str] = set()
        self.refused: dict[str, str] = {}
        for name, count in caches.items():
            self.caches[dis.opmap[name]] = count

    def read(
        self,
        real: str,
        kind: int,
        op: str | None = None,
        extra: Any = None,
        spelling: str | None = None,
    ) -> None:
        """Declare how a real opcode is read."""
        opcode = dis.opmap[real]
        op = op or real
        kind = NUMBER if kind in (SLOT, INT) else kind
        assert kind in (SPLIT, PREFIX, EXTEND, NAMED_CALL) or op in OPS, op
        self.readings[opcode] = Reading(kind, op, 2 + 2 * self.caches[opcode], spelling, extra)
        self.mapped.add(real)

    def write(self, op: str, kind: int, real: str | None = None, extra: Any = None) -> None:
        """Declare how a canonical operation is written."""
        assert op in OPS, op
        opcode = -1 if kind == LOWER else dis.opmap[real or op]
        self.writings[op] = Writing(kind, opcode, extra)

    def both(self, kind: int, names: str) -> None:
        """Declare operations that this Python has under their canonical names."""
        for name in names.split():
            self.read(name, kind)
            self.write(name, kind)

    def table(self, op: str, values: Mapping[int, Any], real: str | None = None) -> None:
        """Declare an operation whose argument is one of a few values."""
        self.read(real or op, TABLE, op, values)
        self.write(op, TABLE, real, {value: number for number, value in values.items()})

    def fuse(
        self,
        real: str,
        ops: tuple[str, ...],
        split: Callable[[int, Sequence[str], Sequence[Any]], Pieces],
        encode: Callable[[Writer, Sequence[Instr]], int],
    ) -> None:
        """Declare a real instruction that is split when read and put together when written."""
        self.read(real, SPLIT, real, split, real)
        self.fusions[real] = Fusion(dis.opmap[real], ops, encode)

    def refuse(self, reason: str, names: str) -> None:
        """Declare real opcodes that code handed to us never contains, or that we do not take."""
        for name in names.split():
            self.refused[name] = reason
            opcode = dis.opmap[name]
            if opcode < 256:
                self.readings[opcode] = Reading(REFUSED, name, 2, None, reason)


def numbered(values: Iterable[Any]) -> dict[int, Any]:
    """Arguments that are numbered from zero."""
    return dict(enumerate(values))
