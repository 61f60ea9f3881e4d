"""The bytecode of Python 3.11: calls in three instructions, conditional jumps in both directions."""

import dis
from typing import Final

from framelift.code.canonical import Format
from framelift.code.dialect.base import CONST, INT, JUMP, LOWER, NAME, NOTHING, PREFIX, SLOT, Dialect, Writer, numbered
from framelift.code.dialect.shared import (
    COMPARISONS,
    CONVERSIONS,
    check_named_call,
    declare_common,
    declare_global,
    declare_jumps,
    or_pop,
    write_to_bool,
)
from framelift.code.errors import CodeError
from framelift.code.instr import Instr

_CACHES: Final = {
    "BINARY_SUBSCR": 4, "STORE_SUBSCR": 1, "UNPACK_SEQUENCE": 1, "STORE_ATTR": 4, "LOAD_ATTR": 4, "COMPARE_OP": 2,
    "LOAD_GLOBAL": 5, "BINARY_OP": 1, "LOAD_METHOD": 10, "PRECALL": 1, "CALL": 4,
}  # fmt: skip

DIALECT: Final = Dialect(
    "3.11",
    _CACHES,
    null_below_callable=True,
    jumps_need_bool=False,
    names_on_stack=False,
    merges_positions=False,
    loop_end=(),
)


def _write_call(writer: Writer, instr: Instr) -> None:
    writer.emit(dis.opmap["PRECALL"], instr.arg, instr)
    writer.emit(dis.opmap["CALL"], instr.arg, instr)


def _write_names(writer: Writer, instr: Instr) -> None:
    check_named_call(writer, instr)
    writer.emit(dis.opmap["KW_NAMES"], writer.const_index(instr.arg), instr)


def _write_yield(writer: Writer, instr: Instr) -> None:
    writer.emit(dis.opmap["YIELD_VALUE"], 0, instr)


def _write_giving_none(writer: Writer, instr: Instr) -> None:
    """Operations that give None in the canonical set and nothing here."""
    writer.emit(dis.opmap[instr.op], 0, instr)
    writer.emit(dis.opmap["LOAD_CONST"], writer.const_index(None), instr)


def _write_nothing(writer: Writer, instr: Instr) -> None:
    """The marks of loops that only later Pythons have."""


def _write_slice(writer: Writer, instr: Instr) -> None:
    writer.emit(dis.opmap["BUILD_SLICE"], 2, instr)
    writer.emit(dis.opmap["BINARY_SUBSCR" if instr.op == "BINARY_SLICE" else "STORE_SUBSCR"], 0, instr)


def _write_or_pop(writer: Writer, instr: Instr) -> None:
    if instr.target is None:
        raise CodeError(f"{instr} has no target")
    if instr.target.index > instr.index:
        writer.emit_jump(dis.opmap[instr.op], instr.target, instr)
    else:
        or_pop(DIALECT)(writer, instr)


def _declare(dialect: Dialect) -> None:
    declare_common(dialect)
    declare_global(dialect)
    dialect.both(NOTHING, "UNARY_POSITIVE LIST_TO_TUPLE ASYNC_GEN_WRAP PREP_RERAISE_STAR")
    dialect.both(INT, "MAKE_FUNCTION")
    dialect.both(SLOT, "LOAD_FAST LOAD_CLOSURE LOAD_CLASSDEREF")
    dialect.both(NAME, "LOAD_ATTR LOAD_METHOD")
    dialect.table("COMPARE_OP", numbered(COMPARISONS))
    dialect.table("FORMAT_VALUE", {i: Format(CONVERSIONS[i & 3], i > 3) for i in range(8)})
    dialect.read("YIELD_VALUE", INT)
    dialect.write("YIELD_VALUE", LOWER, extra=_write_yield)
    for name in ("IMPORT_STAR", "PRINT_EXPR"):
        dialect.fuse(
            name,
            (name, "POP_TOP"),
            lambda arg, names, consts, op=name: ((op, None), ("POP_TOP", None)),  # type: ignore[misc]
            lambda writer, pieces: 0,
        )
        dialect.write(name, LOWER, extra=_write_giving_none)
    dialect.read("KW_NAMES", CONST)
    dialect.write("KW_NAMES", LOWER, extra=_write_names)
    dialect.read("PRECALL", PREFIX)
    dialect.read("CALL", INT)
    dialect.write("CALL", LOWER, extra=_write_call)
    declare_jumps(dialect, "POP_JUMP_FORWARD_IF_", "POP_JUMP_BACKWARD_IF_")
    for op in ("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"):
        dialect.read(op, JUMP, extra=(1, 0))
        dialect.write(op, LOWER, extra=_write_or_pop)
    for op in ("FOR_ITER", "SEND"):
        dialect.read(op, JUMP, extra=(1, 0))
        dialect.write(op, JUMP, extra=(dis.opmap[op], None))
    dialect.write("END_FOR", LOWER, extra=_write_nothing)
    dialect.write("TO_BOOL", LOWER, extra=write_to_bool)
    for op in ("BINARY_SLICE", "STORE_SLICE"):
        dialect.write(op, LOWER, extra=_write_slice)


_declare(DIALECT)
