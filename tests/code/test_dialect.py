"""Every real opcode is accounted for, and the tables agree with the interpreter's own."""

import dis
import opcode

import pytest

from framelift.code import Code, CodeError, Instr, assemble, read
from framelift.code.canonical import OPS
from framelift.code.dialect import DIALECT, NULL_BELOW_CALLABLE


def test_every_opcode_is_mapped_or_refused_by_name() -> None:
    known = DIALECT.mapped | set(DIALECT.refused)
    assert known == set(dis.opmap)
    assert not DIALECT.mapped & set(DIALECT.refused)
    assert all(DIALECT.refused.values())


def test_caches_agree_with_the_interpreter() -> None:
    entries = opcode._inline_cache_entries
    counts = entries if isinstance(entries, dict) else dict(zip(range(256), entries, strict=False))
    for name, number in dis.opmap.items():
        if number < 256:
            assert DIALECT.caches[number] == counts.get(name, counts.get(number, 0)), name


def test_operators_agree_with_the_interpreter() -> None:
    for number, (_, operator) in enumerate(opcode._nb_ops):
        assert DIALECT.readings[dis.opmap["BINARY_OP"]].extra[number] == operator
        assert DIALECT.writings["BINARY_OP"].extra[operator] == number


def test_intrinsics_agree_with_the_interpreter() -> None:
    for real, listed in (("CALL_INTRINSIC_1", "_intrinsic_1_descs"), ("CALL_INTRINSIC_2", "_intrinsic_2_descs")):
        if real in dis.opmap:
            for number, name in enumerate(getattr(opcode, listed)):
                if number:
                    ((op, _),) = DIALECT.readings[dis.opmap[real]].extra(number, (), ())
                    assert op in (name.removeprefix("INTRINSIC_"), "PRINT_EXPR")


def test_what_is_written_is_canonical() -> None:
    assert set(DIALECT.writings) <= set(OPS)


@pytest.mark.parametrize("op", ["<", "<=", "==", "!=", ">", ">="])
def test_comparisons_are_written_as_the_compiler_does(op: str) -> None:
    old = compile(f"a {op} b", "", "eval")
    code = read(old)
    assert [instr.arg for instr in code.instrs if instr.op == "COMPARE_OP"] == [op]
    assert assemble(code) == old


def test_null_stands_where_the_dialect_says() -> None:
    ops = [instr.op for instr in read((lambda: f()).__code__).instrs]  # noqa: F821
    assert ops.index("PUSH_NULL") == ops.index("LOAD_GLOBAL") + (-1 if NULL_BELOW_CALLABLE else 1)


class Stub:
    """A code object in all but its bytes, which CPython might not let pass."""

    def __init__(self, *numbers: int) -> None:
        self.co_code = bytes(byte for number in numbers for byte in (number, 0))

    def __getattr__(self, name: str) -> object:
        return getattr(compile("1", "", "eval"), name)


def test_refused_and_unknown_opcodes_are_named() -> None:
    nop = dis.opmap["NOP"]
    with pytest.raises(CodeError, match="CACHE at offset 0: a place for data"):
        read(Stub(0, nop))
    unknown = set(range(256)) - set(dis.opmap.values())
    for number in unknown:
        with pytest.raises(CodeError, match=f"opcode {number} at offset 2: not an opcode"):
            read(Stub(nop, number))
    for name in DIALECT.refused:
        if dis.opmap[name] < 256:
            with pytest.raises(CodeError, match=name):
                read(Stub(dis.opmap[name]))


def test_operations_of_other_pythons_are_refused_when_written() -> None:
    for op in set(OPS) - set(DIALECT.writings):
        code = Code([Instr(op), Instr("LOAD_CONST", None), Instr("RETURN_VALUE")])
        with pytest.raises(CodeError, match=op):
            assemble(code)
