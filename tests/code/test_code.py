"""The editing interface of `Code`."""

from types import FunctionType

import pytest

from framelift.code import CELL, LOCAL, Code, CodeError, Instr, Region, Slot, assemble, read


def run(code: Code, *args, **names):
    return FunctionType(assemble(code), names)(*args)


def first(code: Code, op: str) -> Instr:
    return next(instr for instr in code.instrs if instr.op == op)


def branch(flag, a):
    if flag:
        a = a + 1
    return a


def test_insert_before_takes_jumps_along() -> None:
    code = read(branch.__code__)
    target = next(instr.target for instr in code.instrs if instr.target is not None)
    nop = Instr("NOP")
    code.insert_before(target, [nop])
    assert next(instr.target for instr in code.instrs if instr.target is not None) is nop
    assert [instr.index for instr in code.instrs] == list(range(len(code.instrs)))
    assert run(code, 0, 1) == 1
    assert run(code, 1, 1) == 2


def test_insert_after_and_remove() -> None:
    code = read(branch.__code__)
    add = first(code, "BINARY_OP")
    code.insert_after(add, [Instr("LOAD_CONST", 10), Instr("BINARY_OP", "*")])
    assert run(code, 1, 1) == 20
    code.remove(code.instrs[add.index + 2])
    code.remove(code.instrs[add.index + 1])
    assert assemble(code) == branch.__code__.replace(co_consts=assemble(code).co_consts)


def test_replace_retargets() -> None:
    code = read(branch.__code__)
    target = next(instr.target for instr in code.instrs if instr.target is not None)
    new = Instr(target.op, target.arg)
    code.replace(target, [new])
    assert next(instr.target for instr in code.instrs if instr.target is not None) is new
    assert run(code, 0, 1) == 1


def test_removing_the_last_instruction_that_is_a_target_is_refused() -> None:
    end = Instr("RETURN_VALUE")
    code = Code([Instr("JUMP", None, end), end])
    with pytest.raises(CodeError, match="nothing follows"):
        code.remove(end)


def test_regions_follow_edits() -> None:
    body = [Instr("NOP"), Instr("NOP"), Instr("NOP"), Instr("LOAD_CONST", 1), Instr("RETURN_VALUE")]
    handler = Instr("PUSH_EXC_INFO")
    code = Code([*body, handler, Instr("RERAISE", 0)], [Region(body[0], body[1], handler, 0)])
    code.renumber()
    new = Instr("NOP")
    code.insert_after(body[1], [new])
    assert code.regions[0].end is new
    code.insert_before(handler, [before := Instr("NOP")])
    assert code.regions[0].handler is before
    code.remove(body[0])
    assert code.regions[0].start is body[1]
    code.rewrite({body[1]: (), new: ()})
    assert code.regions == []


def test_copies_are_independent() -> None:
    code = read(branch.__code__)
    copy = code.copy()
    copy.insert_before(copy.instrs[0], [Instr("NOP")])
    copy.slots.append(Slot("new", LOCAL))
    assert assemble(code) == branch.__code__
    assert not set(code.instrs) & set(copy.instrs)
    assert all(instr.target is None or instr.target in copy.instrs for instr in copy.instrs)


def test_new_locals_come_after_the_old_ones_and_before_cells() -> None:
    def f(a, b):
        c = 1
        g = lambda: (a, c)
        return g(), b

    code = read(f.__code__)
    slot = code.add_slot("extra")
    end = code.instrs[-1]
    code.insert_before(end, [Instr("STORE_FAST", slot), Instr("LOAD_FAST", slot)])
    made = assemble(code)
    assert made.co_varnames == (*f.__code__.co_varnames, "extra")
    assert made.co_cellvars == f.__code__.co_cellvars
    assert FunctionType(made, {})(1, 2) == ((1, 1), 2)


def test_free_variables_keep_their_order() -> None:
    x, y = 1, 2

    def f(a):
        return a, y, x

    code = read(f.__code__)
    slot = code.add_slot("a")  # a name may be there twice
    cell = code.add_slot("z", CELL)
    code.insert_before(code.instrs[0], [Instr("MAKE_CELL", cell)])
    code.insert_before(code.instrs[-1], [Instr("STORE_FAST", slot), Instr("LOAD_FAST", slot)])
    made = assemble(code)
    assert made.co_freevars == f.__code__.co_freevars
    assert FunctionType(made, {}, closure=f.__closure__)(0) == (0, 2, 1)


def test_set_arguments() -> None:
    def f(a, *args, b=1, **kwargs):
        c = a
        return b, c, args

    code = read(f.__code__)
    names = [slot.name for slot in code.slots]
    code.set_arguments([names.index("b"), names.index("args"), names.index("a")])
    made = assemble(code)
    assert made.co_varnames == ("b", "args", "a", "kwargs", "c")
    assert FunctionType(made, {})(1, 2, 3) == (1, 3, 2)


def test_free_variables_cannot_be_arguments() -> None:
    x = 1
    code = read((lambda: x).__code__)
    with pytest.raises(CodeError, match="free variable 'x'"):
        code.set_arguments([0])


def test_equal_constants_of_different_kinds_stay_apart() -> None:
    values = [0, False, 0.0, -0.0, 0j, (0,), (False,), (0.0,), "0", b"0", None, 1, True, float("nan")]
    for value in values:
        for extra in values:
            code = read(compile(repr(value) if value == value else "1e1000-1e1000", "", "eval"))
            code.instrs[-2].arg = extra
            code.instrs[-2].spelling = None
            result = eval(assemble(code))
            assert type(result) is type(extra)
            assert repr(result) == repr(extra)


def test_tables_are_only_appended_to() -> None:
    code = read(branch.__code__)
    code.add_name("unused")
    code.add_const("unused")
    code.add_const("unused")
    code.insert_before(code.instrs[-1], [Instr("POP_TOP"), Instr("LOAD_GLOBAL", "g")])
    made = assemble(code)
    assert made.co_names == ("unused", "g")
    code.names += ["unused", "g", "g"]  # no compiler writes a name twice, but other tools might
    assert assemble(code).co_names == ("unused", "unused", "g", "g")
    assert assemble(read(assemble(code))) == assemble(code)
    assert made.co_consts == (*branch.__code__.co_consts, "unused")


def test_unchecked_reads_can_be_made_checked() -> None:
    def f(a, b):
        x = a
        return x, b, x

    code = read(f.__code__)
    store = first(code, "STORE_FAST")
    code.check_bindings()
    code.replace(store, [Instr("POP_TOP")])
    with pytest.raises(UnboundLocalError, match="'x'"):
        run(code, 1, 2)


def test_lists_that_make_no_sense_are_refused() -> None:
    end = [Instr("LOAD_CONST", None), Instr("RETURN_VALUE")]
    twice = Instr("NOP")
    other = Instr("NOP")
    handler = [Instr("PUSH_EXC_INFO"), Instr("RERAISE", 0)]
    region = Region(end[0], end[1], handler[0], 0)
    for code, message in [
        (Code([Instr("NOP")]), "past the end"),
        (Code([]), "past the end"),
        (Code([twice, twice, *end]), "twice"),
        (Code([Instr("JUMP", None, other), *end]), "not in the list"),
        (Code([Instr("JUMP"), *end]), "no target"),
        (Code([Instr("KW_NAMES", ("a",)), *end]), "not followed by its CALL"),
        (Code([Instr("NO_SUCH"), *end]), "NO_SUCH"),
        (Code([Instr("RESUME", 0), *end, *handler], [region, region]), "overlap"),
    ]:
        with pytest.raises(CodeError, match=message):
            assemble(code)


def test_reprs_name_the_instruction() -> None:
    code = read(branch.__code__)
    assert "branch" in repr(code)
    assert "POP_JUMP_IF_FALSE -> " in repr(first(code, "POP_JUMP_IF_FALSE"))
    assert code.instrs[0].copy().position == code.instrs[0].position
    assert code.instrs[-1].line == branch.__code__.co_firstlineno + 3
