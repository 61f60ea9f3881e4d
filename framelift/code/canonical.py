"""The canonical instruction set: one vocabulary for the bytecode of every supported Python.

Dialects translate real opcodes into these when code is read and back when it is written. Whoever
interprets or generates code works with this table alone. Each line gives the stack effect, the kind
of argument and the meaning; effects are those of the canonical operation, which on some Pythons is
only a piece of a real instruction.

Two conventions span several operations.

*Calls.* A callable stands on the stack as two *callee slots*: a function and its first argument, or
a callable and NULL in either order (which one is the dialect's affair; a reader treats whichever
slot is NULL as absent). `KW_NAMES` is a prefix of the `CALL` after it, without effect of its own.

*Cells.* A slot holds a raw object, which for cell and free variables is the cell. `LOAD_CLOSURE`
and `LOAD_FAST_AND_CLEAR` push what the slot holds; the latter may push NULL (an unbound variable),
and `STORE_FAST` of NULL unbinds.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

Count = int | Callable[[Any], int]


class SuperAttr(NamedTuple):
    """The argument of `LOAD_SUPER_ATTR`."""

    name: str
    is_method: bool
    two_arg: bool


class Format(NamedTuple):
    """The argument of `FORMAT_VALUE`; the conversion is None, "str", "repr" or "ascii"."""

    conversion: str | None
    has_spec: bool


class CanonicalOp(NamedTuple):
    """One operation: what it takes and gives when it falls through, and when it jumps."""

    name: str
    argument: str  # "", "int", "bool", "name", "const", "slot", "operator", "names", "super", "format"
    pops: Count
    pushes: Count
    meaning: str
    jumps: bool = False
    jump_pops: Count = 0
    jump_pushes: Count = 0
    ends: bool = False  # control never reaches the next instruction

    def effect(self, arg: Any, jump: bool = False) -> int:
        """The net change of the stack depth."""
        pops, pushes = (self.jump_pops, self.jump_pushes) if jump else (self.pops, self.pushes)
        taken = pops if isinstance(pops, int) else pops(arg)
        given = pushes if isinstance(pushes, int) else pushes(arg)
        return given - taken


OPS: Final[dict[str, CanonicalOp]] = {}


def _op(name: str, argument: str, pops: Count, pushes: Count, meaning: str) -> None:
    OPS[name] = CanonicalOp(name, argument, pops, pushes, meaning)


def _ends(name: str, argument: str, pops: Count, meaning: str) -> None:
    OPS[name] = CanonicalOp(name, argument, pops, 0, meaning, ends=True)


def _jump(name: str, fall: tuple[int, int], jump: tuple[int, int], meaning: str, ends: bool = False) -> None:
    OPS[name] = CanonicalOp(name, "", *fall, meaning, True, *jump, ends)


def _same(arg: int) -> int:
    return arg


def _plus_one(arg: int) -> int:
    return arg + 1


# Nothing, and the stack itself
_op("NOP", "", 0, 0, "do nothing")
_op("RESUME", "int", 0, 0, "start or resume; check for interrupts")
_op("POP_TOP", "", 1, 0, "drop the top")
_op("PUSH_NULL", "", 0, 1, "push NULL, the empty callee slot")
_op("COPY", "int", _same, _plus_one, "push the arg-th value from the top again")
_op("SWAP", "int", _same, _same, "exchange the top and the arg-th value")

# Constants and variables
_op("LOAD_CONST", "const", 0, 1, "push the constant")
_op("LOAD_FAST", "slot", 0, 1, "push a local, or raise UnboundLocalError")
_op("LOAD_FAST_AND_CLEAR", "slot", 0, 1, "push what the slot holds, perhaps NULL, and unbind it")
_op("STORE_FAST", "slot", 1, 0, "bind a local; NULL unbinds it")
_op("DELETE_FAST", "slot", 0, 0, "unbind a local, or raise UnboundLocalError")
_op("MAKE_CELL", "slot", 0, 0, "put the slot's value into a new cell, kept in the slot")
_op("COPY_FREE_VARS", "int", 0, 0, "put the function's closure into the free slots")
_op("LOAD_CLOSURE", "slot", 0, 1, "push the cell in the slot")
_op("LOAD_DEREF", "slot", 0, 1, "push the content of the slot's cell, or raise NameError")
_op("STORE_DEREF", "slot", 1, 0, "set the content of the slot's cell")
_op("DELETE_DEREF", "slot", 0, 0, "empty the slot's cell, or raise NameError")
_op("LOAD_CLASSDEREF", "slot", 0, 1, "look in the class namespace, then in the slot's cell")
_op("LOAD_FROM_DICT_OR_DEREF", "slot", 1, 1, "look in the mapping popped, then in the slot's cell")
_op("LOAD_FROM_DICT_OR_GLOBALS", "name", 1, 1, "look in the mapping popped, then like LOAD_GLOBAL")
_op("LOAD_LOCALS", "", 0, 1, "push the namespace of the frame")
_op("LOAD_NAME", "name", 0, 1, "look in the namespace, globals, builtins")
_op("STORE_NAME", "name", 1, 0, "bind in the namespace")
_op("DELETE_NAME", "name", 0, 0, "unbind in the namespace")
_op("LOAD_GLOBAL", "name", 0, 1, "look in globals, builtins")
_op("STORE_GLOBAL", "name", 1, 0, "bind in globals")
_op("DELETE_GLOBAL", "name", 0, 0, "unbind in globals")
_op("LOAD_BUILD_CLASS", "", 0, 1, "push builtins.__build_class__")
_op("LOAD_ASSERTION_ERROR", "", 0, 1, "push AssertionError")
_op("SETUP_ANNOTATIONS", "", 0, 0, "make sure that __annotations__ exists in the namespace")

# Attributes and items
_op("LOAD_ATTR", "name", 1, 1, "object -> object.name")
_op("LOAD_METHOD", "name", 1, 2, "object -> the two callee slots of object.name")
_op(
    "LOAD_SUPER_ATTR", "super", 3, lambda arg: 2 if arg.is_method else 1,
    "super, class, self -> super(class, self).name (or super().name, unless two_arg), or its two callee slots",
)  # fmt: skip
_op("STORE_ATTR", "name", 2, 0, "value, object -> object.name = value")
_op("DELETE_ATTR", "name", 1, 0, "object -> del object.name")
_op("BINARY_SUBSCR", "", 2, 1, "container, key -> container[key]")
_op("BINARY_SLICE", "", 3, 1, "container, start, stop -> container[start:stop]")
_op("STORE_SUBSCR", "", 3, 0, "value, container, key -> container[key] = value")
_op("STORE_SLICE", "", 4, 0, "value, container, start, stop -> container[start:stop] = value")
_op("DELETE_SUBSCR", "", 2, 0, "container, key -> del container[key]")

# Operators
_op("UNARY_POSITIVE", "", 1, 1, "+value")
_op("UNARY_NEGATIVE", "", 1, 1, "-value")
_op("UNARY_NOT", "", 1, 1, "not value")
_op("UNARY_INVERT", "", 1, 1, "~value")
_op("TO_BOOL", "", 1, 1, "bool(value)")
_op("BINARY_OP", "operator", 2, 1, "left, right -> left <op> right; op may be in-place")
_op("COMPARE_OP", "operator", 2, 1, "left, right -> left <op> right")
_op("IS_OP", "bool", 2, 1, "left, right -> left is right; arg: negated")
_op("CONTAINS_OP", "bool", 2, 1, "left, right -> left in right; arg: negated")

# Building and taking apart
_op("BUILD_TUPLE", "int", _same, 1, "arg values -> tuple")
_op("BUILD_LIST", "int", _same, 1, "arg values -> list")
_op("BUILD_SET", "int", _same, 1, "arg values -> set")
_op("BUILD_MAP", "int", lambda arg: 2 * arg, 1, "arg pairs key, value -> dict")
_op("BUILD_CONST_KEY_MAP", "int", _plus_one, 1, "arg values, tuple of keys -> dict")
_op("BUILD_STRING", "int", _same, 1, "arg strings -> their concatenation")
_op("BUILD_SLICE", "int", _same, 1, "start, stop[, step] -> slice")
_op("LIST_APPEND", "int", 1, 0, "append the top to the list arg below it")
_op("LIST_EXTEND", "int", 1, 0, "extend the list arg below with the top")
_op("SET_ADD", "int", 1, 0, "add the top to the set arg below it")
_op("SET_UPDATE", "int", 1, 0, "update the set arg below with the top")
_op("MAP_ADD", "int", 2, 0, "key, value -> set in the dict arg below them")
_op("DICT_UPDATE", "int", 1, 0, "update the dict arg below with the top")
_op("DICT_MERGE", "int", 1, 0, "like DICT_UPDATE for keywords of a call: duplicates raise")
_op("LIST_TO_TUPLE", "", 1, 1, "list -> tuple")
_op("UNPACK_SEQUENCE", "int", 1, _same, "iterable -> its arg items, the first on top")
_op(
    "UNPACK_EX", "int", 1, lambda arg: (arg & 0xFF) + (arg >> 8) + 1,
    "iterable -> items before (low byte), list of the rest, items after (high bytes)",
)  # fmt: skip
_op("FORMAT_VALUE", "format", lambda arg: 2 if arg.has_spec else 1, 1, "value[, spec] -> str")
_op("CONVERT_VALUE", "operator", 1, 1, 'apply "str", "repr" or "ascii"')

# Functions and calls
_op("MAKE_FUNCTION", "int", lambda arg: 1 + arg.bit_count(), 1, "[parts by flag,] code -> function")
_op("SET_FUNCTION_ATTRIBUTE", "int", 2, 1, "part, function -> function; arg: one flag")
_op("KW_NAMES", "names", 0, 0, "names of the last arguments of the CALL that follows")
_op("CALL", "int", lambda arg: arg + 2, 1, "two callee slots, arg values -> result")
_op(
    "CALL_FUNCTION_EX", "bool", lambda arg: 4 if arg else 3, 1,
    "two callee slots, args[, kwargs] -> result; arg: has kwargs",
)  # fmt: skip
_ends("RETURN_VALUE", "", 1, "return the top")

# Iteration, generators, coroutines
_op("GET_ITER", "", 1, 1, "iter(value)")
_op("GET_YIELD_FROM_ITER", "", 1, 1, "iter(value), or the generator or coroutine itself")
_jump("FOR_ITER", (1, 2), (1, 0), "push the next item; exhausted: drop the iterator and jump")
_op("END_FOR", "", 0, 0, "marks the end of a loop; never executed")
_op("RETURN_GENERATOR", "", 0, 1, "make the generator and return it; pushes None when resumed")
_op("YIELD_VALUE", "int", 1, 1, "yield the top; pushes what is sent")
_jump("SEND", (2, 2), (2, 1), "receiver, value -> receiver, yielded; finished: result, and jump")
_jump("SEND_KEEP", (2, 2), (2, 2), "like SEND; finished: receiver, result, and jump")
_op("END_SEND", "", 2, 1, "receiver, value -> value")
_op("CLEANUP_THROW", "", 3, 2, "receiver, value, exception -> None, result of StopIteration, or raise")
_op("GET_AWAITABLE", "int", 1, 1, "value -> its awaitable")
_op("GET_AITER", "", 1, 1, "aiter(value)")
_op("GET_ANEXT", "", 1, 2, "async iterator -> itself, awaitable of the next item")
_op("END_ASYNC_FOR", "", 2, 0, "async iterator, exception -> nothing if StopAsyncIteration, else raise")
_op("ASYNC_GEN_WRAP", "", 1, 1, "wrap a value yielded by an async generator")
_op("STOPITERATION_ERROR", "", 1, 1, "StopIteration leaving a generator -> RuntimeError")

# Jumps
_jump("JUMP", (0, 0), (0, 0), "jump", ends=True)
_jump("POP_JUMP_IF_TRUE", (1, 0), (1, 0), "jump if the value is true")
_jump("POP_JUMP_IF_FALSE", (1, 0), (1, 0), "jump if the value is false")
_jump("POP_JUMP_IF_NONE", (1, 0), (1, 0), "jump if the value is None")
_jump("POP_JUMP_IF_NOT_NONE", (1, 0), (1, 0), "jump if the value is not None")
_jump("JUMP_IF_TRUE_OR_POP", (1, 0), (1, 1), "true: keep the value and jump; else drop it")
_jump("JUMP_IF_FALSE_OR_POP", (1, 0), (1, 1), "false: keep the value and jump; else drop it")

# Exceptions and with
_ends("RAISE_VARARGS", "int", _same, "raise, raise exception, raise exception from cause")
_ends("RERAISE", "int", _plus_one, "raise the top again; arg: an instruction offset lies below it")
_op("PUSH_EXC_INFO", "", 1, 2, "exception -> exception handled before, exception")
_op("POP_EXCEPT", "", 1, 0, "restore the exception handled before")
_op("CHECK_EXC_MATCH", "", 2, 2, "exception, type -> exception, whether it matches")
_op("CHECK_EG_MATCH", "", 2, 2, "group, type -> rest or None, matched or None")
_op("PREP_RERAISE_STAR", "", 2, 1, "group, list of raised -> what to raise again, or None")
_op("BEFORE_WITH", "", 1, 2, "manager -> exit, result of enter")
_op("BEFORE_ASYNC_WITH", "", 1, 2, "manager -> exit, awaitable of enter")
_op("WITH_EXCEPT_START", "", 4, 5, "exit, lasti, before, exception -> the same, result of exit")

# Pattern matching
_op("GET_LEN", "", 1, 2, "value -> value, len(value)")
_op("MATCH_MAPPING", "", 1, 2, "value -> value, whether it is a mapping")
_op("MATCH_SEQUENCE", "", 1, 2, "value -> value, whether it is a sequence")
_op("MATCH_KEYS", "", 2, 3, "mapping, keys -> mapping, keys, tuple of values or None")
_op("MATCH_CLASS", "int", 3, 1, "value, class, names -> tuple of attributes or None")

# Imports, the prompt, type parameters
_op("IMPORT_NAME", "name", 2, 1, "level, names -> module")
_op("IMPORT_FROM", "name", 1, 2, "module -> module, attribute")
_op("IMPORT_STAR", "", 1, 1, "module -> None, its names bound")
_op("PRINT_EXPR", "", 1, 1, "value -> None, shown at the prompt")
_op("TYPEVAR", "", 1, 1, "name -> TypeVar")
_op("PARAMSPEC", "", 1, 1, "name -> ParamSpec")
_op("TYPEVARTUPLE", "", 1, 1, "name -> TypeVarTuple")
_op("SUBSCRIPT_GENERIC", "", 1, 1, "type parameters -> Generic[...]")
_op("TYPEALIAS", "", 1, 1, "tuple of name, parameters, value -> TypeAliasType")
_op("TYPEVAR_WITH_BOUND", "", 2, 1, "name, bound -> TypeVar")
_op("TYPEVAR_WITH_CONSTRAINTS", "", 2, 1, "name, constraints -> TypeVar")
_op("SET_FUNCTION_TYPE_PARAMS", "", 2, 1, "function, parameters -> function")
_op("SET_TYPEPARAM_DEFAULT", "", 2, 1, "parameter, default -> parameter")

JUMPS: Final = frozenset(op.name for op in OPS.values() if op.jumps)
ENDS: Final = frozenset(op.name for op in OPS.values() if op.ends)

INVERTED: Final = {
    "POP_JUMP_IF_TRUE": "POP_JUMP_IF_FALSE",
    "POP_JUMP_IF_FALSE": "POP_JUMP_IF_TRUE",
    "POP_JUMP_IF_NONE": "POP_JUMP_IF_NOT_NONE",
    "POP_JUMP_IF_NOT_NONE": "POP_JUMP_IF_NONE",
}
"""Each conditional jump and the one that jumps exactly when it does not."""
