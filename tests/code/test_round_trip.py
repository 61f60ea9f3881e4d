"""Reading and writing unedited code gives it back, to the byte."""

import dis
import marshal
import sys
from types import CodeType

import pytest

from framelift.code import HIDDEN, Code, assemble, read
from framelift.code.stack import depths
from tests.code.programs import CALLS
from tests.code.sources import FULL, code_objects

ATTRIBUTES = [
    name
    for name in dir(CodeType)
    if name.startswith("co_") and name not in ("co_lnotab", "co_lines", "co_positions", "co_branches")
]


def differences(old: CodeType, new: CodeType) -> list[str]:
    found = [name for name in ATTRIBUTES if getattr(old, name) != getattr(new, name)]
    return found if found or old == new else ["=="]


def check_reading(old: CodeType, code: Code) -> None:
    """What the list says against what `dis` says."""
    real = {
        instr.offset: instr
        for instr in dis.get_instructions(old)
        if instr.opname not in ("EXTENDED_ARG", "CACHE", "PRECALL")
    }
    assert {instr.offset for instr in code.instrs} == set(real)
    positions = list(old.co_positions())
    for index, instr in enumerate(code.instrs):
        assert instr.index == index
        assert instr.position == positions[instr.offset // 2]
        if instr.target is not None and instr.op != "FOR_ITER":
            target = real[instr.target.offset]
            assert real[instr.offset].argval <= target.offset
            between = range(real[instr.offset].argval, target.offset)
            assert not any(offset in real for offset in between)
    depth = depths(code)
    for region in code.regions:
        before = depth[region.start.index]
        assert before < 0 or region.depth <= before


def test_library_code_survives() -> None:
    """Every code object of the standard library, torch and transformers (a sample, unless FRAMELIFT_FULL)."""
    count = same = instructions = 0
    changed = []
    for old in code_objects():
        code = read(old)
        if count % 7 == 0 or not FULL:
            check_reading(old, code)
        new = assemble(code)
        count += 1
        instructions += len(code.instrs)
        if differences(old, new):
            changed.append((old.co_filename, old.co_qualname, differences(old, new)))
        else:
            same += 1
    print(f"\ncompared {count} code objects of {instructions} instructions, {same} identical to the byte")
    assert not changed, changed[:10]
    assert count > (100_000 if FULL else 1000)


@pytest.mark.parametrize(("function", "calls"), CALLS)
def test_programs_survive(function, calls) -> None:
    code = read(function.__code__)
    assert differences(function.__code__, assemble(code)) == []
    assert differences(function.__code__, assemble(code.copy())) == []


def kinds(code: CodeType) -> bytes:
    """The kinds of the variables, which only the marshal format shows."""
    data = marshal.dumps(code, 2)
    end = data.rindex(b"".join(marshal.dumps(part, 2) for part in (code.co_filename, code.co_name, code.co_qualname)))
    return data[end - len(read(code).slots) : end]


def test_kinds_of_variables_survive() -> None:
    source = """
class C:
    a = [x for x in range(3)]
    b = [lambda: y for y in range(3)]
    def f(self, z, w=1, *args, v, **kwargs):
        return lambda: (z, v, __class__, [u for u in args], [(lambda: t) for t in args])
c = [x for x in range(3)]
"""
    pending = [compile(source, "kinds", "exec")]
    while pending:
        old = pending.pop()
        pending += [const for const in old.co_consts if isinstance(const, CodeType)]
        slots = read(old).slots
        assert bytes(slot.kind for slot in slots) == kinds(old)
        assert kinds(assemble(read(old))) == kinds(old)
        for number, slot in enumerate(slots):
            assert slot.name == old._varname_from_oparg(number)
            if slot.kind & HIDDEN:
                assert not old.co_flags & 1


def test_code_that_runs_specialised_or_traced_reads_as_compiled() -> None:
    function, calls = CALLS[0]
    fresh = marshal.loads(marshal.dumps(function.__code__))
    for _ in range(50):
        function(*calls[-1])
    seen = []

    def trace(frame, event, arg):
        if frame.f_code is function.__code__ and event == "line":
            seen.append(assemble(read(frame.f_code)))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*calls[0])
    finally:
        sys.settrace(before)
    assert seen
    assert all(differences(fresh, code) == [] for code in seen)
