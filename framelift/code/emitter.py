"""Builds new instruction sequences, with the conventions of the running Python taken care of.

Generated code is written against the canonical set through this; what differs between Pythons (where
NULL stands in a call, what a conditional jump wants, how a function gets its closure) is decided here
from the facts the dialect states.
"""

from collections.abc import Sequence
from types import CodeType
from typing import Any, Final

from framelift.code.code import CELL, FREE, Code
from framelift.code.dialect import DIALECT, NULL_BELOW_CALLABLE
from framelift.code.instr import JOINED, NO_INTERRUPT, NOWHERE, Instr, Position

_CLOSURE: Final = 8  # the flag of a function's closure


class Emitter:
    """A growing list of instructions, all at one position unless told otherwise."""

    __slots__ = ("instrs", "position")

    def __init__(self, position: Position = NOWHERE) -> None:
        self.instrs: list[Instr] = []
        self.position = position

    def add(self, op: str, arg: Any = None, target: Instr | None = None, spelling: str | None = None) -> Instr:
        """Any canonical instruction."""
        instr = Instr(op, arg, target, self.position, spelling)
        self.instrs.append(instr)
        return instr

    # Places to jump to

    def label(self) -> Instr:
        """An instruction to jump to before it is placed; it does nothing."""
        return Instr("NOP", None, None, self.position)

    def place(self, label: Instr) -> None:
        """Put a label here."""
        self.instrs.append(label)

    def jump(self, target: Instr, *, interruptible: bool = True) -> None:
        """Jump; backward jumps let signals and other threads in, unless told not to."""
        self.add("JUMP", None, target, None if interruptible else NO_INTERRUPT)

    def jump_if(self, condition: bool, target: Instr, *, is_bool: bool = False) -> None:
        """Pop the top and jump if its truth is `condition`; `is_bool` if it surely is a bool."""
        if DIALECT.jumps_need_bool and not is_bool:
            self.add("TO_BOOL")
        self.add("POP_JUMP_IF_TRUE" if condition else "POP_JUMP_IF_FALSE", None, target)

    def jump_if_none(self, condition: bool, target: Instr) -> None:
        """Pop the top and jump if it is None (or, for False, is not)."""
        self.add("POP_JUMP_IF_NONE" if condition else "POP_JUMP_IF_NOT_NONE", None, target)

    # Values

    def const(self, value: object) -> None:
        self.add("LOAD_CONST", value)

    def fast(self, slot: int, *, bound: bool = False) -> None:
        """Push a local; `bound` if it surely has a value, otherwise it is checked."""
        self.add("LOAD_FAST", slot, None, "LOAD_FAST" if bound else None)

    def take(self, slot: int) -> None:
        """Push a local that has a value, and let it have none."""
        self.fast(slot, bound=True)
        self.delete_fast(slot)

    def store_fast(self, slot: int) -> None:
        self.add("STORE_FAST", slot)

    def delete_fast(self, slot: int) -> None:
        self.add("DELETE_FAST", slot)

    def cell(self, slot: int) -> None:
        """Push the cell itself."""
        self.add("LOAD_CLOSURE", slot)

    def deref(self, slot: int) -> None:
        self.add("LOAD_DEREF", slot)

    def store_deref(self, slot: int) -> None:
        self.add("STORE_DEREF", slot)

    def load_global(self, name: str) -> None:
        self.add("LOAD_GLOBAL", name)

    def store_global(self, name: str) -> None:
        self.add("STORE_GLOBAL", name)

    def attr(self, name: str) -> None:
        self.add("LOAD_ATTR", name)

    def store_attr(self, name: str) -> None:
        """value, object -> object.name = value"""
        self.add("STORE_ATTR", name)

    def build_tuple(self, count: int) -> None:
        self.add("BUILD_TUPLE", count)

    def build_list(self, count: int) -> None:
        self.add("BUILD_LIST", count)

    def build_map(self, count: int) -> None:
        self.add("BUILD_MAP", count)

    def unpack(self, count: int) -> None:
        """A sequence -> its items, the first on top."""
        self.add("UNPACK_SEQUENCE", count)

    # The stack

    def pop(self) -> None:
        self.add("POP_TOP")

    def copy(self, depth: int = 1) -> None:
        self.add("COPY", depth)

    def swap(self, depth: int = 2) -> None:
        self.add("SWAP", depth)

    # Calls: open_callee, something that pushes the callable, close_callee, arguments, call

    def open_callee(self) -> None:
        """Goes before the instructions that push a callable."""
        if NULL_BELOW_CALLABLE:
            self.add("PUSH_NULL")

    def close_callee(self) -> None:
        """Goes after the instructions that pushed a callable."""
        if not NULL_BELOW_CALLABLE:
            self.add("PUSH_NULL")

    def callee_on_top(self) -> None:
        """Make a callable that is on the stack already ready for its arguments."""
        self.add("PUSH_NULL")
        if NULL_BELOW_CALLABLE:
            self.add("SWAP", 2)

    def global_callee(self, name: str) -> None:
        """A global as a callable, ready for its arguments."""
        self.open_callee()
        self.load_global(name)
        self.close_callee()
        self.instrs[-2].spelling, self.instrs[-1].spelling = "LOAD_GLOBAL", JOINED

    def const_callee(self, function: object) -> None:
        """A known object as a callable, ready for its arguments."""
        self.open_callee()
        self.const(function)
        self.close_callee()

    def call(self, count: int, names: tuple[str, ...] = ()) -> None:
        """Call with `count` arguments in all, the last ones passed by these names."""
        if names:
            self.add("KW_NAMES", names)
        self.add("CALL", count)

    def call_unpacked(self, *, keywords: bool = False) -> None:
        """Call with a tuple of arguments and, with `keywords`, a dict."""
        self.add("CALL_FUNCTION_EX", keywords)

    # Functions

    def make_function(self, code: CodeType, cells: Sequence[int] = ()) -> None:
        """Push a function of the running globals whose closure is made of these cell slots."""
        for slot in cells:
            self.cell(slot)
        if cells:
            self.build_tuple(len(cells))
        self.const(code)
        if not cells:
            self.add("MAKE_FUNCTION", 0)
        elif "SET_FUNCTION_ATTRIBUTE" in DIALECT.writings:
            self.add("MAKE_FUNCTION", 0)
            self.add("SET_FUNCTION_ATTRIBUTE", _CLOSURE)
        else:
            self.add("MAKE_FUNCTION", _CLOSURE)

    def prologue(self, code: Code) -> None:
        """What a function with the variables of `code` starts with."""
        free = sum(1 for slot in code.slots if slot.kind & FREE)
        if free:
            self.add("COPY_FREE_VARS", free)
        for number, slot in enumerate(code.slots):
            if slot.kind & CELL:
                self.add("MAKE_CELL", number)
        self.add("RESUME", 0)

    def return_top(self) -> None:
        self.add("RETURN_VALUE")

    def return_const(self, value: object) -> None:
        self.const(value)
        self.add("RETURN_VALUE")
