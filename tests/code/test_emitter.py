"""Generated code runs, whatever the conventions of this Python."""

from types import CellType, FunctionType

from framelift.code import CELL, FREE, LOCAL, Code, Slot, assemble
from framelift.code.emitter import Emitter


def function(code: Code, emit: Emitter, names: dict | None = None, closure: tuple = ()) -> FunctionType:
    code.instrs = emit.instrs
    return FunctionType(assemble(code), names or {}, closure=closure or None)


def test_calls_of_every_kind() -> None:
    code = Code(slots=[Slot("f", LOCAL), Slot("x", LOCAL)])
    code.set_arguments([0, 1])
    emit = Emitter((7, 7, 0, 4))
    emit.prologue(code)
    emit.open_callee()
    emit.fast(0, bound=True)
    emit.close_callee()
    emit.fast(1)
    emit.const(2)
    emit.call(2, ("y",))
    emit.global_callee("len")
    emit.const("four")
    emit.call(1)
    emit.fast(0)
    emit.callee_on_top()
    emit.call(0)
    emit.const_callee(dict)
    emit.const(())
    emit.const({"k": 1})
    emit.call_unpacked(keywords=True)
    emit.build_tuple(4)
    emit.return_top()

    def record(*args, **kwargs):
        return args, kwargs

    assert function(code, emit, {"len": len})(record, 1) == (((1,), {"y": 2}), 4, ((), {}), {"k": 1})
    made = assemble(code)
    assert all(position == (7, 7, 0, 4) for position in made.co_positions())


def test_jumps_in_both_directions() -> None:
    """Counts down by two until the number is no longer true, then answers by whether something is None."""
    code = Code(slots=[Slot("n", LOCAL), Slot("x", LOCAL)])
    code.set_arguments([0, 1])
    emit = Emitter()
    emit.prologue(code)
    top, none = emit.label(), emit.label()
    emit.place(top)
    emit.fast(0)
    emit.const(2)
    emit.add("BINARY_OP", "-")
    emit.copy()
    emit.store_fast(0)
    emit.jump_if(True, top)
    emit.fast(1)
    emit.jump_if_none(True, none)
    emit.return_const("some")
    emit.place(none)
    emit.return_const("none")
    run = function(code, emit)
    assert run(10, None) == "none"
    assert run(10**3, 5) == "some"


def test_loops_without_end_marks() -> None:
    code = Code(slots=[Slot("xs", LOCAL), Slot("total", LOCAL)])
    code.set_arguments([0])
    emit = Emitter()
    emit.prologue(code)
    top, done = emit.label(), emit.label()
    emit.const(0)
    emit.store_fast(1)
    emit.fast(0)
    emit.add("GET_ITER")
    emit.place(top)
    emit.add("FOR_ITER", None, done)
    emit.fast(1, bound=True)
    emit.add("BINARY_OP", "+=")
    emit.store_fast(1)
    emit.jump(top)
    emit.place(done)
    emit.fast(1)
    emit.return_top()
    run = function(code, emit)
    assert run(range(100)) == sum(range(100))
    assert run(x for x in range(5)) == 10
    for _ in range(100):  # so that the interpreter specialises the loop over a generator
        assert run(x for x in range(5)) == 10


def test_short_circuits_and_truth() -> None:
    code = Code(slots=[Slot("x", LOCAL)])
    code.set_arguments([0])
    emit = Emitter()
    emit.prologue(code)
    end = emit.label()
    emit.fast(0)
    emit.add("JUMP_IF_TRUE_OR_POP", None, end)
    emit.fast(0)
    emit.add("TO_BOOL")
    emit.place(end)
    emit.return_top()
    run = function(code, emit)
    assert run(5) == 5
    assert run([]) is False


def test_closures_and_cells() -> None:
    inner = Code(slots=[Slot("x", FREE)], name="inner")
    emit = Emitter()
    emit.prologue(inner)
    emit.deref(0)
    emit.return_top()
    inner.instrs = emit.instrs
    inner_code = assemble(inner)
    assert FunctionType(inner_code, {}, closure=(CellType(3),))() == 3

    outer = Code(slots=[Slot("x", CELL)])
    outer.set_arguments([0])
    emit = Emitter()
    emit.prologue(outer)
    emit.make_function(inner_code, [0])
    emit.const(9)
    emit.store_deref(0)
    emit.make_function(assemble(simple("plain")))
    emit.build_tuple(2)
    emit.return_top()
    closing, plain = function(outer, emit)(1)
    assert closing() == 9
    assert plain() == "plain"


def simple(value: object) -> Code:
    emit = Emitter()
    emit.add("RESUME", 0)
    emit.return_const(value)
    return Code(emit.instrs)


def test_attributes_globals_and_containers() -> None:
    code = Code(slots=[Slot("o", LOCAL)])
    code.set_arguments([0])
    emit = Emitter()
    emit.prologue(code)
    emit.const(4)
    emit.fast(0)
    emit.store_attr("x")
    emit.fast(0)
    emit.attr("x")
    emit.copy()
    emit.store_global("g")
    emit.load_global("g")
    emit.build_list(2)
    emit.unpack(2)
    emit.swap()
    emit.build_tuple(2)
    emit.const("key")
    emit.swap()
    emit.build_map(1)
    emit.const(0)
    emit.pop()
    emit.delete_fast(0)
    emit.return_top()
    thing = type("Thing", (), {})()
    assert function(code, emit, {})(thing) == {"key": (4, 4)}
    assert thing.x == 4
