"""A symbolic frame, and the program it runs: a code object read once and prepared for the run loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from framelift import _core
from framelift.code import Code, Instr, Region, read
from framelift.interpreter import opcodes
from framelift.values.base import Value
from framelift.values.function import CellValue
from framelift.values.namespace import Namespace

OURS = str(Path(__file__).parent.parent) + "/"

Step = tuple[Callable[..., Any], int, Instr]


class Origin(NamedTuple):
    """For a continuation: the code the user wrote, and which of its instructions and slots are which there."""

    program: Program
    positions: list[int]
    slots: list[int | None]
    waiting: frozenset[int]  # the instructions that load what is only passed on or stored: it need not be looked at yet


class Program:
    """A code object ready to be interpreted."""

    __slots__ = (
        "code", "steps", "handlers", "slot_count", "origin", "live", "continuations", "graphs", "fruitless", "shared",
        "doubts", "__weakref__",
    )  # fmt: skip

    def __init__(self, source: CodeType) -> None:
        self.code: Code = read(source)
        self.code.original = None  # a program is kept with the code object: a reference back would keep both for ever
        self.steps: list[Step] = [opcodes.step(instr) for instr in self.code.instrs]
        self.handlers: list[Region | None] = [None] * len(self.steps)
        for region in self.code.regions:
            for index in range(region.start.index, region.end.index + 1):
                self.handlers[index] = region
        self.slot_count = len(self.code.slots)
        self.origin: Origin | None = _core.scratch(source).get("origin")
        self.live: list[int] | None = None  # which slots are live before each instruction, once somebody asked
        self.continuations: dict[Any, Any] = {}
        self.graphs = 0  # how many captures of it, or of what continues it, gave a graph
        self.fruitless = 0  # and how many did not
        self.shared = False  # several functions have this code, or several objects have them as a method
        self.doubts: dict[int, int] = {}  # branches on tensors that went the way nobody expected, and how often

    @property
    def is_ours(self) -> bool:
        """Whether it is code of framelift's own, traced in place of a built-in."""
        return self.code.filename.startswith(OURS)

    @property
    def written(self) -> Program:
        """The code the user wrote, for a continuation of it."""
        return self if self.origin is None else self.origin.program

    def is_original(self, index: int) -> bool:
        """Whether an instruction is one the user wrote, not of a continuation's new beginning."""
        origin = self.origin
        return origin is None or index >= len(origin.positions) - len(origin.program.steps)


def program_of(code: CodeType) -> Program:
    """The program of a code object, prepared once and kept with it."""
    scratch = _core.scratch(code)
    program: Program | None = scratch.get("program")
    if program is None:
        program = scratch["program"] = Program(code)
    return program


class Frame:
    """One activation of a function."""

    __slots__ = (
        "program", "pc", "stack", "locals", "closure", "globals", "builtins", "names", "caller", "keywords", "entered",
        "generator", "on_return", "marks",
    )  # fmt: skip

    def __init__(
        self,
        program: Program,
        globals_: Namespace,
        builtins: Namespace,
        closure: list[CellValue],
        caller: Frame | None,
    ) -> None:
        self.program = program
        self.pc = 0
        self.stack: list[Value] = []
        self.locals: list[Value | None] = [None] * program.slot_count
        self.closure = closure
        self.globals = globals_
        self.builtins = builtins
        self.names: Value | None = None  # the namespace of a class body
        self.caller = caller
        self.entered = 0  # the step of the capture that entered it, or went on with it
        self.keywords: tuple[str, ...] = ()  # set by KW_NAMES for the CALL that follows
        self.generator: Any = None  # the generator this frame belongs to, once there is one
        self.marks: list[tuple[int, Value]] = []  # where on the stack an exception handled before is kept, and by which
        self.on_return: Callable[[Value], Value] | None = None

    @property
    def instr(self) -> Instr:
        """The instruction being executed."""
        return self.program.code.instrs[self.pc - 1]

    def __repr__(self) -> str:
        return f"<frame {self.program.code.qualname} at {self.pc}>"
