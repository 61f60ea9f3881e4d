"""What the three dialects have in common: most operations, and the shapes of the others."""

import dis
from collections.abc import Callable, Sequence
from typing import Any, Final

from framelift.code.canonical import INVERTED, SuperAttr
from framelift.code.dialect.base import (
    CHOICE,
    CONST,
    DECODE,
    EXTEND,
    INT,
    JUMP,
    LOWER,
    NAME,
    NAME_OR,
    NOTHING,
    SHIFTED,
    SLOT,
    SPLIT,
    Dialect,
    Writer,
    numbered,
)
from framelift.code.errors import CodeError
from framelift.code.instr import NO_INTERRUPT, WIDE_NO_INTERRUPT, Instr

_NO_ARGUMENT: Final = """
    NOP POP_TOP PUSH_NULL UNARY_NEGATIVE UNARY_NOT UNARY_INVERT BINARY_SUBSCR STORE_SUBSCR DELETE_SUBSCR
    GET_LEN MATCH_MAPPING MATCH_SEQUENCE MATCH_KEYS PUSH_EXC_INFO POP_EXCEPT CHECK_EXC_MATCH CHECK_EG_MATCH
    WITH_EXCEPT_START BEFORE_WITH BEFORE_ASYNC_WITH GET_ITER GET_YIELD_FROM_ITER GET_AITER GET_ANEXT
    END_ASYNC_FOR LOAD_BUILD_CLASS LOAD_ASSERTION_ERROR RETURN_GENERATOR RETURN_VALUE SETUP_ANNOTATIONS"""

_INTEGER: Final = """
    RESUME COPY SWAP RERAISE RAISE_VARARGS GET_AWAITABLE COPY_FREE_VARS MATCH_CLASS BUILD_TUPLE BUILD_LIST
    BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING BUILD_SLICE LIST_APPEND LIST_EXTEND SET_ADD SET_UPDATE
    MAP_ADD DICT_UPDATE DICT_MERGE UNPACK_SEQUENCE UNPACK_EX"""

_OPERATORS: Final = [
    "+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^",
    "+=", "&=", "//=", "<<=", "@=", "*=", "%=", "|=", "**=", ">>=", "-=", "/=", "^=",
]  # fmt: skip

COMPARISONS: Final = ("<", "<=", "==", "!=", ">", ">=")

COMPARISON_MASKS: Final = (2, 10, 8, 7, 4, 12)
"""Which of unordered (1), less (2), greater (4), equal (8) make each comparison true."""

_NO_INTERRUPT: Final = frozenset({NO_INTERRUPT, WIDE_NO_INTERRUPT})

CONVERSIONS: Final = (None, "str", "repr", "ascii")


def declare_common(dialect: Dialect) -> None:
    """Declare what is the same in every supported Python."""
    dialect.both(NOTHING, _NO_ARGUMENT)
    dialect.both(INT, _INTEGER)
    dialect.both(CONST, "LOAD_CONST")
    dialect.both(SLOT, "STORE_FAST DELETE_FAST MAKE_CELL LOAD_DEREF STORE_DEREF DELETE_DEREF")
    dialect.both(NAME, "LOAD_NAME STORE_NAME DELETE_NAME STORE_GLOBAL DELETE_GLOBAL")
    dialect.both(NAME, "STORE_ATTR DELETE_ATTR IMPORT_NAME IMPORT_FROM")
    dialect.table("BINARY_OP", numbered(_OPERATORS))
    dialect.table("IS_OP", numbered((False, True)))
    dialect.table("CONTAINS_OP", numbered((False, True)))
    dialect.table("CALL_FUNCTION_EX", numbered((False, True)))
    dialect.read("EXTENDED_ARG", EXTEND)
    dialect.refuse("a place for data, not an instruction", "CACHE")


def declare_global(dialect: Dialect) -> None:
    """Declare `LOAD_GLOBAL`, whose low bit also pushes the NULL of a callee."""
    below = dialect.null_below_callable

    def split(arg: int, names: Sequence[str], consts: Sequence[Any]) -> Sequence[tuple[str, Any]]:
        load = ("LOAD_GLOBAL", names[arg >> 1])
        if not arg & 1:
            return (load,)
        return (("PUSH_NULL", None), load) if below else (load, ("PUSH_NULL", None))

    def encode(writer: Writer, pieces: Sequence[Instr]) -> int:
        return writer.name_index(pieces[below].arg) << 1 | 1

    ops = ("PUSH_NULL", "LOAD_GLOBAL") if below else ("LOAD_GLOBAL", "PUSH_NULL")
    dialect.fuse("LOAD_GLOBAL", ops, split, encode)
    dialect.write("LOAD_GLOBAL", SHIFTED, extra=(1, 0))


def declare_after_311(dialect: Dialect) -> None:
    """Declare what 3.12 introduced and 3.13 kept."""
    dialect.both(NOTHING, "END_FOR END_SEND CLEANUP_THROW LOAD_LOCALS BINARY_SLICE STORE_SLICE")
    dialect.both(SLOT, "LOAD_FAST_AND_CLEAR LOAD_FROM_DICT_OR_DEREF")
    dialect.both(NAME, "LOAD_FROM_DICT_OR_GLOBALS")
    dialect.both(INT, "YIELD_VALUE")
    dialect.read("LOAD_ATTR", NAME_OR, "LOAD_ATTR", "LOAD_METHOD")
    dialect.write("LOAD_ATTR", SHIFTED, extra=(1, 0))
    dialect.write("LOAD_METHOD", SHIFTED, "LOAD_ATTR", extra=(1, 1))
    dialect.read("LOAD_SUPER_ATTR", DECODE, extra=_super_attr)
    dialect.write("LOAD_SUPER_ATTR", LOWER, extra=_write_super_attr)
    dialect.read("LOAD_FAST_CHECK", SLOT, "LOAD_FAST")
    dialect.write("LOAD_FAST", CHOICE, "LOAD_FAST_CHECK", dis.opmap["LOAD_FAST"])
    dialect.write("LOAD_CLASSDEREF", LOWER, extra=_write_classderef)
    dialect.fuse(
        "RETURN_CONST",
        ("LOAD_CONST", "RETURN_VALUE"),
        lambda arg, names, consts: (("LOAD_CONST", consts[arg]), ("RETURN_VALUE", None)),
        lambda writer, pieces: writer.const_index(pieces[0].arg),
    )
    declare_jumps(dialect, "POP_JUMP_IF_", None)
    for op in ("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"):
        dialect.write(op, LOWER, extra=or_pop(dialect))
    dialect.read("SEND", JUMP, "SEND_KEEP", (1, 0))
    dialect.write("SEND_KEEP", JUMP, "SEND", (dis.opmap["SEND"], None))
    dialect.read("FOR_ITER", JUMP, extra=(1, 2 * len(dialect.loop_end)))
    dialect.write("FOR_ITER", LOWER, extra=_write_for_iter)


def _super_attr(arg: int, names: Sequence[str]) -> SuperAttr:
    return SuperAttr(names[arg >> 2], bool(arg & 1), bool(arg & 2))


def _write_super_attr(writer: Writer, instr: Instr) -> None:
    name, is_method, two_arg = instr.arg
    arg = writer.name_index(name) << 2 | two_arg << 1 | is_method
    writer.emit(dis.opmap["LOAD_SUPER_ATTR"], arg, instr)


def _write_classderef(writer: Writer, instr: Instr) -> None:
    writer.emit(dis.opmap["LOAD_LOCALS"], 0, instr)
    slot = writer.slot_index(instr.arg)
    writer.emit(dis.opmap["LOAD_FROM_DICT_OR_DEREF"], slot, instr)


# In the order of their numbers, which start at 1
_INTRINSICS_1: Final = """
    PRINT_EXPR IMPORT_STAR STOPITERATION_ERROR ASYNC_GEN_WRAP UNARY_POSITIVE LIST_TO_TUPLE TYPEVAR PARAMSPEC
    TYPEVARTUPLE SUBSCRIPT_GENERIC TYPEALIAS"""
_INTRINSICS_2: Final = """
    PREP_RERAISE_STAR TYPEVAR_WITH_BOUND TYPEVAR_WITH_CONSTRAINTS SET_FUNCTION_TYPE_PARAMS"""


def declare_intrinsics(dialect: Dialect, more: str = "") -> None:
    """Declare every intrinsic function as an operation of its own; `more` names later binary ones."""
    for real, names in (("CALL_INTRINSIC_1", _INTRINSICS_1), ("CALL_INTRINSIC_2", _INTRINSICS_2 + " " + more)):
        functions = dict(enumerate(names.split(), 1))
        for number, op in functions.items():
            dialect.write(op, LOWER, extra=_write_fixed(dis.opmap[real], number))
        dialect.read(real, SPLIT, real, _intrinsic(functions))


def _intrinsic(
    functions: dict[int, str],
) -> Callable[[int, Sequence[str], Sequence[Any]], Sequence[tuple[str, Any]]]:
    def split(arg: int, names: Sequence[str], consts: Sequence[Any]) -> Sequence[tuple[str, Any]]:
        return ((functions[arg], None),)

    return split


def _write_fixed(opcode: int, arg: int) -> Callable[[Writer, Instr], None]:
    def write(writer: Writer, instr: Instr) -> None:
        writer.emit(opcode, arg, instr)

    return write


def declare_jumps(dialect: Dialect, forward: str, backward: str | None) -> None:
    """Declare the unconditional jump and the conditional ones, by the prefixes of their names."""
    dialect.read("JUMP_FORWARD", JUMP, "JUMP", (1, 0))
    dialect.read("JUMP_BACKWARD", JUMP, "JUMP", (-1, 0))
    dialect.read("JUMP_BACKWARD_NO_INTERRUPT", JUMP, "JUMP", (-1, 0), NO_INTERRUPT)
    dialect.write("JUMP", LOWER, extra=write_jump)
    for op, inverse in INVERTED.items():
        condition = op.removeprefix("POP_JUMP_IF_")
        dialect.read(forward + condition, JUMP, op, (1, 0))
        ahead = dis.opmap[forward + condition]
        if backward is not None:
            dialect.read(backward + condition, JUMP, op, (-1, 0))
            dialect.write(op, JUMP, forward + condition, (ahead, dis.opmap[backward + condition]))
        else:
            over = dis.opmap[forward + inverse.removeprefix("POP_JUMP_IF_")]
            dialect.write(op, LOWER, extra=_forward_only(ahead, over))


def write_jump(writer: Writer, instr: Instr) -> None:
    """A jump, forward or backward; backward ones check for interrupts unless told otherwise."""
    target = instr.target
    if target is None:
        raise CodeError(f"{instr} has no target")
    if target.index > instr.index:
        real = "JUMP_FORWARD"
    elif instr.spelling in _NO_INTERRUPT:
        real = "JUMP_BACKWARD_NO_INTERRUPT"
    else:
        real = "JUMP_BACKWARD"
    writer.emit_jump(dis.opmap[real], target, instr)


def _forward_only(ahead: int, over: int) -> Callable[[Writer, Instr], None]:
    """A conditional jump; backward, the inverse condition jumps over an unconditional jump."""

    def write(writer: Writer, instr: Instr) -> None:
        target = instr.target
        if target is None:
            raise CodeError(f"{instr} has no target")
        if target.index > instr.index:
            writer.emit_jump(ahead, target, instr)
        else:
            writer.emit_jump(over, writer.here() + 2, instr)
            writer.emit_jump(dis.opmap["JUMP_BACKWARD"], target, instr)

    return write


def or_pop(dialect: Dialect) -> Callable[[Writer, Instr], None]:
    """The short-circuit jumps in terms of others, for Pythons (or directions) without them."""

    def write(writer: Writer, instr: Instr) -> None:
        writer.extra_stack = max(writer.extra_stack, 1)
        writer.emit(dis.opmap["COPY"], 1, instr)
        if dialect.jumps_need_bool:
            writer.emit(dis.opmap["TO_BOOL"], 0, instr)
        condition = "TRUE" if instr.op == "JUMP_IF_TRUE_OR_POP" else "FALSE"
        jump = Instr("POP_JUMP_IF_" + condition, None, instr.target, instr.where)
        jump.index, jump.offset = instr.index, instr.offset
        kind, _, extra = dialect.writings[jump.op]
        if kind == LOWER:
            extra(writer, jump)
        else:
            assert instr.target is not None
            ahead = instr.target.index > instr.index
            writer.emit_jump(extra[0] if ahead else extra[1], instr.target, instr)
        writer.emit(dis.opmap["POP_TOP"], 0, instr)

    return write


def _write_for_iter(writer: Writer, instr: Instr) -> None:
    writer.emit_loop_end(instr)


def write_to_bool(writer: Writer, instr: Instr) -> None:
    """Truth on Pythons without an instruction for it."""
    writer.emit(dis.opmap["UNARY_NOT"], 0, instr)
    writer.emit(dis.opmap["UNARY_NOT"], 0, instr)


def check_named_call(writer: Writer, instr: Instr) -> int:
    """The index of the `CALL` that a `KW_NAMES` belongs to."""
    instrs, index = writer.instrs, instr.index + 1
    while index < len(instrs) and instrs[index].op == "NOP" and not writer.is_entered(instrs[index]):
        index += 1
    if index == len(instrs) or instrs[index].op != "CALL" or writer.is_entered(instrs[index]):
        raise CodeError(f"{instr} is not followed by its CALL")
    return index
