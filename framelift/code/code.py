"""A code object as an editable list of instructions.

Instructions name variables by *slot*, a number that stays valid while slots are added: the assembler
sorts slots into the order CPython wants (arguments, other locals, cells, free variables). Names and
constants are held by the instructions themselves; `names` and `consts` only keep the original tables,
which the assembler extends as needed.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import CodeType
from typing import Any, Final, NamedTuple

from framelift.code.errors import CodeError
from framelift.code.instr import Instr, Region

HIDDEN: Final = 0x10
LOCAL: Final = 0x20
CELL: Final = 0x40
FREE: Final = 0x80

VARARGS: Final = 0x04
VARKEYWORDS: Final = 0x08


class Slot(NamedTuple):
    """One variable of a frame. A local that is also a cell (an argument, mostly) is LOCAL | CELL."""

    name: str
    kind: int

    @property
    def is_cell(self) -> bool:
        """Whether the slot holds a cell, made here or received with the closure."""
        return self.kind & (CELL | FREE) != 0


class Code:
    """Instructions, exception regions, and everything else a code object is made of."""

    __slots__ = (
        "instrs", "regions", "slots", "names", "consts", "argcount", "posonlyargcount", "kwonlyargcount", "flags",
        "name", "qualname", "filename", "firstlineno", "stacksize", "signature", "original",
    )  # fmt: skip

    def __init__(
        self,
        instrs: Iterable[Instr] = (),
        regions: Iterable[Region] = (),
        slots: Iterable[Slot] = (),
        *,
        names: Iterable[str] = (),
        consts: Iterable[Any] = (),
        argcount: int = 0,
        posonlyargcount: int = 0,
        kwonlyargcount: int = 0,
        flags: int = 3,
        name: str = "<generated>",
        qualname: str | None = None,
        filename: str = "<generated>",
        firstlineno: int = 1,
        stacksize: int = 0,
        signature: Sequence[int] | None = None,
        original: CodeType | None = None,
    ) -> None:
        self.instrs = list(instrs)
        self.regions = list(regions)
        self.slots = list(slots)
        self.names = list(names)
        self.consts = list(consts)
        self.argcount = argcount
        self.posonlyargcount = posonlyargcount
        self.kwonlyargcount = kwonlyargcount
        self.flags = flags
        self.name = name
        self.qualname = name if qualname is None else qualname
        self.filename = filename
        self.firstlineno = firstlineno
        self.stacksize = stacksize
        self.signature = signature
        self.original = original

    # Variables, names, constants

    def arguments(self) -> list[int]:
        """The slots that receive arguments, in order."""
        if self.signature is not None:
            return list(self.signature)
        count = self.argcount + self.kwonlyargcount
        return list(range(count + bool(self.flags & VARARGS) + bool(self.flags & VARKEYWORDS)))

    def set_arguments(self, slots: Sequence[int]) -> None:
        """Make these slots the positional arguments, and the only ones.

        A cell variable may be an argument: its `MAKE_CELL` puts what was passed into the cell. Slots
        that were arguments before and are no longer become plain locals.
        """
        for slot in slots:
            name, kind = self.slots[slot]
            if kind & FREE:
                raise CodeError(f"the free variable {name!r} cannot be an argument")
            self.slots[slot] = Slot(name, kind | LOCAL)
        self.signature = list(slots)
        self.argcount, self.posonlyargcount, self.kwonlyargcount = len(slots), 0, 0
        self.flags &= ~(VARARGS | VARKEYWORDS)

    def add_slot(self, name: str, kind: int = LOCAL) -> int:
        """A new variable; its name need not be unique among locals."""
        self.slots.append(Slot(name, kind))
        return len(self.slots) - 1

    def add_name(self, name: str) -> None:
        """Have a name in `co_names`, used or not."""
        if name not in self.names:
            self.names.append(name)

    def add_const(self, value: object) -> None:
        """Have an object in `co_consts`, used or not."""
        if not any(value is other for other in self.consts):
            self.consts.append(value)

    # Instructions

    def renumber(self) -> None:
        """Set the `index` of every instruction, after changing `instrs` by hand."""
        for index, instr in enumerate(self.instrs):
            instr.index = index

    def insert_before(self, instr: Instr, new: Sequence[Instr]) -> None:
        """Put instructions before one; jumps to it, and regions that start with it, take them in."""
        self.rewrite({instr: [*new, instr]})

    def insert_after(self, instr: Instr, new: Sequence[Instr]) -> None:
        """Put instructions after one, in the same region."""
        self.rewrite({instr: [instr, *new]})

    def replace(self, instr: Instr, new: Sequence[Instr]) -> None:
        """Put instructions in the place of one; none at all removes it."""
        self.rewrite({instr: new})

    def remove(self, instr: Instr) -> None:
        """Take an instruction out; jumps to it go to the next one."""
        self.rewrite({instr: ()})

    def check_bindings(self) -> None:
        """Have every `LOAD_FAST` check its variable, for code whose edits may leave some unbound.

        Unedited code may read without a check what the compiler proved to be bound; a function that
        starts in the middle, or no longer binds all that the original did, must not.
        """
        for instr in self.instrs:
            if instr.op == "LOAD_FAST":
                instr.spelling = None

    def rewrite(self, changes: Mapping[Instr, Sequence[Instr]]) -> None:
        """Replace instructions, each by any number of others that may include itself, in one pass.

        What referred to the old instruction as a target, a handler or the start of a region refers to
        the first of the new ones, or to what follows if there are none; what ended with the old one
        ends with the last. A region that loses all its instructions goes. References *from* the new
        instructions are left as they are, so that one may jump to the instruction it precedes.
        """
        old = self.instrs
        instrs: list[Instr] = []
        begins: dict[Instr, int] = {}
        ends: dict[Instr, int] = {}
        for instr in old:
            new = changes.get(instr)
            begins[instr] = len(instrs)
            if new is None:
                instrs.append(instr)
            else:
                instrs.extend(new)
            ends[instr] = len(instrs) - 1

        def moved(target: Instr) -> Instr:
            if target not in changes:
                return target
            if begins[target] == len(instrs):
                raise CodeError(f"nothing follows the removed {target}, which is still referred to")
            return instrs[begins[target]]

        for instr in old:
            if instr.target is not None:
                instr.target = moved(instr.target)
        regions: list[Region] = []
        for region in self.regions:
            first, last = begins[region.start], ends[region.end]
            if first <= last:
                region.start, region.end = instrs[first], instrs[last]
                region.handler = moved(region.handler)
                regions.append(region)
        self.instrs, self.regions = instrs, regions
        self.renumber()

    def copy(self) -> "Code":
        """An independent copy: instructions and regions are new, constants are shared."""
        twins = {instr: instr.copy() for instr in self.instrs}
        for twin in twins.values():
            if twin.target is not None:
                twin.target = twins[twin.target]
        regions = [
            Region(twins[region.start], twins[region.end], twins[region.handler], region.depth, region.lasti)
            for region in self.regions
        ]
        return Code(
            twins.values(),
            regions,
            self.slots,
            names=self.names,
            consts=self.consts,
            argcount=self.argcount,
            posonlyargcount=self.posonlyargcount,
            kwonlyargcount=self.kwonlyargcount,
            flags=self.flags,
            name=self.name,
            qualname=self.qualname,
            filename=self.filename,
            firstlineno=self.firstlineno,
            stacksize=self.stacksize,
            signature=self.signature,
            original=self.original,
        )

    def __repr__(self) -> str:
        return f"<Code {self.qualname}, {len(self.instrs)} instructions>"
