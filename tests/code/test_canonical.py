"""The declared stack effects against those the interpreter knows."""

import dis

from framelift.code import Code, Instr, read
from framelift.code.canonical import ENDS, INVERTED, JUMPS, OPS, CanonicalOp
from tests.code.sources import code_objects

# Never executed in the canonical reading, or the interpreter's figure is that of a jump's far side.
UNCHECKED = {"END_FOR", "RETURN_GENERATOR"}


def real_effects(code: Code, jump: bool) -> dict[int, int]:
    """Offset of a real instruction -> its effect; that of a prefix goes to the instruction after it."""
    assert code.original is not None
    found: dict[int, int] = {}
    carried = 0
    raw, high, offset = code.original.co_code, 0, 0
    while offset < len(raw):
        opcode = raw[offset]
        arg = raw[offset + 1] | high
        name = dis.opname[opcode]
        high = 0
        if name == "EXTENDED_ARG":
            high = arg << 8
        elif name != "CACHE":
            effect = dis.stack_effect(opcode, arg if opcode in dis.hasarg else None, jump=jump) + carried
            carried = 0
            if name == "PRECALL":
                carried = effect
            else:
                found[offset] = effect
        offset += 2
    return found


def test_effects_agree_with_the_interpreter() -> None:
    if not hasattr(dis, "hasarg"):
        dis.hasarg = range(dis.HAVE_ARGUMENT, 256)
    checked = set()
    for old in code_objects():
        code = read(old)
        for jump in (False, True):
            real = real_effects(code, jump)
            declared: dict[int, int] = {}
            first: dict[int, Instr] = {}
            for instr in code.instrs:
                effect = OPS[instr.op].effect(instr.arg, jump and instr.op in JUMPS)
                declared[instr.offset] = declared.get(instr.offset, 0) + effect
                first.setdefault(instr.offset, instr)
            for offset, instr in first.items():
                before = code.instrs[instr.index - 1]
                if instr.op in ENDS or instr.op in UNCHECKED or before.op == "END_FOR":
                    continue
                if instr.spelling == "RETURN_CONST" or (instr.op == "FOR_ITER" and jump):
                    continue
                names = real[before.offset] if before.op == "KW_NAMES" else 0
                expected = real[offset] + names - (real[offset] if instr.op == "KW_NAMES" else 0)
                assert declared[offset] == expected, (instr, jump, declared[offset], expected)
                checked.add(instr.op)
    assert len(checked) > 60


def test_every_operation_says_what_it_does() -> None:
    for name, op in OPS.items():
        assert isinstance(op, CanonicalOp)
        assert op.name == name
        assert op.meaning
        assert not op.jumps or name in JUMPS


def test_inverted_jumps_are_mutual() -> None:
    for op, inverse in INVERTED.items():
        assert INVERTED[inverse] == op
