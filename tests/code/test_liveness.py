"""Live variables."""

from framelift.code import read
from framelift.code.flow import reachable, successors
from framelift.code.liveness import live_before, members


def live_at(function, op: str, occurrence: int = 0) -> set[str]:
    code = read(function.__code__)
    instr = [instr for instr in code.instrs if instr.op == op][occurrence]
    return {code.slots[slot].name for slot in members(live_before(code)[instr.index])}


def test_straight_line() -> None:
    def f(a, b, c):
        d = a + b
        return d

    assert live_at(f, "BINARY_OP") == set()
    assert live_at(f, "RESUME") == {"a", "b"}
    assert live_at(f, "RETURN_VALUE") == set()


def test_loops_keep_what_the_next_turn_reads() -> None:
    def f(xs, scale, unused):
        total = 0
        for x in xs:
            total = total + x * scale
        return total

    assert live_at(f, "FOR_ITER") == {"scale", "total"}
    assert live_at(f, "BINARY_OP") == {"scale"}


def test_handlers_keep_what_they_read() -> None:
    def f(a, b):
        note = "before"
        try:
            a = b.attribute
            note = "after"
            return a
        except ValueError:
            return note

    assert "note" in live_at(f, "LOAD_ATTR")


def test_cells_are_always_live() -> None:
    def f(a):
        b = 1
        return lambda: (a, b)

    assert live_at(f, "RETURN_VALUE") == {"a", "b"}


def test_branches_join() -> None:
    def f(flag, a, b):
        if flag:
            return a
        return b

    assert live_at(f, "RESUME") == {"flag", "a", "b"}


def test_successors_and_reach() -> None:
    def f(xs):
        for x in xs:
            pass

    code = read(f.__code__)
    loop = next(instr for instr in code.instrs if instr.op == "FOR_ITER")
    assert [instr.index for instr in successors(code, loop)] == [loop.index + 1, loop.target.index]
    assert successors(code, code.instrs[-1]) == []
    flags = reachable(code)
    assert all(
        flag or code.instrs[i].op == "END_FOR" or code.instrs[i - 1].op == "END_FOR" for i, flag in enumerate(flags)
    )
