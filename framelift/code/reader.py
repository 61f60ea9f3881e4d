"""Code object -> `Code`. One pass over the bytes, driven by the tables of the dialect."""

from types import CodeType
from typing import Final

from framelift.code.code import CELL, FREE, HIDDEN, LOCAL, Code, Slot
from framelift.code.dialect import DIALECT
from framelift.code.dialect.base import (
    CONST,
    DECODE,
    EXTEND,
    JUMP,
    NAME,
    NAME_OR,
    NAMED_CALL,
    NOTHING,
    NUMBER,
    PREFIX,
    RAW_SLOT,
    SPLIT,
    TABLE,
)
from framelift.code.errors import CodeError
from framelift.code.exception_table import parse
from framelift.code.instr import JOINED, WIDE, WIDE_NO_INTERRUPT, Instr, PositionTable, Region

_OPTIMIZED: Final = 0x01
_READINGS: Final = [tuple(reading) for reading in DIALECT.readings]  # plain tuples unpack faster


def read(code: CodeType) -> Code:
    """The instructions of a code object, in canonical form."""
    slots = read_slots(code)
    instrs, first = _read_instrs(code, slots)
    regions = []
    for start, end, handler, depth, lasti in parse(code.co_exceptiontable):
        last = instrs[first[end] - 1]
        regions.append(Region(instrs[first[start]], last, instrs[first[handler]], depth, lasti))
    return Code(
        instrs,
        regions,
        slots,
        names=code.co_names,
        consts=code.co_consts,
        argcount=code.co_argcount,
        posonlyargcount=code.co_posonlyargcount,
        kwonlyargcount=code.co_kwonlyargcount,
        flags=code.co_flags,
        name=code.co_name,
        qualname=code.co_qualname,
        filename=code.co_filename,
        firstlineno=code.co_firstlineno,
        stacksize=code.co_stacksize,
        original=code,
    )


def read_slots(code: CodeType) -> list[Slot]:
    """The variables of a code object in the order of its frame."""
    varnames, cellvars = code.co_varnames, code.co_cellvars
    # Fast locals of modules and classes belong to inlined comprehensions, hidden from `locals()`.
    local = LOCAL if code.co_flags & _OPTIMIZED else LOCAL | HIDDEN
    slots = [Slot(name, local | CELL if name in cellvars else local) for name in varnames]
    slots += [Slot(name, CELL) for name in cellvars if name not in varnames]
    slots += [Slot(name, FREE) for name in code.co_freevars]
    return slots


def _read_instrs(code: CodeType, slots: list[Slot]) -> tuple[list[Instr], dict[int, int]]:  # noqa: C901
    """The instructions, and the index of the one that starts at each offset."""
    raw = code.co_code
    names, consts = code.co_names, code.co_consts
    where = PositionTable(code)
    cells = {number for number, slot in enumerate(slots) if slot.is_cell}
    instrs: list[Instr] = []
    append = instrs.append
    first: dict[int, int] = {}
    jumps: list[tuple[Instr, int]] = []
    readings = _READINGS
    offset = start = high = 0
    end = len(raw)
    arg: object
    while offset < end:
        kind, op, size, spelling, extra = readings[raw[offset]]
        number = raw[offset + 1] | high
        index = first[start] = len(instrs)
        if kind == NUMBER:
            arg = number
        elif kind == NOTHING:
            arg = None
        elif kind == RAW_SLOT:
            arg = number
            if number in cells:
                op, spelling = extra, None
        elif kind == NAME_OR:
            arg = names[number >> 1]
            if number & 1:
                op = extra
        elif kind == CONST:
            arg = consts[number]
        elif kind == SPLIT:
            pieces = extra(number, names, consts)
            if len(pieces) == 1:
                spelling = None
            for op, arg in pieces:
                append(Instr(op, arg, None, where, spelling, index, offset))
                spelling = JOINED
                index += 1
            offset += size
            start, high = offset, 0
            continue
        elif kind == JUMP:
            direction, skip = extra
            if high:
                spelling = WIDE if spelling is None else WIDE_NO_INTERRUPT
            instr = Instr(op, None, None, where, spelling, index, offset)
            append(instr)
            offset += size
            jumps.append((instr, offset + 2 * number * direction + skip))
            start, high = offset, 0
            continue
        elif kind == NAME:
            arg = names[number]
        elif kind == TABLE:
            arg = extra[number]
        elif kind == EXTEND:
            high = number << 8
            offset += size
            continue
        elif kind == PREFIX:
            offset += size
            high = 0
            continue
        elif kind == DECODE:
            arg = extra(number, names)
        elif kind == NAMED_CALL:
            before = next((instr for instr in reversed(instrs) if instr.op != "NOP"), instrs[-1])
            if before.op != "LOAD_CONST" or type(before.arg) is not tuple:
                raise CodeError(f"{op} at offset {offset} does not follow the names of its arguments")
            before.op = "KW_NAMES"
            op, arg = "CALL", number
        else:
            raise CodeError(f"{op} at offset {offset}: {extra}")
        append(Instr(op, arg, None, where, spelling, index, offset))
        offset += size
        start, high = offset, 0
    first[end] = len(instrs)
    for instr, target in jumps:
        if target not in first or target == end:
            raise CodeError(f"{instr} jumps to offset {target}, where no instruction starts")
        instr.target = instrs[first[target]]
    return instrs, first
