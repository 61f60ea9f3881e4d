"""The bytecode of Python 3.12: inlined comprehensions, intrinsics, conditional jumps forward only."""

import dis
from typing import Final

from framelift.code.canonical import Format
from framelift.code.dialect.base import CONST, INT, LOWER, SLOT, TABLE, Dialect, Writer
from framelift.code.dialect.shared import (
    COMPARISON_MASKS,
    COMPARISONS,
    CONVERSIONS,
    check_named_call,
    declare_after_311,
    declare_common,
    declare_global,
    declare_intrinsics,
    write_to_bool,
)
from framelift.code.instr import Instr

_CACHES: Final = {
    "BINARY_SUBSCR": 1, "STORE_SUBSCR": 1, "UNPACK_SEQUENCE": 1, "FOR_ITER": 1, "STORE_ATTR": 4, "LOAD_ATTR": 9,
    "COMPARE_OP": 1, "LOAD_GLOBAL": 4, "BINARY_OP": 1, "SEND": 1, "LOAD_SUPER_ATTR": 1, "CALL": 3,
}  # fmt: skip

DIALECT: Final = Dialect(
    "3.12",
    _CACHES,
    null_below_callable=True,
    jumps_need_bool=False,
    names_on_stack=False,
    merges_positions=True,
    loop_end=("END_FOR",),
)


def _write_names(writer: Writer, instr: Instr) -> None:
    check_named_call(writer, instr)
    writer.emit(dis.opmap["KW_NAMES"], writer.const_index(instr.arg), instr)


def _declare(dialect: Dialect) -> None:
    declare_common(dialect)
    declare_global(dialect)
    declare_after_311(dialect)
    declare_intrinsics(dialect)
    dialect.both(SLOT, "LOAD_CLOSURE")
    dialect.both(INT, "MAKE_FUNCTION CALL")
    dialect.read("LOAD_FAST", SLOT, spelling="LOAD_FAST")
    dialect.read("COMPARE_OP", TABLE, extra={i: COMPARISONS[i >> 4] for i in range(6 << 4)})
    codes = {op: i << 4 | mask for i, (op, mask) in enumerate(zip(COMPARISONS, COMPARISON_MASKS, strict=True))}
    dialect.write("COMPARE_OP", TABLE, extra=codes)
    dialect.table("FORMAT_VALUE", {i: Format(CONVERSIONS[i & 3], i > 3) for i in range(8)})
    dialect.read("KW_NAMES", CONST)
    dialect.write("KW_NAMES", LOWER, extra=_write_names)
    dialect.write("TO_BOOL", LOWER, extra=write_to_bool)
    dialect.refuse("only the interpreter itself runs it", "INTERPRETER_EXIT RESERVED")
    dialect.refuse(
        "the attribute co_code never shows instrumented instructions",
        """INSTRUMENTED_LOAD_SUPER_ATTR INSTRUMENTED_POP_JUMP_IF_NONE INSTRUMENTED_POP_JUMP_IF_NOT_NONE
        INSTRUMENTED_RESUME INSTRUMENTED_CALL INSTRUMENTED_RETURN_VALUE INSTRUMENTED_YIELD_VALUE
        INSTRUMENTED_CALL_FUNCTION_EX INSTRUMENTED_JUMP_FORWARD INSTRUMENTED_JUMP_BACKWARD
        INSTRUMENTED_RETURN_CONST INSTRUMENTED_FOR_ITER INSTRUMENTED_POP_JUMP_IF_FALSE
        INSTRUMENTED_POP_JUMP_IF_TRUE INSTRUMENTED_END_FOR INSTRUMENTED_END_SEND INSTRUMENTED_INSTRUCTION
        INSTRUMENTED_LINE""",
    )
    dialect.refuse(
        "only the compiler uses it, before it writes code",
        """SETUP_FINALLY SETUP_CLEANUP SETUP_WITH POP_BLOCK JUMP JUMP_NO_INTERRUPT LOAD_METHOD
        LOAD_SUPER_METHOD LOAD_ZERO_SUPER_METHOD LOAD_ZERO_SUPER_ATTR STORE_FAST_MAYBE_NULL""",
    )


_declare(DIALECT)
