"""Replaced code does what the original does, whatever kind of frame it runs in and however large it is."""

from __future__ import annotations

import sys
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framelift import _core
from tests.native import programs
from tests.native.replacing import RESIZES, Replacing, deeper, hits, inflated, same, smaller, wider

PROGRAMS = {function.__name__: function for function in programs.PROGRAMS}


@pytest.mark.parametrize("resize", RESIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs_as_plain_python_does(name, resize):
    program = PROGRAMS[name]
    plain = program()
    replacing = Replacing(RESIZES[resize])
    assert replacing.run(program) == plain
    assert replacing.run(program) == plain  # from the cache
    assert program.__code__ in replacing.replaced
    ours = [entry for entry in _core.entries(program.__code__) if entry.backend is replacing]
    assert [entry.hits for entry in ours] == [1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs_in_frames_larger_than_needed(name):
    """The original is made larger, so that its replacement, which is right, leaves part of the frame unused."""
    program = PROGRAMS[name]
    large = types.FunctionType(inflated(program.__code__), program.__globals__)

    def shrink(code):
        return smaller(code) if code.co_stacksize > 290 else code.replace()

    assert Replacing(shrink).run(large) == program()


def below(depth, function):
    """Call `function` with `depth` frames of this in between."""
    return function() if depth == 0 else below(depth - 1, function)


def plain(a, b=2, *rest, c=3, **others):
    d = [a, b, c]
    return d, rest, others


def generating(a, *rest, c=3):
    for x in (a, *rest):
        yield x + c


def enclosing(a):
    b = a + 1

    def inner(c):
        nonlocal b
        b += c
        return a, b, locals()["c"]

    return inner(10), b


def raising(a):
    try:
        return [][a]
    except IndexError:
        raise KeyError(a) from None


class Body:
    def make(self, a):
        class Inner:
            x = a
            y = [a for _ in range(2)]

        return Inner.x, Inner.y


def every_kind():
    def caught():
        try:
            raising(4)
        except KeyError as error:
            return error.args, error.__traceback__.tb_next.tb_lineno

    names = {}
    exec("x = 1\ndef f(y): return x + y\nz = f(2)", names)
    return [
        plain(1),
        plain(1, 2, 3, 4, c=5, e=6),
        list(generating(1, 2, 3)),
        enclosing(5),
        caught(),
        Body().make(3),
        names["z"],
    ]


# The frames of 0 to 150 calls end everywhere in a chunk of the data stack, and in the next one.
@pytest.mark.parametrize("resize", [deeper(1), deeper(20), deeper(900), deeper(3000), wider(2), wider(60), wider(2500)])
def test_frames_grow_at_every_place_of_the_data_stack(resize):
    expected = every_kind()
    replacing = Replacing(resize)
    for depth in range(150):
        assert replacing.run(below, depth, every_kind) == expected
    assert {"below", "plain", "generating", "enclosing", "inner", "raising", "Inner"} <= set(replacing.names())


@settings(max_examples=60, deadline=None)
@given(
    depth=st.integers(0, 300),
    step=st.integers(0, 2500),
    args=st.lists(st.integers(), min_size=1, max_size=6),
    names=st.dictionaries(st.sampled_from("cdefg"), st.integers()),
)
def test_calls_of_any_shape_at_any_depth(depth, step, args, names):
    def call():
        return plain(*args, **names)

    expected = below(depth, call)
    assert Replacing(wider(step)).run(below, depth, call) == expected
    assert Replacing(deeper(step)).run(below, depth, call) == expected


def test_half_consumed_generators_outlive_the_scope():
    made = Replacing(deeper(40)).run(lambda: [generating(i, 2, 3) for i in range(3)])
    assert [next(g) for g in made] == [3, 4, 5]
    assert [list(g) for g in made] == [[5, 6]] * 3


def test_generators_begun_outside_go_on_inside():
    begun = generating(1, 2, 3)
    first = next(begun)
    assert [first, *Replacing(deeper(40)).run(list, begun)] == [4, 5, 6]


def test_generator_keeps_names_and_room_of_the_replacement():
    def letters():
        yield from "ab"

    letters.__name__, letters.__qualname__ = "renamed", "also.renamed"
    made = Replacing(wider(600)).run(letters)
    assert (made.__name__, made.__qualname__) == ("renamed", "also.renamed")
    assert made.gi_code is not letters.__code__
    assert len(made.gi_code.co_varnames) == 600
    assert list(made) == ["a", "b"]


@pytest.mark.parametrize("resize", [same, deeper(30), deeper(5000), wider(5000)])
def test_frame_is_cleared_exactly_once(resize):
    class Held:
        pass

    def holds(a, b=None, *rest, key=None, **others):
        c = a
        return sys.getrefcount(a)

    def yields(a):
        yield sys.getrefcount(a)

    def raises(a):
        raise ValueError

    held = Held()
    replacing = Replacing(resize)
    before = sys.getrefcount(held)
    with replacing.scope():
        for _ in range(50):
            holds(held, held, held, key=held, other=held)
            next(yields(held))
            try:
                raises(held)
            except ValueError:
                pass
    assert sys.getrefcount(held) == before
    assert {"holds", "yields", "raises"} <= set(replacing.names())


def test_replacement_with_other_behaviour_is_what_runs():
    def original(a, b):
        return a - b

    def other(a, b):
        total = a + b
        more = [total] * 3
        return more, locals().keys() - {"nothing"}

    _core.add_entry(original.__code__, other.__code__)
    with _core.Scope("lookup"):
        assert original(1, 2) == ([3, 3, 3], {"a", "b", "total", "more"})
    assert original(1, 2) == -1
    assert hits(original.__code__) == 1


def test_locals_of_a_replaced_function_do_not_reach_its_globals():
    namespace = {}
    exec("def f(a):\n    secret = a\n    return sorted(k for k in locals() if k in ('a', 'secret'))", namespace)
    before = set(namespace)
    for resize in (same, deeper(3000), wider(3000)):
        assert Replacing(resize).run(namespace["f"], 1) == ["a", "secret"]
        assert set(namespace) == before


def test_builtins_are_those_of_the_function():
    function = types.FunctionType((lambda x: len(x)).__code__, {"__builtins__": {"len": lambda x: "own"}})
    function.__globals__["__builtins__"] = {}
    for resize in (same, deeper(3000)):
        assert Replacing(resize).run(function, "abc") == function("abc") == "own"
