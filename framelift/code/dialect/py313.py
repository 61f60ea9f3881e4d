"""The bytecode of Python 3.13: NULL above the callable, names of arguments on the stack, fused locals."""

import dis
from collections.abc import Sequence
from typing import Any, Final

from framelift.code.canonical import Format
from framelift.code.dialect.base import (
    INT,
    LOWER,
    NAMED_CALL,
    NOTHING,
    RAW_SLOT,
    SLOT,
    TABLE,
    Dialect,
    Pieces,
    Writer,
)
from framelift.code.dialect.shared import (
    COMPARISON_MASKS,
    COMPARISONS,
    CONVERSIONS,
    check_named_call,
    declare_after_311,
    declare_common,
    declare_global,
    declare_intrinsics,
)
from framelift.code.errors import CodeError
from framelift.code.instr import Instr

_CACHES: Final = {
    "BINARY_SUBSCR": 1, "STORE_SUBSCR": 1, "UNPACK_SEQUENCE": 1, "FOR_ITER": 1, "STORE_ATTR": 4, "LOAD_ATTR": 9,
    "COMPARE_OP": 1, "CONTAINS_OP": 1, "LOAD_GLOBAL": 4, "BINARY_OP": 1, "SEND": 1, "LOAD_SUPER_ATTR": 1, "CALL": 3,
    "JUMP_BACKWARD": 1, "TO_BOOL": 3, "POP_JUMP_IF_TRUE": 1, "POP_JUMP_IF_FALSE": 1, "POP_JUMP_IF_NONE": 1,
    "POP_JUMP_IF_NOT_NONE": 1,
}  # fmt: skip

DIALECT: Final = Dialect(
    "3.13",
    _CACHES,
    null_below_callable=False,
    jumps_need_bool=True,
    names_on_stack=True,
    merges_positions=True,
    loop_end=("END_FOR", "POP_TOP"),
)


def _write_names(writer: Writer, instr: Instr) -> None:
    writer.named_calls.add(check_named_call(writer, instr))
    writer.emit(dis.opmap["LOAD_CONST"], writer.const_index(instr.arg), instr)


def _write_call(writer: Writer, instr: Instr) -> None:
    real = "CALL_KW" if instr.index in writer.named_calls else "CALL"
    writer.emit(dis.opmap[real], instr.arg, instr)


def _write_make_function(writer: Writer, instr: Instr) -> None:
    if instr.arg:
        raise CodeError(f"{instr}: on Python 3.13 the parts of a function are set by SET_FUNCTION_ATTRIBUTE")
    writer.emit(dis.opmap["MAKE_FUNCTION"], 0, instr)


def _write_format(writer: Writer, instr: Instr) -> None:
    conversion, has_spec = instr.arg
    if conversion is not None:
        if has_spec:
            writer.emit(dis.opmap["SWAP"], 2, instr)
        writer.emit(dis.opmap["CONVERT_VALUE"], CONVERSIONS.index(conversion), instr)
        if has_spec:
            writer.emit(dis.opmap["SWAP"], 2, instr)
    writer.emit(dis.opmap["FORMAT_WITH_SPEC" if has_spec else "FORMAT_SIMPLE"], 0, instr)


def _declare_comparisons(dialect: Dialect) -> None:
    codes = {op: i << 5 | mask for i, (op, mask) in enumerate(zip(COMPARISONS, COMPARISON_MASKS, strict=True))}

    def split(arg: int, names: Sequence[str], consts: Sequence[Any]) -> Pieces:
        compare = ("COMPARE_OP", COMPARISONS[arg >> 5])
        return (compare, ("TO_BOOL", None)) if arg & 16 else (compare,)

    dialect.fuse(
        "COMPARE_OP", ("COMPARE_OP", "TO_BOOL"), split, lambda writer, pieces: codes.get(pieces[0].arg, -17) | 16
    )
    dialect.write("COMPARE_OP", TABLE, extra=codes)


def _fuse_slots(dialect: Dialect, real: str, first: str, second: str) -> None:
    def encode(writer: Writer, pieces: Sequence[Instr]) -> int:
        left, right = writer.slot_index(pieces[0].arg), writer.slot_index(pieces[1].arg)
        return left << 4 | right if left < 16 and right < 16 else -1

    dialect.fuse(
        real,
        (first, second),
        lambda arg, names, consts: ((first, arg >> 4), (second, arg & 15)),
        encode,
    )


def _declare(dialect: Dialect) -> None:
    declare_common(dialect)
    declare_global(dialect)
    declare_after_311(dialect)
    declare_intrinsics(dialect, "SET_TYPEPARAM_DEFAULT")
    dialect.both(NOTHING, "TO_BOOL")
    dialect.both(INT, "SET_FUNCTION_ATTRIBUTE")
    # The compiler reads the variables it made cells of through LOAD_DEREF only, so that LOAD_FAST of
    # such a slot always fetches the cell for a closure.
    dialect.read("LOAD_FAST", RAW_SLOT, extra="LOAD_CLOSURE", spelling="LOAD_FAST")
    dialect.write("LOAD_CLOSURE", SLOT, "LOAD_FAST")
    _fuse_slots(dialect, "LOAD_FAST_LOAD_FAST", "LOAD_FAST", "LOAD_FAST")
    _fuse_slots(dialect, "STORE_FAST_LOAD_FAST", "STORE_FAST", "LOAD_FAST")
    _fuse_slots(dialect, "STORE_FAST_STORE_FAST", "STORE_FAST", "STORE_FAST")
    _declare_comparisons(dialect)
    dialect.read("MAKE_FUNCTION", INT)
    dialect.write("MAKE_FUNCTION", LOWER, extra=_write_make_function)
    dialect.read("FORMAT_SIMPLE", TABLE, "FORMAT_VALUE", {0: Format(None, False)})
    dialect.read("FORMAT_WITH_SPEC", TABLE, "FORMAT_VALUE", {0: Format(None, True)})
    dialect.write("FORMAT_VALUE", LOWER, extra=_write_format)
    dialect.table("CONVERT_VALUE", {i: CONVERSIONS[i] for i in (1, 2, 3)})
    dialect.read("CALL", INT)
    dialect.read("CALL_KW", NAMED_CALL)
    dialect.write("CALL", LOWER, extra=_write_call)
    dialect.write("KW_NAMES", LOWER, extra=_write_names)
    dialect.refuse("only the interpreter itself runs it", "INTERPRETER_EXIT EXIT_INIT_CHECK ENTER_EXECUTOR RESERVED")
    dialect.refuse(
        "the attribute co_code never shows instrumented instructions",
        """INSTRUMENTED_RESUME INSTRUMENTED_END_FOR INSTRUMENTED_END_SEND INSTRUMENTED_RETURN_VALUE
        INSTRUMENTED_RETURN_CONST INSTRUMENTED_YIELD_VALUE INSTRUMENTED_LOAD_SUPER_ATTR INSTRUMENTED_FOR_ITER
        INSTRUMENTED_CALL INSTRUMENTED_CALL_KW INSTRUMENTED_CALL_FUNCTION_EX INSTRUMENTED_INSTRUCTION
        INSTRUMENTED_JUMP_FORWARD INSTRUMENTED_JUMP_BACKWARD INSTRUMENTED_POP_JUMP_IF_TRUE
        INSTRUMENTED_POP_JUMP_IF_FALSE INSTRUMENTED_POP_JUMP_IF_NONE INSTRUMENTED_POP_JUMP_IF_NOT_NONE
        INSTRUMENTED_LINE""",
    )
    dialect.refuse(
        "only the compiler uses it, before it writes code",
        """JUMP JUMP_NO_INTERRUPT LOAD_CLOSURE LOAD_METHOD LOAD_SUPER_METHOD LOAD_ZERO_SUPER_ATTR
        LOAD_ZERO_SUPER_METHOD POP_BLOCK SETUP_CLEANUP SETUP_FINALLY SETUP_WITH STORE_FAST_MAYBE_NULL""",
    )


_declare(DIALECT)
