"""Edited code still does what it did: padding everywhere, random edits, long distances."""

import random
import types
from itertools import pairwise
from types import CodeType, FunctionType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framelift.code import Code, Instr, assemble, read
from tests.code.programs import CALLS
from tests.code.sources import code_objects


def everywhere(code: CodeType, edit) -> CodeType:
    """Edit a code object and all those nested in it."""
    consts = {id(const): everywhere(const, edit) for const in code.co_consts if isinstance(const, CodeType)}
    edited = read(code)
    edited.consts = [consts.get(id(const), const) for const in edited.consts]
    for instr in edited.instrs:
        if isinstance(instr.arg, CodeType):
            instr.arg = consts[id(instr.arg)]
    edit(edited)
    return assemble(edited)


def outcome(function, args) -> tuple:
    try:
        return "returned", function(*args)
    except Exception as error:
        return "raised", type(error), str(error)


def check_still_works(function, calls, edit) -> None:
    new = FunctionType(everywhere(function.__code__, edit), function.__globals__)
    for args in calls:
        assert outcome(new, args) == outcome(function, args)


def pad(code: Code, count: int = 1) -> None:
    """Padding that jumps and regions take in; only the end marks of loops are left together."""
    code.rewrite(
        {
            instr: [*(Instr("NOP") for _ in range(count)), instr]
            for instr in code.instrs
            if instr.index == 0 or code.instrs[instr.index - 1].op != "END_FOR"
        }
    )


def pad_apart(code: Code) -> None:
    """Padding that jumps do not take in, so that loops lose their end marks and fused pieces come apart."""
    old = code.instrs
    code.instrs = [new for instr in old for new in (Instr("NOP"), instr)]
    code.renumber()


@pytest.mark.parametrize(("function", "calls"), CALLS)
@pytest.mark.parametrize("edit", [pad, pad_apart, lambda code: pad(code, 300)], ids=["taken", "apart", "many"])
def test_padded_functions_work(function, calls, edit) -> None:
    check_still_works(function, calls, edit)


@pytest.mark.parametrize(("function", "calls"), CALLS)
def test_unfused_functions_work(function, calls) -> None:
    def forget(code: Code) -> None:
        for instr in code.instrs:
            instr.spelling = None

    check_still_works(function, calls, forget)


@pytest.mark.parametrize(("function", "calls"), CALLS)
def test_shuffled_functions_work(function, calls) -> None:
    """Blocks in another order, joined by jumps: every conditional jump may turn backward."""

    def shuffle(code: Code) -> None:
        if code.regions:
            return  # they would have to be cut up as well
        # A frame that has not come to the RESUME in its code counts as one that has not begun.
        begin = next(instr.index for instr in code.instrs if instr.op == "RESUME") + 1
        pieces = [code.instrs[:begin]]
        for instr in code.instrs[begin:]:
            if len(pieces) == 1 or (random.Random(instr.index).random() < 0.3 and pieces[-1][-1].op not in GLUED):
                pieces.append([])
            pieces[-1].append(instr)
        for piece, following in pairwise(pieces):
            piece.append(Instr("JUMP", None, following[0]))
        rest = pieces[1:]
        random.Random(1).shuffle(rest)
        code.instrs = [instr for piece in [pieces[0], *rest] for instr in piece]

    check_still_works(function, calls, shuffle)


GLUED = {"KW_NAMES"}


@given(st.randoms(use_true_random=False), st.sampled_from(CALLS))
@settings(max_examples=60, deadline=None)
def test_random_harmless_edits(randomness, program) -> None:
    function, calls = program

    def edit(code: Code) -> None:
        for _ in range(10):
            instr = randomness.choice(code.instrs)
            kind = randomness.randrange(5)
            if kind == 0:
                code.insert_before(instr, [Instr("NOP") for _ in range(randomness.randrange(4))])
            elif kind == 1 and instr.op == "NOP":
                code.remove(instr)
            elif kind == 2 and instr.op not in ("NOP", "CALL"):
                slot = code.add_slot("extra")
                if instr.op not in ("COPY_FREE_VARS", "MAKE_CELL", "RETURN_GENERATOR"):
                    new = [Instr("LOAD_CONST", randomness.choice([0, -0.0, "x"])), Instr("STORE_FAST", slot)]
                    code.insert_before(instr, new)
            elif kind == 3:
                instr.spelling = None
            else:
                twin = instr.copy()
                code.replace(instr, [twin])

    check_still_works(function, calls, edit)


def test_padding_keeps_lines_and_handlers() -> None:
    for number, old in enumerate(code_objects()):
        if number % 40:
            continue
        code = read(old)
        before = [(instr.op, instr.position) for instr in code.instrs]
        pad(code)
        again = read(assemble(code))
        after = [(instr.op, instr.position) for instr in again.instrs]
        if any(op in ("IMPORT_STAR", "PRINT_EXPR") for op, _ in before):
            continue  # some Pythons write these apart from the POP_TOP after them at a price
        assert [entry for entry in after if entry[0] != "NOP"] == [entry for entry in before if entry[0] != "NOP"]
        assert len(again.regions) == len(code.regions)
        for region, new in zip(code.regions, again.regions, strict=True):
            assert (region.depth, region.lasti) == (new.depth, new.lasti)
            assert region.handler.index == new.handler.index
            assert (region.start.index, region.end.index) == (new.start.index, new.end.index)


def long_function(count: int):
    """A loop around so many statements that its jumps need several bytes."""
    lines = ["def f(n):", "    total = 0", "    for i in range(n):", "        if i == 1:", "            continue"]
    lines += [f"        total += {k} if i else x{k % 700}" for k in range(count)]
    lines += ["    return total"]
    names = {f"x{k}": k for k in range(700)}
    exec("\n".join(lines), names)
    return names["f"]


@pytest.mark.parametrize("count", [3, 20, 23, 24, 25, 300, 9000])
def test_long_functions(count) -> None:
    function = long_function(count)
    code = read(function.__code__)
    assert assemble(code) == function.__code__
    pad(code)
    new = FunctionType(assemble(code), function.__globals__)
    assert new(3) == function(3)
    if count == 9000:
        assert len(function.__code__.co_code) > 2 * 65536


@pytest.mark.parametrize("padding", [*range(110, 130), *range(238, 262), 65530, 65535, 65536, 65540])
def test_distances_around_the_limits(padding) -> None:
    def f(n):
        while n:
            n -= 1
            if n == 5:
                break
        return n

    code = read(f.__code__)
    where = next(instr for instr in code.instrs if instr.op == "BINARY_OP")
    code.insert_before(where, [Instr("NOP") for _ in range(padding)])
    made = assemble(code)
    assert FunctionType(made, {})(9) == 5
    assert FunctionType(made, {})(4) == 0
    assert assemble(read(made)) == made


def test_many_constants_and_names() -> None:
    source = "x = [" + ",".join(f"a{k}.b{k} + {k}.5" for k in range(400)) + "]"
    old = compile(source, "", "exec")
    assert assemble(read(old)) == old


def test_generators_keep_working_when_padded() -> None:
    def f():
        try:
            x = yield 1
            yield x
        finally:
            yield "closed"

    new = FunctionType(everywhere(f.__code__, pad), {})
    assert isinstance(new(), types.GeneratorType)
    running = new()
    assert next(running) == 1
    assert running.send(5) == 5
    assert running.throw(ValueError) == "closed"
    with pytest.raises(ValueError):
        next(running)
