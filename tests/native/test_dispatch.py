"""From a call to its entry: binding arguments, choosing among entries, inputs arriving in the residual, strict mode."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framelift import _core
from tests.native.guarding import Compiling, guards, node, residual


def ways(function, callback):
    """The two ways in, each with a backend of its own: the native callable, and the hook."""
    _core.reset(function.__code__)  # one code object for all functions that a line of a test makes
    callable_ = _core.Callable(function, callback, object())
    backend, wanted = object(), function.__code__

    def only_wanted(code, function, backend, args):
        return callback(code, function, backend, args) if code is wanted else None

    def hooked(*args, **kwargs):
        with _core.Scope("compile", only_wanted, backend):
            return function(*args, **kwargs)

    return {"callable": callable_, "hook": hooked}


both = pytest.mark.parametrize("way", ["callable", "hook"])


# ---- inputs ----


@both
def test_gathered_objects_arrive_in_the_residual(way):
    def f(x, *rest, flag=False, **extra):
        return x, rest, flag, extra

    code = residual(f, ("first", "second"), "return 'residual', x, rest, flag, extra, first, second")
    program = guards(
        node("local", 0, node("item", 1, out=0), checks=(("type_is", list), ("length", 2))),
        node("globals", None, node("key", "sys", out=1)),
    )
    compiling = Compiling(lambda args: (code, program, 2) if args[0] == [1, 2] else None)
    run = ways(f, compiling)[way]
    for _ in range(3):
        assert run([1, 2], 3, 4, flag=True, other=5) == ("residual", [1, 2], (3, 4), True, {"other": 5}, 2, sys)
        assert run([1, 2]) == ("residual", [1, 2], (), False, {}, 2, sys)
    assert len(compiling.asked) == 1
    assert run([1, 2, 3]) == ([1, 2, 3], (), False, {})
    assert run(5) == (5, (), False, {})
    assert [args[0] for args in compiling.asked] == [[1, 2], [1, 2, 3], 5]


@both
def test_many_inputs(way):
    def f(items):
        return sum(items)

    count = 200
    names = tuple(f"i{n}" for n in range(count))
    code = residual(f, names, f"return ({', '.join(names)})")
    program = guards(
        node("local", 0, *(node("item", n, out=n) for n in range(count)), checks=(("type_is", list), ("length", count)))
    )
    run = ways(f, Compiling(lambda args: (code, program, count)))[way]
    for shift in range(3):
        items = [object() for _ in range(count)]
        assert run(items) == tuple(items)
    assert sys.getrefcount(items[7]) == 3  # the list, the tuple that was compared is gone, the argument


@both
def test_generators_and_coroutines(way):
    def generate(x):
        yield x

    async def wait(x):
        return x

    for function, body in ((generate, "yield x\nyield got"), (wait, "return x, got")):
        code = residual(function, ("got",), body) if function is generate else async_residual(function, body)
        program = guards(node("local", 0, node("item", 0, out=0)))
        run = ways(function, Compiling(lambda args, code=code, program=program: (code, program, 1)))[way]
        for _ in range(3):
            made = run([5])
            if function is generate:
                assert made.__name__ == "generate"
                assert list(made) == [[5], 5]
            else:
                assert asyncio.run(made) == ([5], 5)


def async_residual(function, body):
    namespace = {}
    exec(f"async def wait(x):\n    {body}\n    got = None", namespace)
    return namespace["wait"].__code__


@both
def test_closures_and_cells(way):
    def make(free):
        def f(x):
            return lambda: (x, free)

        return f

    def template(free):
        def f(x):
            return lambda: ("residual", x, free, got)
            got = None

        return f

    f = make(1)
    code = template(1).__code__
    # `got` is a cell of the residual here, which is no plain local: it has no slot behind the arguments.
    with pytest.raises(ValueError, match="no local variables for 1 inputs"):
        _core.add_entry(f.__code__, code, None, guards=guards(node("local", 0, out=0)), inputs=1)

    def plain_template(free):
        def f(x):
            return (lambda: ("residual", x, free)), got  # noqa: F823
            got = None

        return f

    code = plain_template(1).__code__
    program = guards(node("closure", 0, node("cell", None, checks=(("equals", 1),), out=0)))
    compiling = Compiling(lambda args: (code, program, 1))
    run = ways(f, compiling)[way]
    for _ in range(2):
        inner, got = run("x")
        assert (inner(), got) == (("residual", "x", 1), 1)
    assert len(compiling.asked) == 1


def test_inputs_survive_the_call_that_needs_another_frame():
    """A residual too large for the rest of the data stack is called as a function."""

    def f(x, *, k):
        return x

    code = residual(f, ("got",), "return x, k, got")
    code = code.replace(co_stacksize=code.co_stacksize + 5000)
    program = guards(node("local", 0, node("item", 0, out=0)))
    run = ways(f, Compiling(lambda args: (code, program, 1)))["hook"]
    for _ in range(3):
        assert run([7], k=2) == ([7], 2, 7)


# ---- several entries ----


@both
def test_most_recently_used_first(way):
    def f(x):
        return "original"

    def make(args):
        if args[0] > 3:
            return None
        return residual(f, (), f"return {args[0]}"), guards(node("local", 0, checks=(("equals", args[0]),))), 0

    compiling = Compiling(make)
    run = ways(f, compiling)[way]
    assert [run(x) for x in (1, 2, 3, 1, 2, 3, 2, 4, 2)] == [1, 2, 3, 1, 2, 3, 2, "original", 2]
    assert len(compiling.asked) == 4
    entries = _core.entries(f.__code__)
    assert [entry.guards.failure((2,), f) for entry in entries] == [None, (0, 0), (0, 0)]
    assert [entry.hits for entry in entries] == [3, 1, 1]


@both
def test_dropped_and_dead_entries_are_not_used(way):
    def f(x):
        return "original"

    answers = iter(range(10))

    def make(args):
        return residual(f, (), f"return {next(answers)}"), guards(node("local", 0)), 0

    run = ways(f, Compiling(make))[way]
    assert [run(1), run(1)] == [0, 0]
    entry = _core.entries(f.__code__)[0]
    entry.invalidate()
    assert [run(1), run(1)] == [1, 1]
    watch = weakref.ref(entry.code)
    del entry
    gc.collect()
    assert watch() is None


def test_the_callable_keeps_no_dead_entry_after_reset():
    def f(x):
        return x

    c = _core.Callable(f, Compiling(lambda args: (residual(f, (), "return 'r'"), guards(node("local", 0)), 0)), None)
    assert c(1) == "r"
    watch = weakref.ref(_core.entries(f.__code__)[0].code)
    c.reset()
    gc.collect()
    assert watch() is None


def test_callables_of_one_code_share_its_entries():
    def make(n):
        def f(x):
            return x + n

        return f

    def template(n):
        def f(x):
            return "shared", x, n

        return f

    code = template(0).__code__
    compiling = Compiling(lambda args: (code, guards(node("local", 0, checks=(("type_is", int),))), 0))
    one, other = (_core.Callable(make(n), compiling, None) for n in (1, 2))
    assert (one(5), other(5), one(6)) == (("shared", 5, 1), ("shared", 5, 2), ("shared", 6, 1))
    assert len(compiling.asked) == 1


def test_live_defaults_and_code():
    def f(x, y=1, *, k=2):
        return x, y, k

    code = residual(f, (), "return 'residual', x, y, k")
    compiling = Compiling(
        lambda args: (code, guards(node("local", 0, checks=(("type_is", int),))), 0) if args[0] == 0 else None
    )
    c = _core.Callable(f, compiling, None)
    assert c(0) == ("residual", 0, 1, 2)
    f.__defaults__ = (10,)
    assert c(0) == ("residual", 0, 10, 2)
    f.__kwdefaults__ = {"k": 20}
    assert c(0) == ("residual", 0, 10, 20)
    f.__kwdefaults__ = None
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'k'"):
        c(0)
    f.__kwdefaults__ = {"k": 20}
    f.__code__ = (lambda x, y, *, k: "other").__code__
    assert c("text") == "other"
    f.__code__ = (lambda x: "third").__code__
    f.__defaults__ = None
    assert c("text") == "third"
    assert len(compiling.asked) == 3


@both
def test_misfit_is_reported_once_and_the_original_runs(way, monkeypatch):
    def f(x):
        return "original"

    reports = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reports.append(str(report.exc_value)))
    code, program = residual(f, (), "return 'residual'"), guards(node("local", 0, checks=(("type_is", str),)))
    run = ways(f, Compiling(lambda args: (code, program, 0)))[way]
    assert run(1) == "original"
    assert run(1) == "original"
    assert len(reports) == 1
    assert "check 0 of node 0" in reports[0]
    assert run("x") == "residual"


@both
def test_args_of_the_callback_are_the_bound_arguments(way):
    def f(a, b=2, *rest, k=3, **extra):
        return None

    asked = []
    ways(f, lambda code, function, backend, args: asked.append((code, function, args)))[way](1, k=5, z=6)
    assert asked[0] == (f.__code__, f, (1, 2, 5, (), {"z": 6}))


def test_class_bodies_and_modules_give_no_args():
    asked = []

    def callback(code, function, backend, args):
        asked.append((code.co_name, args))

    source = compile("class C:\n    x = 1", "<test>", "exec")
    with _core.Scope("compile", callback):
        exec(source, {"__name__": "m"})
    assert ("<module>", ()) in asked
    assert ("C", ()) in asked
    body = next(const for const in source.co_consts if hasattr(const, "co_code"))
    with pytest.raises(ValueError, match="takes no guards"):
        _core.add_entry(body, body.replace(), guards=guards())


def test_add_entry_refuses_what_does_not_fit():
    def f(x):
        y = 1
        return y

    one = guards(node("local", 1))
    with pytest.raises(ValueError, match=r"read 2 argument slots, .* has 1"):
        _core.add_entry(f.__code__, f.__code__.replace(), guards=one)
    with pytest.raises(ValueError, match="do not gather the 1 inputs"):
        _core.add_entry(f.__code__, f.__code__.replace(), inputs=1)
    with pytest.raises(ValueError, match="do not gather the 2 inputs"):
        _core.add_entry(f.__code__, f.__code__.replace(), guards=guards(node("local", 0, out=1)), inputs=2)
    with pytest.raises(ValueError, match="no local variables for 2 inputs"):
        program = guards(node("local", 0, out=0), node("function", None, out=1))
        _core.add_entry(f.__code__, f.__code__.replace(), guards=program, inputs=2)
    with pytest.raises(TypeError, match="guards must be Guards"):
        _core.add_entry(f.__code__, f.__code__.replace(), guards=5)
    assert _core.entries(f.__code__) == []


def test_entry_shows_its_guards():
    def f(x):
        return x

    program = guards(node("local", 0))
    assert _core.add_entry(f.__code__, f.__code__.replace(), guards=program).guards is program
    assert _core.add_entry(f.__code__, f.__code__.replace()).guards is None


# ---- strict mode ----


@pytest.fixture
def strict():
    heard = []
    _core.set_strict(lambda entry, args, function, passed: heard.append((entry, args, function, passed)))
    yield heard
    _core.set_strict(None)


@both
def test_strict_mode_hears_of_every_evaluation(strict, way):
    def f(x):
        return "original"

    def make(args):
        program = guards(node("local", 0, checks=(("equals", args[0]),), out=0))
        return residual(f, ("got",), "return got"), program, 1

    run = ways(f, Compiling(make))[way]
    assert [run(1), run(2), run(1)] == [1, 2, 1]
    assert [(args, passed) for _, args, _, passed in strict] == [
        ((1,), True),
        ((2,), False),
        ((2,), True),
        ((1,), False),
        ((1,), True),
    ]
    assert all(function is f for _, _, function, _ in strict)


@both
def test_strict_mode_may_raise(strict, way):
    def f(x):
        return "original"

    run = ways(f, Compiling(lambda args: (residual(f, (), "return 1"), guards(node("local", 0)), 0)))[way]
    assert run(1) == 1

    def refuse(entry, args, function, passed):
        raise LookupError("they differ")

    _core.set_strict(refuse)
    with pytest.raises(LookupError, match="they differ"):
        run(1)
    _core.set_strict(None)
    assert run(1) == 1


def test_set_strict_takes_a_callable():
    with pytest.raises(TypeError, match="takes a callable or None"):
        _core.set_strict(5)


# ---- binding, against CPython ----

NAMES = ("a", "b", "c", "d", "e", "f", "g")


@st.composite
def functions(draw):
    """A function with a random signature that returns its arguments."""
    kinds = draw(st.lists(st.sampled_from("posk"), max_size=5))
    posonly, normal, kwonly = (sum(kind in group for kind in kinds) for group in ("p", "os", "k"))
    names = iter(NAMES)
    positional = [next(names) for _ in range(posonly + normal)]
    defaults = draw(st.integers(0, len(positional)))
    parts = [name if i < len(positional) - defaults else f"{name}='D{name}'" for i, name in enumerate(positional)]
    if posonly:
        parts.insert(posonly, "/")
    star = draw(st.booleans())
    if star:
        parts.append("*args")
    elif kwonly:
        parts.append("*")
    only = [next(names) for _ in range(kwonly)]
    parts += [f"{name}='K{name}'" if draw(st.booleans()) else name for name in only]
    if draw(st.booleans()):
        parts.append("**kwargs")
    everything = [*positional, *only, *(["args"] if star else []), *(["kwargs"] if parts[-1:] == ["**kwargs"] else [])]
    body = f"return ({', '.join([*everything, ''])})" if everything else "return ()"
    namespace = {}
    exec(f"def f({', '.join(parts)}):\n    {body}", namespace)
    return namespace["f"]


calls = st.tuples(
    st.lists(st.integers(), max_size=6),
    st.dictionaries(st.sampled_from([*NAMES, "args", "kwargs", "x"]), st.integers()),
)


def outcome(function, args, kwargs):
    try:
        return "returned", function(*args, **kwargs)
    except TypeError as error:
        return "raised", str(error)


@settings(max_examples=1500, deadline=None)
@given(functions(), st.lists(calls, min_size=1, max_size=8))
def test_binding_is_cpythons(f, calls):
    compiling = Compiling(lambda args: (f.__code__.replace(), guards(*(node("local", i) for i in range(len(args)))), 0))
    bound = []
    compiled = _core.Callable(f, compiling, object())
    other = _core.Callable(f, lambda code, function, backend, args: bound.append(args), object())
    for args, kwargs in calls:
        expected = outcome(f, args, kwargs)
        assert outcome(compiled, args, kwargs) == expected
        del bound[:]
        outcome(other, args, kwargs)
        assert bound == ([expected[1]] if expected[0] == "returned" else [])


class Name(str):
    """A keyword that compares in a way of its own."""

    def __eq__(self, other):
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_odd_keywords_are_left_to_cpython():
    def f(a, **rest):
        return a, rest

    compiling = Compiling(lambda args: (f.__code__.replace(), guards(node("local", 0)), 0))
    c = _core.Callable(f, compiling, None)
    assert c(**{Name("a"): 1, Name("b"): 2}) == (1, {"b": 2})
    assert compiling.asked == []
    assert c(**{"ab"[:1]: 1, "b" * 2: 2}) == (1, {"bb": 2})
    assert len(compiling.asked) == 1


def test_kwargs_is_a_dict_of_the_calls_own():
    def f(**kwargs):
        return kwargs

    c = _core.Callable(f, Compiling(lambda args: (f.__code__.replace(), guards(node("local", 0)), 0)), None)
    given_ = {"a": 1}
    first, second = c(**given_), c(**given_)
    assert first == second == given_
    assert first is not second
    assert first is not given_


@both
def test_references_stay_steady(way):
    def f(x, *rest, **extra):
        return None

    code = residual(f, ("got",), "return None")
    program = guards(node("local", 0, node("item", 0, out=0), checks=(("type_is", list),)))
    run = ways(f, Compiling(lambda args: (code, program, 1)))[way]
    thing = object()
    x, more, named = [thing], object(), object()
    run(x, more, named=named)
    before = [sys.getrefcount(subject) for subject in (thing, x, more, named, program)]
    for _ in range(20_000):
        run(x, more, named=named)
        run(x)
    assert [sys.getrefcount(subject) for subject in (thing, x, more, named, program)] == before
