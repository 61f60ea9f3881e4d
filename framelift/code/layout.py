"""The variables of a frame in the order CPython wants, and the making of the code object itself."""

from types import CodeType
from typing import Any

from framelift.code.code import CELL, FREE, LOCAL, Code
from framelift.code.errors import CodeError


class Layout:
    """Arguments, other locals, cells, free variables; `order` maps slots to places in the frame."""

    __slots__ = ("code", "order", "varnames", "cellvars", "freevars")

    def __init__(self, code: Code) -> None:
        slots = code.slots
        arguments = code.arguments()
        known = set(arguments)
        places = list(arguments)
        places += [slot for slot, (_, kind) in enumerate(slots) if kind & LOCAL and slot not in known]
        self.varnames = tuple([slots[slot].name for slot in places])
        places += [slot for slot, (_, kind) in enumerate(slots) if kind & (LOCAL | CELL) == CELL]
        self.cellvars = tuple([slots[slot].name for slot in places if slots[slot].kind & CELL])
        free = [slot for slot, (_, kind) in enumerate(slots) if kind & FREE]
        self.freevars = tuple([slots[slot].name for slot in free])
        places += free
        if len(places) != len(slots) or len(set(places)) != len(slots):
            raise CodeError(f"the arguments of {code.qualname} do not fit its variables")
        self.order = [0] * len(slots)
        for place, slot in enumerate(places):
            self.order[slot] = place
        self.code = code

    def code_object(
        self,
        *,
        stacksize: int,
        codestring: bytes,
        consts: tuple[Any, ...],
        names: tuple[str, ...],
        linetable: bytes,
        exceptiontable: bytes,
    ) -> CodeType:
        """A code object with these variables."""
        code = self.code
        return CodeType(
            code.argcount,
            code.posonlyargcount,
            code.kwonlyargcount,
            len(self.varnames),
            stacksize,
            code.flags,
            codestring,
            consts,
            names,
            self.varnames,
            code.filename,
            code.name,
            code.qualname,
            code.firstlineno,
            linetable,
            exceptiontable,
            self.freevars,
            self.cellvars,
        )
