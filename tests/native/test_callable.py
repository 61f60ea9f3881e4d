"""What `framelift.compile` returns looks and behaves like the function it was given."""

from __future__ import annotations

import abc
import asyncio
import copy
import functools
import gc
import inspect
import pickle
import pydoc
import sys
import threading
import typing
import weakref

import pytest

import framelift
from framelift import _core
from framelift.runtime import identity


def plain(a: int, b: str = "b", *rest: float, c: bool = True, **others: object) -> dict[str, object]:
    """What it got."""
    return {"a": a, "b": b, "rest": rest, "c": c, "others": others}


@framelift.compile
def decorated(a, b=2):
    """Decorated at module level."""
    return a * b


@framelift.compile(backend="eager", fullgraph=True)
def decorated_with_options(a, b=3):
    return a * b


class Holder:
    @framelift.compile
    def method(self, x):
        """A method."""
        return self, x

    @staticmethod
    @framelift.compile
    def static(x, y=1):
        return x, y

    @classmethod
    @framelift.compile
    def klass(cls, x):
        return cls, x

    @property
    @framelift.compile
    def prop(self):
        return "property"

    @functools.cached_property
    @framelift.compile
    def cached(self):
        return object()

    @framelift.compile
    def recursive(self, n):
        return 0 if n == 0 else 1 + self.recursive(n - 1)

    @framelift.compile
    def __call__(self, *args, **kwargs):
        return args, kwargs

    @framelift.compile
    def __getitem__(self, key):
        return key

    @framelift.compile
    def __enter__(self):
        return "entered"

    @framelift.compile
    def __exit__(self, *exc):
        return True


compiled = framelift.compile(plain)


def identity_of(function):
    """The native callable without capture, whose replacement is known to be the function's own code, rewritten."""
    return functools.update_wrapper(_core.Callable(function, identity.entry_for, None), function)


def outcome(function, /, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)


def test_it_runs_the_replacement():
    def f():
        return sys._getframe().f_code

    g = identity_of(f)
    first = g()
    assert first is not f.__code__
    assert g() is first
    (entry,) = _core.entries(f.__code__)
    assert first.co_code == entry.code.co_code  # or its direct variant, which takes more parameters
    assert f() is f.__code__


@pytest.mark.parametrize(
    "name", ["__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__code__", "__defaults__"]
)
def test_attributes_are_the_functions(name):
    assert getattr(compiled, name) == getattr(plain, name)


def test_other_attributes():
    assert compiled.__wrapped__ is plain
    assert compiled.__globals__ is plain.__globals__
    assert compiled.__kwdefaults__ == {"c": True}
    assert compiled.__closure__ is None
    assert inspect.unwrap(compiled) is plain
    assert inspect.signature(compiled) == inspect.signature(plain)
    assert inspect.getfullargspec(compiled) == inspect.getfullargspec(plain)
    assert typing.get_type_hints(compiled) == typing.get_type_hints(plain)
    assert inspect.getsource(compiled) == inspect.getsource(plain)
    assert inspect.getdoc(compiled) == "What it got."
    assert inspect.getmodule(compiled) is inspect.getmodule(plain)
    assert repr(compiled) == f"<framelift.compile of {plain!r}>"
    with pytest.raises(AttributeError):
        compiled.nothing


def test_attributes_of_its_own():
    def f():
        pass

    f.mark = [1]
    g = framelift.compile(f)
    assert g.mark is f.mark
    g.other = 2
    assert not hasattr(f, "other")
    del g.other
    assert not hasattr(g, "other")
    g.__name__ = "renamed"
    assert (g.__name__, f.__name__) == ("renamed", "f")
    g.__dict__ = {"all": "new"}
    assert g.all == "new"
    assert g() is None


@pytest.mark.parametrize("question", [callable, inspect.isroutine])
def test_what_inspect_says(question):
    assert question(compiled) == question(plain) is True


async def coroutine():
    return 1


def generator():
    yield 1


async def async_generator():
    yield 1


@pytest.mark.parametrize("function", [plain, coroutine, generator, async_generator])
@pytest.mark.parametrize(
    "question",
    [
        inspect.iscoroutinefunction,
        inspect.isgeneratorfunction,
        inspect.isasyncgenfunction,
        asyncio.iscoroutinefunction,
        inspect.isabstract,
        inspect.isclass,
        inspect.isbuiltin,
        inspect.isgenerator,
    ],
)
def test_kinds_of_functions(function, question):
    assert question(framelift.compile(function)) == question(function)

    class Owner:
        plainly = function
        compiled = framelift.compile(function)

    assert question(Owner().compiled) == question(Owner().plainly)


def test_coroutines_and_generators_run():
    assert asyncio.run(framelift.compile(coroutine)()) == 1
    assert list(framelift.compile(generator)()) == [1]

    async def collect():
        return [x async for x in framelift.compile(async_generator)()]

    assert asyncio.run(collect()) == [1]
    made = framelift.compile(generator)()
    assert (made.__name__, made.__qualname__) == ("generator", "generator")


def test_weak_references():
    def f():
        pass

    g = framelift.compile(f)
    g()
    reference = weakref.ref(g)
    dying = []
    weakref.finalize(g, dying.append, 1)
    assert reference() is g
    table = weakref.WeakKeyDictionary({g: 1})
    del g
    gc.collect()
    assert (reference(), dying, len(table)) == (None, [1], 0)


def test_pickled_by_name_as_functions_are():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(decorated, protocol)) is decorated
        assert pickle.loads(pickle.dumps(Holder.method, protocol)) is Holder.method
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(compiled)  # the module's name `plain` is the function, not this

    def local():
        pass

    with pytest.raises((pickle.PicklingError, AttributeError), match="local"):
        pickle.dumps(framelift.compile(local))


def test_copied_as_functions_are():
    assert copy.copy(compiled) is compiled
    assert copy.deepcopy(compiled) is compiled
    assert copy.deepcopy([compiled, compiled])[1] is compiled


def test_binding():
    holder = Holder()
    assert holder.method(1) == (holder, 1)
    assert Holder.method(holder, 1) == (holder, 1)
    bound = holder.method
    assert bound(2) == (holder, 2)
    assert bound == holder.method
    assert (bound.__self__, bound.__func__) == (holder, Holder.__dict__["method"])
    assert inspect.ismethod(bound)
    assert bound.__doc__ == "A method."
    assert str(inspect.signature(bound)) == "(x)"
    assert Holder.method.__qualname__ == "Holder.method"
    assert Holder.__dict__["method"].__get__(None, Holder) is Holder.method
    assert [holder.method(i)[1] for i in range(100)] == list(range(100))
    assert Holder.static(1) == holder.static(1) == (1, 1)
    assert Holder.klass(1) == holder.klass(1) == (Holder, 1)
    assert holder.prop == "property"
    assert holder.cached is holder.cached
    assert holder.recursive(50) == 50
    assert holder(1, a=2) == ((1,), {"a": 2})
    assert holder["key"] == "key"
    with holder as entered:
        raise ValueError(entered)
    assert functools.partial(holder.method, 3)() == (holder, 3)
    assert list(map(holder.method, [1])) == [(holder, 1)]


@pytest.mark.parametrize("compiling", [identity_of, framelift.compile])
def test_inheritance_and_super(compiling):
    class Base:
        @compiling
        def who(self):
            return ["base"]

        @compiling
        @abc.abstractmethod
        def abstract(self):
            pass

    class Child(Base):
        @compiling
        def who(self):
            return ["child", *super().who()]

    assert Child().who() == ["child", "base"]
    assert Base.abstract.__isabstractmethod__


def test_slots_and_instance_attributes():
    holder = Holder()
    holder.own = compiled
    assert holder.own(1) == plain(1)  # no self


def test_wraps_on_top_and_below():
    @functools.wraps(compiled)
    def outer(*args, **kwargs):
        return compiled(*args, **kwargs)

    assert (outer.__name__, outer.__doc__, outer.__wrapped__) == ("plain", "What it got.", compiled)
    assert inspect.signature(outer) == inspect.signature(plain)
    again = framelift.compile(outer)
    assert again(1) == plain(1)
    assert inspect.unwrap(again) is plain
    cached = functools.lru_cache(framelift.compile(lambda x: [x]))
    assert cached(1) is cached(1)
    single = functools.singledispatch(framelift.compile(lambda x: "default"))
    single.register(int, framelift.compile(lambda x: "int"))
    assert (single(1), single("")) == ("int", "default")


def test_help():
    assert (
        pydoc.render_doc(compiled, renderer=pydoc.plaintext).splitlines()[2:]
        == (pydoc.render_doc(plain, renderer=pydoc.plaintext).splitlines()[2:])
    )
    assert "method(self, x)" in pydoc.render_doc(Holder, renderer=pydoc.plaintext)
    assert "static(x, y=1)" in pydoc.render_doc(Holder, renderer=pydoc.plaintext)


CALLS = [
    ((), {}),
    ((1,), {}),
    ((1, "x", 2.0, 3.0), {"c": False, "d": 4}),
    ((), {"a": 1}),
    ((), {"b": 1}),
    ((1,), {"a": 2}),
    ((1, 2), {"b": 2}),
    ((1,), {"self": 3, "function": 4}),
]


@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_calls_and_their_errors_are_the_same(args, kwargs):
    assert outcome(compiled, *args, **kwargs) == outcome(plain, *args, **kwargs)


@pytest.mark.parametrize(
    "function",
    [
        lambda: 1,
        lambda a: a,
        lambda a, b: (a, b),
        lambda a, b=2: (a, b),
        lambda a, /, b=3: (a, b),
        lambda *, k: k,
        lambda a, *, k=1: (a, k),
        lambda *args: args,
        lambda **kwargs: kwargs,
        lambda a, *args, k, **kwargs: (a, args, k, kwargs),
    ],
)
def test_arguments_of_every_kind(function):
    compiled = framelift.compile(function)
    for _ in range(2):
        for count in range(4):
            for kwargs in ({}, {"k": 5}, {"b": 6}, {"a": 7}, {"k": 8, "z": 9}):
                args = tuple(range(count))
                assert outcome(compiled, *args, **kwargs) == outcome(function, *args, **kwargs)


def test_names_that_run_code_when_compared():
    class Name(str):
        def __eq__(self, other):
            framelift_callable.reset()
            gc.collect()
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    framelift_callable = framelift.compile(lambda a, b=1: (a, b))
    for _ in range(3):
        assert framelift_callable(**{Name("a"): 3, Name("b"): 4}) == (3, 4)


def test_assigned_defaults_are_honoured():
    def f(a=1, *, b=2):
        return a, b

    g = framelift.compile(f)
    seen = [g(), g()]
    f.__defaults__ = (10,)
    seen.append(g())
    f.__kwdefaults__ = {"b": 20}
    seen.append(g())
    f.__kwdefaults__["b"] = 30
    seen.append(g())
    g.__defaults__ = (40,)
    seen += [g(), f()]
    f.__defaults__ = None
    seen.append(outcome(g))
    f.__kwdefaults__ = None
    seen.append(outcome(g, 1))
    assert seen == [
        (1, 2),
        (1, 2),
        (10, 2),
        (10, 20),
        (10, 30),
        (40, 30),
        (40, 30),
        (TypeError, seen[7][1]),
        (TypeError, seen[8][1]),
    ]
    assert "missing 1 required positional argument: 'a'" in seen[7][1]
    assert "missing 1 required keyword-only argument: 'b'" in seen[8][1]


def test_assigned_code_is_honoured():
    def f():
        return "first"

    def other():
        return "other"

    g = framelift.compile(f)
    assert g() == "first"
    f.__code__ = other.__code__
    assert g() == "other"
    g.__code__ = (lambda: "third").__code__
    assert (g(), f()) == ("third", "third")


def test_code_assigned_at_an_address_used_before():
    """The old code dies, and a new one may get its address: what was compiled for the old one must not run."""
    namespace = {}
    exec("def f(): return -1", namespace)
    f = namespace.pop("f")
    g = framelift.compile(f)
    for i in range(200):
        namespace = {}
        exec(f"def f(): return {i}", namespace)
        f.__code__ = namespace.pop("f").__code__
        if i % 3 == 0:
            assert g() == i
        del namespace
    assert g() == 199


def test_globals_and_cells_are_live():
    namespace = {"x": 1}
    exec("def f(): return x", namespace)
    g = framelift.compile(namespace["f"])
    assert g() == 1
    namespace["x"] = 2
    assert g() == 2
    y = 1

    def h():
        nonlocal y
        y += 1
        return y

    k = framelift.compile(h)
    assert [k(), h(), k(), y] == [2, 3, 4, 4]
    k.__closure__[0].cell_contents = 10
    assert k() == 11


def test_recursion_through_the_compiled_name():
    @framelift.compile
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    assert factorial(100) == factorial.__wrapped__(100)

    @framelift.compile
    def forever(n):
        return forever(n + 1)

    for _ in range(2):
        with pytest.raises(RecursionError):
            forever(0)
    assert factorial(5) == 120


def test_tracebacks_name_the_function_once():
    def f(x):
        y = x
        return y.missing

    g = identity_of(f)

    def lines(function):
        try:
            function(1)
        except AttributeError as error:
            found = []
            tb = error.__traceback__.tb_next
            while tb is not None:
                found.append((tb.tb_frame.f_code.co_name, tb.tb_lineno, list(tb.tb_frame.f_code.co_positions())))
                tb = tb.tb_next
            return found

    assert lines(g) == lines(f)
    assert [name for name, _, _ in lines(g)] == ["f"]


def test_reset_and_compile_again():
    def f():
        return sys._getframe().f_code

    g = framelift.compile(f, backend="eager")
    other = framelift.compile(f, backend="aot_eager")
    codes = [g(), other()]
    assert len(_core.entries(f.__code__)) == 2
    g.reset()
    (left,) = _core.entries(f.__code__)
    assert left.backend.backend == "aot_eager"
    assert all(g() is not code for code in codes)
    assert other() is codes[1]
    g.reset()
    g.reset()
    assert g() is not f.__code__


def test_entry_that_dies_is_compiled_again():
    def f():
        return sys._getframe().f_code

    g = framelift.compile(f)
    first = g()
    _core.entries(f.__code__)[0].invalidate()
    second = g()
    assert second is not first
    _core.reset(f.__code__)
    third = g()
    assert third is not first and third is not second


def test_skipped_code_runs_as_it_is():
    def f():
        return sys._getframe().f_code

    g = framelift.compile(f)
    _core.set_actions(f.__code__, here="skip")
    assert g() is f.__code__
    _core.set_actions(f.__code__, here="lookup")
    assert g() is f.__code__
    assert _core.entries(f.__code__) == []
    _core.set_actions(f.__code__, here="default")
    assert g() is not f.__code__


def test_action_below_holds_for_what_the_compiled_function_calls():
    def f():
        return g()

    def g():
        return 1

    asked = []
    h = framelift.compile(f)
    h()
    _core.set_actions(f.__code__, below="skip")
    with _core.Scope("compile", lambda code, function, backend, args: asked.append(code.co_name)):
        assert h() == 1
    assert asked == []
    _core.set_actions(f.__code__, below="default")
    with _core.Scope("compile", lambda code, function, backend, args: asked.append(code.co_name)):
        assert h() == 1
    assert asked == ["g"]


def test_callback_that_fails(monkeypatch):
    reports = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reports.append(report.exc_value))

    def f(x):
        return x

    def fails(code, function, backend, args):
        raise error

    error = ValueError("broken")
    g = _core.Callable(f, fails, None)
    assert [g(i) for i in range(3)] == [0, 1, 2]
    assert reports == [error]
    _core.reset(f.__code__)
    error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        g(1)
    error = RecursionError()
    assert g(5) == 5
    assert reports == [reports[0]]


def test_callback_that_calls_the_callable():
    def f(x):
        return x

    def callback(code, function, backend, args):
        asked.append(code)
        if len(asked) == 1:
            inside.append(g(7))
        return _core.add_entry(code, code.replace(), backend)

    asked, inside = [], []
    g = _core.Callable(f, callback, None)
    assert (g(1), inside) == (1, [7])
    assert g(2) == 2


def test_arguments_of_the_native_type():
    for arguments in [(), (3, print, None), (len, print, None), (plain,)]:
        with pytest.raises(TypeError):
            _core.Callable(*arguments)
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (_core.Callable,), {})


def test_hits_are_counted():
    def f():
        return 1

    g = framelift.compile(f)
    for _ in range(10):
        g()
    (entry,) = _core.entries(f.__code__)
    assert entry.hits == 9  # the first call compiled


def test_threads_share_it():
    total = framelift.compile(lambda n: sum(range(n)))
    results = []

    def run():
        results.append([total(i % 50) for i in range(2000)])

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [sum(range(i % 50)) for i in range(2000)]
    assert results == [expected] * 8


def test_cyclic_garbage_is_collected():
    class Thing:
        pass

    def make():
        thing = Thing()

        def f():
            return g, thing

        g = framelift.compile(f)
        g.itself = g
        g.backend = lambda: g
        g()
        return weakref.ref(g), weakref.ref(thing), weakref.ref(f)

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * 3


def test_cyclic_garbage_called_by_a_finalizer():
    log = []

    class Thing:
        def __del__(self):
            log.append(self.function(3))

    def make():
        thing = Thing()
        thing.function = framelift.compile(lambda x: (x, thing is not None))
        thing.function(1)

    make()
    gc.collect()
    assert log == [(3, True)]


def test_reference_counts_are_steady():
    class Argument:
        pass

    def f(a, b=None, *, c=None):
        return a

    g = framelift.compile(f)
    argument = Argument()
    g(argument)
    watched = [argument, f, f.__code__, g, _core.entries(f.__code__)[0]]
    before = [sys.getrefcount(x) for x in watched]
    for _ in range(1000):
        g(argument)
        g(argument, argument)
        g(a=argument, c=argument)
        outcome(g)
    assert [sys.getrefcount(x) for x in watched] == before


class CallableObject:
    def __call__(self, x, *, y=1):
        return x, y

    async def method(self, x):
        return x

    def plain_method(self, x):
        return self, x


@pytest.mark.parametrize(
    "target",
    [
        len,
        [1, 2].count,
        str.upper,
        functools.partial(plain, 1, c=False),
        CallableObject().plain_method,
        CallableObject(),
        CallableObject,
        int,
        dict.fromkeys,
        "{}".format,
    ],
)
def test_other_callables(target):
    compiled = framelift.compile(target)
    for args in [(), ("12",), ("a", "b"), (1,)]:
        mine, theirs = outcome(compiled, *args), outcome(target, *args)
        if isinstance(theirs, CallableObject):
            mine, theirs = type(mine), type(theirs)
        assert mine == theirs
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if hasattr(target, name):
            assert getattr(compiled, name) == getattr(target, name)
    assert compiled.__wrapped__ is target or compiled.__wrapped__ == getattr(target, "__func__", None)


def test_bound_methods_stay_bound_methods():
    holder = CallableObject()
    compiled = framelift.compile(holder.plain_method)
    assert compiled(1) == (holder, 1)
    assert compiled.__self__ is holder
    assert inspect.ismethod(compiled)
    assert str(inspect.signature(compiled)) == "(x)"
    assert len(_core.entries(CallableObject.plain_method.__code__)) >= 1
    asynchronous = framelift.compile(holder.method)
    assert inspect.iscoroutinefunction(asynchronous)
    assert asyncio.run(asynchronous(3)) == 3


def test_partials_of_coroutine_functions():
    target = functools.partial(coroutine)
    compiled = framelift.compile(target)
    assert asyncio.run(compiled()) == 1


def test_decorators_with_and_without_arguments():
    assert (decorated(2), decorated_with_options(2)) == (4, 6)
    assert (decorated.__name__, decorated.__doc__) == ("decorated", "Decorated at module level.")
    assert type(decorated) is type(decorated_with_options) is _core.Callable
