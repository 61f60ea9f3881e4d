"""Programs that use Python's ways of making and leaving frames. Each returns what it computed, to compare with itself
run under the hook. `PROGRAMS` lists them; a test runs every one with replacements of every size.
"""

# ruff: noqa: F821, PLC3002, PLR1708, PYI024 - odd on purpose
from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import gc
import importlib
import inspect
import itertools
import sys
import textwrap
import traceback
import types
import weakref

PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def outcome(function, *args, **kwargs):
    """What a call gives or raises, as something that compares equal."""
    try:
        return ("returned", function(*args, **kwargs))
    except Exception as error:
        return ("raised", type(error).__name__, str(error))


def lines_of(error):
    return [(entry.name, entry.lineno, entry.line) for entry in traceback.extract_tb(error.__traceback__)]


@program
def plain_functions():
    def nothing():
        pass

    def one(a):
        return a

    def many(a, b, c, d, e, f, g, h):
        x = a + b
        y = c * d
        return [x, y, e, (f, g), {h: a}]

    return [nothing(), one(5), many(1, 2, 3, 4, 5, 6, 7, 8), one(a=3), many(*range(8))]


@program
def argument_binding():
    def f(a, b=2, /, c=3, *rest, d, e=5, **others):
        return a, b, c, rest, d, e, sorted(others.items())

    def g(*args, **kwargs):
        args += (0,)
        kwargs["added"] = 1
        return args, kwargs

    def h(a, /, **kwargs):
        return a, kwargs

    def only(*, x, y=10):
        return x, y

    def mutable(into=[]):
        into.append(len(into))
        return list(into)

    given = {"z": 1}
    return [
        f(1, d=4),
        f(1, 2, 3, 4, 5, d=6, e=7, x=8, y=9),
        f(*range(9), **{"d": 1, "odd name": 2}),
        g(),
        g(1, 2, **given),
        given,
        h(1, a=2),
        only(x=1),
        only(y=2, x=3),
        mutable(),
        mutable(),
        outcome(f),
        outcome(f, 1),
        outcome(only),
        outcome(only, 3),
        outcome(h, a=1),
        outcome(f, 1, 2, 3, c=3, d=4),
    ]


@program
def methods():
    class Base:
        kind = "base"

        def __init__(self, x):
            self.x = x

        def value(self):
            return self.x

        @classmethod
        def made(cls, x):
            return cls(x)

        @staticmethod
        def loose(a, b=1):
            return a - b

        @property
        def twice(self):
            return self.x * 2

        def __getattr__(self, name):
            return "no " + name

        def __eq__(self, other):
            return self.x == other.x

        def __hash__(self):
            return hash(self.x)

        def __call__(self, *args, key=None):
            return args, key

    class Child(Base):
        kind = "child"

        def value(self):
            return super().value() + 1

        def explicit(self):
            return super(Child, self).value() + 2

        @classmethod
        def made(cls, x):
            made = super().made(x * 10)
            return made

    child = Child.made(4)
    bound = child.value
    return [
        child.value(),
        child.explicit(),
        bound(),
        Base.value(child),
        Child.loose(3),
        child.loose(3, b=5),
        child.twice,
        child.missing,
        child == Base(40),
        len({child, Base(40)}),
        child(1, 2, key=3),
        min([Child(3), Child(1)], key=Child.value).x,
    ]


@program
def closures():
    def counter(start):
        total = start

        def add(by=1):
            nonlocal total
            total += by
            return total

        def peek():
            return total

        return add, peek

    def deep(a):
        def middle(b):
            def inner(c):
                nonlocal a
                a += c
                return a, b, c

            return inner

        return middle

    def late():
        def reads():
            return later

        before = outcome(reads)
        later = 7
        after = reads()
        del later
        return before, after, outcome(reads)

    def parameter_cell(x, *args, y, **kwargs):
        return lambda: (x, args, y, kwargs)

    def swapped():
        x = 1

        def get():
            return x

        get.__closure__[0].cell_contents = "swapped"
        return get(), x

    add, peek = counter(10)
    inner = deep(1)(2)
    return [
        add(),
        add(5),
        peek(),
        inner(3),
        inner(4),
        late(),
        parameter_cell(1, 2, 3, y=4, z=5)(),
        swapped(),
        add.__code__.co_freevars,
    ]


@program
def recursion():
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    def tree(depth):
        return [tree(depth - 1), depth, tree(depth - 1)] if depth else None

    def ackermann(m, n):
        if m == 0:
            return n + 1
        return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))

    return [factorial(40), even(31), tree(5), ackermann(2, 4)]


@program
def lambdas():
    twice = lambda f: lambda x: f(f(x))
    fix = lambda f: (lambda x: x(x))(lambda y: f(lambda v: y(y)(v)))
    return [
        twice(twice)(lambda x: x + 3)(1),
        fix(lambda me: lambda n: 1 if n == 0 else n * me(n - 1))(6),
        sorted("hello", key=lambda c, o=ord: -o(c)),
        functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]),
        list(map(lambda *a, **k: (a, k), [1], [2])),
    ]


@program
def comprehensions():
    n = 4
    nested = [[(i, j, n) for j in range(i)] for i in range(n)]
    squares = {i: i * i for i in range(n) if i % 2}
    letters = {c for word in ("ab", "bc") for c in word}
    lazy = (x * n for x in range(n))
    first = next(lazy)
    n = 100
    functions = [lambda: i for i in range(3)]

    class Body:
        items = [1, 2, 3]
        doubled = [x * 2 for x in items]

    return [nested, squares, sorted(letters), first, list(lazy), [f() for f in functions], Body.doubled]


@program
def class_bodies():
    outer = "outer"

    class Meta(type):
        @classmethod
        def __prepare__(meta, name, bases, **kwargs):
            return collections.OrderedDict(prepared=name, **kwargs)

        def __new__(meta, name, bases, namespace, **kwargs):
            made = super().__new__(meta, name, bases, dict(namespace))
            made.order = [key for key in namespace if not key.startswith("__")]
            return made

        def __init__(cls, name, bases, namespace, **kwargs):
            super().__init__(name, bases, namespace)

    class Made(metaclass=Meta, flag=3):
        a = outer
        b = "of the class"
        locals()["b"] += "!"
        for i in range(3):
            locals()[f"generated_{i}"] = i
        del i

        def which(self):
            return __class__.__name__

        class Nested:
            c = outer
            deeper = [outer + d for d in c]

    def fails():
        class Broken:
            x = 1
            y = x / 0

        return Broken

    def generic(x):
        class Local:
            value = x

            def get(self):
                return x, self.value

        return Local

    return [
        Made.order,
        Made.a,
        Made.b,
        Made.generated_2,
        Made.prepared,
        Made.flag,
        Made().which(),
        Made.Nested.c,
        Made.Nested.deeper,
        outcome(fails),
        generic(3)().get(),
        generic(4)().get(),
    ]


@program
def module_code():
    source = textwrap.dedent(
        """
        '''doc'''
        import math
        x = [i * factor for i in range(3)]
        def f(a, b=x):
            global counter
            counter = a
            return math.floor(2.5), b
        class C:
            attribute = f(9)
        result = f(1)
        names = sorted(k for k in globals() if not k.startswith('__'))
        """
    )
    namespace = {"__name__": "made", "factor": 3}
    exec(compile(source, "made.py", "exec"), namespace)
    module = types.ModuleType("fresh")
    exec("y = __name__\ndef g(): return y, __name__", module.__dict__)
    separate = {}
    exec("a = 1\nb = a + z\ndef reads(): return z", {"z": 5}, separate)
    return [
        namespace["result"],
        namespace["names"],
        namespace["counter"],
        namespace["C"].attribute,
        namespace["__doc__"],
        module.g(),
        separate["b"],
        separate["reads"](),
        outcome(exec, "1 +", {}),
        outcome(exec, "raise ValueError('from exec')", {}),
        outcome(exec, "undefined_name", {}),
    ]


@program
def imported_modules():
    results = []
    for name in ("this_is_missing", "colorsys", "sched", "tabnanny", "quopri"):
        sys.modules.pop(name, None)
        try:
            results.append(importlib.import_module(name).__doc__)
        except ImportError as error:
            results.append(str(error))
    colorsys = importlib.import_module("colorsys")
    return [*results, colorsys.rgb_to_hsv(0.2, 0.4, 0.4), colorsys.hls_to_rgb(0.1, 0.2, 0.3)]


@program
def generators():
    log = []

    def counting(n, *rest, step=1):
        i = 0
        try:
            while i < n:
                got = yield i
                if got is not None:
                    log.append(("got", got))
                i += step
        except KeyError as error:
            log.append(("caught", str(error)))
            yield "after catching"
        finally:
            log.append("closed")
        return "result"

    def delegating(n):
        result = yield from counting(n)
        log.append(result)
        yield from "xy"

    results = [list(counting(3)), list(delegating(2)), list(itertools.islice(counting(10, step=3), 2))]
    sending = counting(5)
    results += [next(sending), sending.send("hello"), sending.throw(KeyError("thrown")), outcome(next, sending)]
    closing = counting(5)
    next(closing)
    results += [closing.close(), outcome(next, closing), outcome(closing.throw, ValueError("late"))]
    never_started = counting(3)
    results += [never_started.close(), outcome(never_started.send, None), outcome(counting(2).send, 1)]
    through = delegating(3)
    next(through)
    results += [through.send("inner"), outcome(through.throw, ValueError("through"))]
    dropped = counting(3)
    next(dropped)
    del dropped
    gc.collect()
    log.append("dropped")
    squares = (i * i for i in range(4))
    results += [next(squares), list(squares), outcome(counting), outcome(counting, 1, bad=2)]

    def itself():
        yield outcome(next, this)

    this = itself()
    results.append(list(this))

    def stops():
        yield 1
        raise StopIteration("inside")

    results.append(outcome(list, stops()))
    return results, log


@program
def generator_objects():
    def letters(word, *, times=1):
        for letter in word * times:
            yield letter

    made = letters("ab", times=2)
    states = [inspect.getgeneratorstate(made)]
    facts = [made.__name__, made.__qualname__, made.gi_running, made.gi_yieldfrom]
    next(made)
    states.append(inspect.getgeneratorstate(made))
    at = made.gi_frame.f_lineno - letters.__code__.co_firstlineno
    found = {k: v for k, v in inspect.getgeneratorlocals(made).items() if not k.startswith("extra")}
    rest = list(made)
    states.append(inspect.getgeneratorstate(made))
    reference = weakref.ref(made)
    del made
    gc.collect()
    return facts, states, at, found, rest, reference() is None


@program
def exceptions_in_generators():
    def manager(log):
        log.append("enter")
        try:
            yield 1
        except ValueError as error:
            log.append(str(error))
        finally:
            log.append("exit")

    log = []
    make = contextlib.contextmanager(manager)
    with make(log) as value:
        log.append(value)
        raise ValueError("swallowed")
    try:
        with make(log):
            raise TypeError("passes")
    except TypeError as error:
        log.append(str(error))

    @contextlib.contextmanager
    def silent():
        yield

    with silent(), silent() as nothing:
        log.append(nothing)
    return log


@program
def coroutines():
    log = []

    class Later:
        def __await__(self):
            got = yield "awaited"
            return got

    async def work(n):
        log.append(("start", n))
        await asyncio.sleep(0)
        if n == 3:
            raise ValueError(n)
        return n * 2

    async def several():
        return await asyncio.gather(*(work(n) for n in range(5)), return_exceptions=True)

    class Manager:
        async def __aenter__(self):
            log.append("aenter")
            return self

        async def __aexit__(self, *exc):
            log.append(exc[0])
            return exc[0] is KeyError

    async def managed():
        async with Manager():
            raise KeyError("swallowed")
        return "after"

    async def by_hand():
        return await Later()

    coroutine = by_hand()
    states = [inspect.getcoroutinestate(coroutine)]
    sent = [coroutine.send(None)]
    states.append(inspect.getcoroutinestate(coroutine))
    sent.append(outcome(coroutine.send, 5))
    states.append(inspect.getcoroutinestate(coroutine))
    closed = by_hand()
    closed.send(None)
    closed.close()
    never = by_hand()
    name = never.__qualname__
    never.close()

    async def cancelled():
        task = asyncio.ensure_future(asyncio.sleep(10))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return "cancelled"

    results = [str(r) for r in asyncio.run(several())]
    return results, asyncio.run(managed()), asyncio.run(cancelled()), states, sent, name, [str(x) for x in log]


@program
def async_generators():
    log = []

    async def ticking(n):
        try:
            for i in range(n):
                got = yield i
                if got:
                    log.append(got)
                await asyncio.sleep(0)
        finally:
            log.append("finally")

    async def consume():
        seen = [i async for i in ticking(3)]
        some = {i: i async for i in ticking(4) if i % 2}
        async for i in ticking(5):
            if i == 2:
                break
        by_hand = ticking(3)
        first = await by_hand.asend(None)
        second = await by_hand.asend("sent")
        await by_hand.aclose()
        thrown = ticking(2)
        await thrown.asend(None)
        try:
            await thrown.athrow(KeyError("thrown"))
        except KeyError as error:
            log.append(str(error))
        return seen, some, first, second, thrown.__qualname__

    @contextlib.asynccontextmanager
    async def managed():
        yield "inside"

    async def use():
        async with managed() as value:
            return value

    return asyncio.run(consume()), asyncio.run(use()), log


@program
def exceptions():
    def raises(x):
        y = x
        raise ValueError("deep", y)

    def middle(x):
        z = 1
        try:
            return raises(x)
        finally:
            z = 2

    def chained():
        try:
            middle(3)
        except ValueError as error:
            raise KeyError("chained") from error

    def nested():
        try:
            try:
                raise KeyError("first")
            except KeyError:
                try:
                    raise ValueError("second")
                finally:
                    1 / 0
        except ZeroDivisionError as error:
            return str(error), str(error.__context__), str(error.__context__.__context__)

    def finally_returns():
        try:
            raise ValueError
        finally:
            return "swallowed"

    def star():
        try:
            raise ExceptionGroup("group", [ValueError(1), TypeError(2), KeyError(3)])
        except* ValueError as group:
            seen = [str(e) for e in group.exceptions]
        except* (TypeError, KeyError) as group:
            seen += [str(e) for e in group.exceptions]
        return seen

    def loops():
        out = []
        for i in range(5):
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                out.append(10 // i)
            except ZeroDivisionError:
                out.append("zero")
            finally:
                out.append(i)
        else:
            out.append("else")
        return out

    def unbound():
        if not PROGRAMS:
            x = 1
        return x

    try:
        chained()
    except KeyError as error:
        seen = lines_of(error), lines_of(error.__cause__)
    return seen, nested(), finally_returns(), star(), loops(), outcome(unbound), sys.exception()


@program
def tracebacks_of_all_kinds():
    def raising():
        raise LookupError

    def from_generator():
        yield 1
        raising()

    async def from_coroutine():
        raising()

    class Raises:
        def __getattr__(self, name):
            raising()

        def __add__(self, other):
            raising()

        def __iter__(self):
            raising()

    def drive(coroutine):
        coroutine.send(None)

    def body():
        class Body:
            raising()

    attempts = [
        lambda: list(from_generator()),
        lambda: drive(from_coroutine()),
        lambda: Raises().missing,
        lambda: Raises() + 1,
        lambda: [*Raises()],
        lambda: [raising() for _ in range(1)],
        lambda: list(map(lambda x: raising(), [1])),
        lambda: sorted([1, 2], key=lambda x: raising()),
        body,
        lambda: exec("def f():\n\n    raise LookupError\n\nf()", {}),
    ]
    seen = []
    for attempt in attempts:
        try:
            attempt()
        except LookupError as error:
            seen.append(lines_of(error))
    return seen


@program
def columns_of_tracebacks():
    def fails(a, b):
        return (a + 1) * (a + b.missing + 3)

    try:
        fails(1, 2)
    except AttributeError as error:
        return "".join(traceback.format_tb(error.__traceback__))


@program
def frames():
    def who():
        frame = sys._getframe()
        return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, frame.f_back.f_code.co_name

    def above(n):
        return sys._getframe(n).f_code.co_name

    def calls_above():
        return above(0), above(1), above(2)

    def stack():
        return [(info.function, info.lineno) for info in inspect.stack()[:2]]

    def current(x):
        frame = inspect.currentframe()
        arguments = inspect.getargvalues(frame)
        return arguments.args, arguments.varargs, arguments.locals["x"], frame.f_globals is globals()

    def kept(x):
        y = x * 2
        return sys._getframe()

    def identities():
        return sys._getframe() is sys._getframe(), sys._getframe().f_back is sys._getframe(1)

    def walk():
        names = []
        frame = sys._getframe()
        while frame is not None and frame.f_code.co_name != "frames":
            names.append(frame.f_code.co_name)
            frame = frame.f_back
        return names

    frame = kept(4)
    values = frame.f_locals["x"], frame.f_locals["y"], frame.f_code.co_name
    frame.clear()
    return who(), calls_above(), stack(), current(3), values, identities(), (lambda: walk())()


@program
def supers():
    class A:
        def who(self):
            return ["A"]

        def __init_subclass__(cls, **kwargs):
            super().__init_subclass__()
            cls.extra = kwargs

    class B(A):
        def who(self):
            return ["B", *super().who()]

    class C(A):
        def who(self):
            return ["C", *super().who()]

    class D(B, C, tag=1):
        def who(self):
            make = lambda: super(D, self).who()
            return ["D", *make()]

        def comprehended(self):
            return [super(D, self).who() for _ in range(1)]

        def broken(self):
            self = 3
            return super().who()

        @staticmethod
        def without():
            return super().who()

    return D().who(), D.extra, D().comprehended(), outcome(D().broken), outcome(D.without)


@program
def local_names():
    def plain(a, b=2):
        c = a + b
        found = locals()
        found["c"] = "changed"
        return sorted((k, v) for k, v in found.items() if k in "abc"), c

    def with_cells(a):
        b = 1

        def inner():
            return a, b

        return sorted((k, v) for k, v in locals().items() if k in "ab"), inner()

    def directory(x):
        y = 1
        return [name for name in dir() if not name.startswith("extra")], [v for v in vars() if v in "xy"]

    class Body:
        a = 1
        names = [name for name in locals() if not name.startswith("_")]

    before = sorted(name for name in globals() if not name.startswith("__"))
    results = plain(1), with_cells(5), directory(3), Body.names
    return results, before == sorted(name for name in globals() if not name.startswith("__"))


@program
def exec_and_eval():
    def evaluates(a, b):
        return eval("a + b"), eval("[a for _ in range(b)]", {"a": a, "b": b}), eval("c", {}, {"c": 9})

    def executes(x):
        namespace = {}
        exec("y = x * 2\ndef f(z): return z + y", {"x": x}, namespace)
        return namespace["y"]

    def defines():
        scope = {}
        exec("def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)", scope)
        return scope["f"](12)

    def sees_local(q):
        return eval("(lambda: 5)()") + q, outcome(eval, "nothing_here")

    return evaluates(1, 2), executes(4), defines(), sees_local(1)


@program
def other_builtins():
    builtins_of_its_own = {"__builtins__": {"len": lambda x: "replaced"}, "value": [1]}
    function = types.FunctionType((lambda: len(value)).__code__, builtins_of_its_own)
    made = types.FunctionType(module_level.__code__, {"offset": 100, "__builtins__": __builtins__}, "made", (7,))
    return function(), made(), made(1), made.__name__


offset = 5


def module_level(x):
    return x + offset


@program
def descriptors_and_operators():
    class Number:
        def __init__(self, n):
            self.n = n

        def __add__(self, other):
            return Number(self.n + other.n)

        def __getitem__(self, i):
            return self.n * i

        def __len__(self):
            return self.n

        def __contains__(self, x):
            return x == self.n

        def __enter__(self):
            return self.n

        def __exit__(self, *exc):
            self.left = exc[0]
            return True

        def __bool__(self):
            return self.n > 1

        def __lt__(self, other):
            return self.n < other.n

        def __iter__(self):
            return iter(range(self.n))

        def __set_name__(self, owner, name):
            self.named = name

        def __get__(self, instance, owner):
            return self

        def __del__(self):
            deleted.append(self.n)

    deleted = []
    a, b = Number(2), Number(3)

    class Owner:
        field = Number(4)

    with a as entered:
        raise ValueError("swallowed")
    result = [
        (a + b).n,
        a[5],
        len(b),
        3 in b,
        entered,
        a.left,
        bool(a),
        min(b, a).n,
        list(b),
        Owner().field.named,
        [*a, *b],
        {**dict(zip(a, b))},
    ]
    del a
    gc.collect()
    return result, list(deleted)


@program
def pattern_matching():
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x, y):
            self.x, self.y = x, y

    def describe(subject):
        match subject:
            case 0 | 1:
                return "small"
            case [first, *rest] if rest:
                return first, rest
            case {"key": value, **others}:
                return value, others
            case Point(0, y=y):
                return "on axis", y
            case Point(x, y):
                return x, y
            case str() as text:
                return text.upper()
            case _:
                return None

    return [describe(s) for s in (1, [1, 2, 3], [1], {"key": 2, "a": 3}, Point(0, 4), Point(1, 2), "abc", 3.5)]


@program
def library_code():
    Pair = collections.namedtuple("Pair", "left right")
    signature = inspect.signature(module_level)
    parsed = __import__("json").loads('{"a": [1, 2.5, null, {"b": "c"}]}')
    pattern = __import__("re").sub(r"(\w)(\d)", lambda m: m[2] + m[1], "a1 b2 c3")
    cached = functools.lru_cache(maxsize=None)(lambda n: n if n < 2 else cached(n - 1) + cached(n - 2))
    wrapped = textwrap.fill("the quick brown fox " * 5, 30)
    return Pair(1, right=2), str(signature), parsed, pattern, cached(30), cached.cache_info().hits, wrapped
