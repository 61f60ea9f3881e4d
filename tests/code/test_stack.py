"""Stack depths by the flow of control."""

import pytest

from framelift.code import Code, CodeError, Instr, Region, read
from framelift.code.stack import depths, max_depth
from tests.code.programs import CALLS


@pytest.mark.parametrize(("function", "calls"), CALLS)
def test_no_deeper_than_the_compiler_says(function, calls) -> None:
    code = read(function.__code__)
    assert max_depth(code) <= code.stacksize


def test_depths_of_a_loop() -> None:
    def f(xs):
        for x in xs:
            x + 1

    code = read(f.__code__)
    found = dict(zip((instr.op for instr in code.instrs), depths(code), strict=True))
    assert found["FOR_ITER"] == 1
    assert found["STORE_FAST"] == 2
    assert found["BINARY_OP"] == 3
    assert found["RETURN_VALUE"] == 1


def test_handlers_start_at_their_depth() -> None:
    handler = Instr("PUSH_EXC_INFO")
    body = [Instr("LOAD_CONST", 1), Instr("LOAD_CONST", 2), Instr("RETURN_VALUE"), handler, Instr("RERAISE", 0)]
    code = Code(body, [Region(body[1], body[2], handler, 1, True)])
    code.renumber()
    assert depths(code) == [0, 1, 2, 3, 4]


def test_unreachable_has_no_depth() -> None:
    code = Code([Instr("LOAD_CONST", 1), Instr("RETURN_VALUE"), Instr("NOP"), Instr("RERAISE", 0)])
    code.renumber()
    assert depths(code)[2:] == [-1, -1]


def test_disagreeing_paths_are_refused() -> None:
    end = Instr("RETURN_VALUE")
    code = Code([Instr("LOAD_CONST", 1), Instr("POP_JUMP_IF_NONE", None, end), Instr("LOAD_CONST", 2), end])
    code.renumber()
    with pytest.raises(CodeError, match="is reached with"):
        depths(code)


def test_taking_too_much_is_refused() -> None:
    code = Code([Instr("POP_TOP"), Instr("RETURN_VALUE")])
    code.renumber()
    with pytest.raises(CodeError, match="takes more"):
        depths(code)
