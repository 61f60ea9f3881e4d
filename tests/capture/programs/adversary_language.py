"""Corners of the language, many in one program."""

import abc
import bisect
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import heapq
import inspect
import itertools
import math
import operator
import random
import re
import string
import sys
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


@program(graphs=1)
def closure_loop_vars(x):
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i for i in range(3)]
    hs = []
    for j in range(3):

        def h():
            return j

        hs.append(h)
    return x + sum(f() for f in fs), [g() for g in gs], [h() for h in hs], j


@program(graphs=1)
def shared_cells(x):
    n = 0

    def inc():
        nonlocal n
        n += 1
        return n

    def get():
        return n

    inc()
    inc()
    return x + get(), inc, get, inc.__closure__[0] is get.__closure__[0]


@program(graphs=1)
def cell_unbound(x):
    def f():
        return later

    try:
        f()
    except NameError as e:
        msg = str(e)
    later = 3
    return x + f(), msg


@program(graphs=1)
def nested_classes(x):
    class A:
        class B:
            v = 2

            class C:
                w = 3

        def m(self):
            return __class__.B.v

        @property
        def p(self):
            return type(self).B.C.w

    return x + A().m() + A().p, A.B.C.__qualname__


@program(graphs=1)
def private_names(x):
    class A:
        __secret = 5

        def __hid(self):
            return self.__secret

        def go(self):
            return self.__hid()

    return x + A().go(), A._A__secret, [n for n in vars(A) if "secret" in n]


@program(graphs=1)
def multiple_inheritance(x):
    class A:
        def f(self):
            return ["A"]

    class B(A):
        def f(self):
            return ["B"] + super().f()

    class C(A):
        def f(self):
            return ["C"] + super().f()

    class D(B, C):
        def f(self):
            return ["D"] + super().f()

    return x + len(D().f()), D().f(), [c.__name__ for c in D.__mro__], super(B, D()).f()


@program(graphs=1)
def bad_mro(x):
    class A:
        pass

    class B(A):
        pass

    try:

        class C(A, B):
            pass
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def class_attr_on_instance(x):
    class A:
        l = []
        n = 0

        def go(self):
            self.l.append(1)
            self.n += 1
            return self

    a, b = A().go().go(), A()
    return x + a.n + b.n + A.n, A.l, vars(a)


@program(graphs=1)
def dynamic_class(x):
    A = type("A", (), {"v": 1, "f": lambda self: self.v * 10})
    A.g = lambda self: self.v + 1
    a = A()
    a.v = 5
    del A.f
    return x + a.g(), hasattr(a, "f"), A.__name__


@program(graphs=1)
def setattr_class_special(x):
    class A:
        pass

    A.__len__ = lambda self: 4
    A.__getitem__ = lambda self, i: i
    A.__call__ = lambda self, v=1: v
    A.__bool__ = lambda self: False
    a = A()
    a.__len__ = lambda: 99
    return x + len(a), a[3], a(), bool(a)


@program(graphs=1)
def descriptor_priority(x):
    class Data:
        def __get__(self, i, o):
            return "data"

        def __set__(self, i, v):
            i.__dict__["set"] = v

    class NonData:
        def __get__(self, i, o):
            return "nondata"

    class A:
        d = Data()
        n = NonData()

    a = A()
    a.__dict__["d"] = "inst"
    a.__dict__["n"] = "inst"
    a.d = 5
    return x + 1, a.d, a.n, A.d, A.n, vars(a)


@program(graphs=1)
def property_errors(x):
    class A:
        @property
        def p(self):
            raise AttributeError("inner")

        @property
        def q(self):
            return self.missing

        def __getattr__(self, n):
            return "fallback " + n

        @functools.cached_property
        def c(self):
            return 3

    a = A()
    out = [a.p, a.q, a.c, "c" in vars(a)]

    class B:
        @property
        def r(self):
            return 1

    for act in (lambda: setattr(B(), "r", 2), lambda: delattr(B(), "r"), lambda: B().zz):
        try:
            act()
        except AttributeError as e:
            out.append(str(e))
    return x + 1, out


@program(graphs=1)
def iter_protocols(x):
    class Old:
        def __getitem__(self, i):
            if i == 3:
                raise IndexError
            return i

    class It:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.n += 1
            if self.n > 3:
                raise StopIteration(self.n)
            return self.n

    class Bad:
        def __iter__(self):
            return 5

    out = [
        list(Old()),
        list(It()),
        [*It()],
        dict(zip("abc", It())),
        sum(It()),
        max(It()),
        2 in It(),
        tuple(Old()),
        set(It()),
        sorted(Old(), reverse=True),
        list(enumerate(It())),
    ]
    a, *b = It()
    for bad in (Bad(), object(), 3):
        try:
            list(bad)
        except TypeError as e:
            out.append(str(e))
    it = It()
    out.append((next(it), next(it), next(it), next(it, "d")))
    return x + a, b, out


@program(graphs=1)
def eq_hash_consistency(x):
    class A:
        def __eq__(self, o):
            return True

    out = []
    try:
        hash(A())
    except TypeError as e:
        out.append(str(e))

    class B(A):
        __hash__ = object.__hash__

    return x + 1, out, A() == 3, A() != 3, 3 == A(), [1, A()] == [1, 2], A() in [5], [5].index(A()), B() in {B()}


@program(graphs=1)
def compare_chains(x):
    log = []

    def v(n):
        log.append(n)
        return n

    r = [v(1) < v(2) < v(3), v(3) < v(2) < v(1), v(1) == v(1) != v(2) is not None, v(5) in [v(5)] == False]
    return x + 1, r, log


@program(graphs=1)
def bool_ops(x):
    class T:
        def __init__(self, b):
            self.b = b

        def __bool__(self):
            return self.b

    t, f = T(True), T(False)
    return x + 1, (t and f) is f, (f or t) is t, not t, (0 or [] or "x"), (1 and [] and 2), t if f else 3


@program(graphs=1)
def aug_assign_targets(x):
    class A:
        pass

    a = A()
    a.v = [1]
    a.d = {"k": 1}
    alias = a.v
    a.v += [2]
    a.d["k"] += 5
    t = ([1], 2)
    try:
        t[0] += [9]
    except TypeError as e:
        msg = str(e)
    i = 0
    l = [1, 2, 3]

    def idx():
        nonlocal i
        i += 1
        return i

    l[idx()] += 10
    s = "a"
    s *= 3
    s += "b"
    b = 5
    b //= 2
    b **= 3
    b <<= 1
    b |= 1
    b ^= 2
    b %= 7
    b -= 1
    return x + b, alias, a.d, t, msg, l, i, s


@program(graphs=1)
def slices_assign(x):
    l = list(range(10))
    l[2:5] = "abc"
    l[::3] = [0, 0, 0, 0]
    del l[-3:]
    l[1:1] = [7, 7]
    l[-100:1] = []
    out = [l[:], l[::-2], l[-2:], l[10:]]
    for act in (lambda: l.__setitem__(slice(None, None, 2), [1]), lambda: l[1:2:0], lambda: l["a":]):
        try:
            act()
        except (ValueError, TypeError) as e:
            out.append(str(e))

    class S:
        def __getitem__(self, k):
            return k

    return x + len(l), out, S()[1:2, ::3, ...], S()[()], S()[1,], S()[:, None]


@program(graphs=1)
def string_formatting(x):
    class F:
        def __format__(self, spec):
            return f"<{spec}>"

        def __repr__(self):
            return "R"

    f = F()
    return (
        x + 1,
        f"{f:abc}",
        f"{f!r:>5}",
        f"{f!s}",
        "{:{}}".format(3, ">5"),
        "{0.__class__.__name__}".format(f),
        "%5s|%-5s|%05d|%x|%o|%e|%g|%c|%%" % ("a", "b", 3, 255, 8, 1.5, 1e10, "c"),
        f"{1.5:+.3f} {-1:05d} {1e6:_} {0.25:.0%} {255:#b}",
        f"{'é'!a}",
        f"{3 + 4 = }",
        "{a} {b!r}".format_map({"a": 1, "b": "x"}),
        str.format("{}", 1),
        format(3.14159, ".2f"),
        f"{x.dtype} {tuple(x.shape)}",
    )


@program(broken=None)
def str_translate_etc(x):
    return (
        x + 1,
        "abc".maketrans({"a": "1", 98: None}),
        "a,b;c".split(","),
        re.split("[,;]", "a,b;c"),
        "AbC".swapcase(),
        "x".join(["a"]),
        "%s" % [1],
        "\t".isspace(),
        "a\nb\r\nc".splitlines(True),
        "abc".ljust(5, "-"),
        "ß".upper(),
        "ǆ".title(),
        "a b".title(),
        "abcabc".rfind("c"),
        "abc".rpartition("b"),
        "  a ".strip(),
        "xxaxx".strip("x"),
        "abc" < "abd",
        "a" in "abc",
        "" in "a",
        "abc".encode("utf-16-le"),
        "abc"[5:],
        "a" * -1,
    )


@program(graphs=1)
def num_edge(x):
    out = [
        7 // -2,
        -7 // 2,
        7 % -3,
        -7 % 3,
        divmod(-7, 3),
        2**-1,
        0**0,
        1e308 * 10,
        -0.0,
        round(0.5),
        round(1.5),
        round(2.675, 2),
        int(-3.7),
        float("1e-5"),
        10**20,
        1 / 3,
        5 & 3,
        ~7,
        1 << 5,
        hash(2**61 - 1),
        int("1_000"),
        0b101,
        0o17,
        complex(1, -1) * 2,
        (1 + 2j) ** 2,
        abs(-3),
        (-8) ** (1 / 3),
        math.isclose(0.1 + 0.2, 0.3),
        sum([0.1] * 10),
        (3).__add__(4),
        (5).__rsub__(10),
        True + 1,
        int.from_bytes(b"\x01\x00", "big"),
        (1.5).__floor__(),
        (2.5).__round__(),
        float.is_integer(2.0),
        1.0 == 1,
        hash(1.0) == hash(1),
        max(1, 1.0),
        min(0, -0.0),
    ]
    return x + out[0], out


@program(graphs=1)
def unpack_errors(x):
    out = []
    for f in (
        lambda: (lambda a, b: 0)(*[1]),
        lambda: [a for a, b in [(1,)]],
        lambda: [a for a, b in [(1, 2, 3)]],
        lambda: [a for a, *b in [()]],
        lambda: (lambda: 0)(**{"a": 1}),
        lambda: (lambda a: 0)(1, a=2),
        lambda: (lambda *, a: 0)(1),
        lambda: (lambda a, /: 0)(a=1),
        lambda: dict(**{"a": 1}, **{"a": 2}),
        lambda: (lambda **k: 0)(**{1: 2}),
        lambda: print(*5),
        lambda: max(**5),
        lambda: {**5},
        lambda: [*None],
    ):
        try:
            f()
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    return x + len(out), out


@program(graphs=1)
def global_builtins_shadow(x):
    def sum(*a):
        return 42

    len = lambda *a: 7
    return x + sum([1]) + len([])


@program(graphs=1)
def exec_eval(x):
    ns = {}
    exec("def f(a):\n    return a * 2\nv = 3", ns)
    return x + ns["f"](4) + ns["v"] + eval("1 + q", {"q": 5})


@program(graphs=1)
def exec_locals(x):
    a = 5
    r = eval("a + 1")
    return x + r


@program(graphs=1)
def compile_code(x):
    c = compile("3 * z", "<s>", "eval")
    return x + eval(c, {"z": 4})


@program(graphs=1)
def deep_recursion(x):
    def f(n):
        return 0 if n == 0 else 1 + f(n - 1)

    return x + f(60)


@program(broken=None)
def infinite_recursion(x):
    def f(n):
        return f(n + 1)

    try:
        f(0)
    except RecursionError as e:
        return x + 1, str(e)[:40]


@program(graphs=1)
def mutual_recursion(x):
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    return x + even(10)


@program(graphs=1)
def ackermann_memo(x):
    memo = {}

    def fib(n):
        if n in memo:
            return memo[n]
        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
        return memo[n]

    return x + fib(20), len(memo)


@program(graphs=1)
def lambdas_default_mut(x):
    f = lambda v, acc=[]: acc.append(v) or acc
    f(1)
    return x + len(f(2)), f.__defaults__


@program(graphs=1)
def kwonly_defaults(x):
    def f(a, b=2, /, c=3, *args, d=4, e, **kw):
        return [a, b, c, args, d, e, kw]

    return (
        x + 1,
        f(1, e=5),
        f(1, 2, 3, 4, 5, e=6, z=7),
        f(*[1, 2], **{"e": 1, "d": 2}),
        inspect.signature(f).parameters["d"].default,
        f.__kwdefaults__,
        f.__code__.co_argcount,
    )


@program(graphs=1)
def decorator_stack(x):
    def deco(n):
        def w(f):
            @functools.wraps(f)
            def g(*a, **k):
                return f(*a, **k) + n

            return g

        return w

    @deco(1)
    @deco(2)
    def h(v):
        """Doc"""
        return v * 2

    class A:
        @deco(3)
        def m(self, v):
            return v

        @staticmethod
        @deco(4)
        def s(v):
            return v

        @classmethod
        @deco(5)
        def c(cls, v):
            return v

    return h(x) + A().m(1) + A.s(2) + A.c(3), h.__name__, h.__doc__, h.__wrapped__.__name__


@program(graphs=1)
def class_decorator(x):
    def add(cls):
        cls.extra = lambda self: 5
        return cls

    @add
    class A:
        pass

    @dataclasses.dataclass
    class B:
        v: int = 3

    def singleton(cls):
        return cls()

    @singleton
    class S:
        w = 2

    return x + A().extra() + B().v + S.w


@program(graphs=1)
def coroutine_run(x):
    async def a(v):
        return v + 1

    async def b():
        t = 0
        async for i in agen():
            t += i
        async with M() as m:
            t += m
        return [await a(t), [i async for i in agen()], {i: 1 async for i in agen() if i}]

    async def agen():
        yield 1
        yield 2

    class M:
        async def __aenter__(self):
            return 10

        async def __aexit__(self, *e):
            return True

    try:
        b().send(None)
    except StopIteration as s:
        return x + s.value[0], s.value


@program(graphs=1)
def star_expr_index(x):
    t = (1, 2)
    d = {(1, 2, 3): "q"}
    return x + 1, d[*t, 3], [*t, *[3]], (*t,), {*t}


@program(graphs=1)
def conditional_import(x):
    import importlib
    import math as m
    import os.path as p
    from collections import OrderedDict as OD
    from collections import deque

    j = importlib.import_module("json")
    return x + m.floor(2.5), p.basename("a/b"), OD(a=1), j.__name__


@program(graphs=1)
def del_in_loop(x):
    d = {i: i for i in range(5)}
    for k in list(d):
        if k % 2:
            del d[k]
    l = [1, 2, 3, 4]
    for v in l:
        if v == 2:
            l.remove(v)
    return x + sum(d), l


@program(graphs=1)
def try_else_finally_flow(x):
    log = []

    def f(n):
        for i in range(3):
            try:
                if n == i:
                    raise ValueError(i)
                if n == 10 + i:
                    return "r"
            except ValueError as e:
                log.append(("e", e.args[0]))
                if i == 1:
                    continue
                break
            else:
                log.append(("else", i))
            finally:
                log.append(("fin", i))
        else:
            log.append("loop else")
            return "end"
        return "broke"

    return x + 1, [f(0), f(1), f(5), f(11)], log


@program(graphs=1)
def exc_attributes(x):
    class E(Exception):
        def __init__(self, a, *, code=3):
            super().__init__(a)
            self.code = code

        def __str__(self):
            return f"E:{self.args[0]}:{self.code}"

    try:
        raise E("x", code=9)
    except E as e:
        err = e
    return x + err.code, str(err), repr(err), err.args, err.__traceback__ is not None, type(err).__mro__[1].__name__


@program(graphs=1)
def exc_context_chain(x):
    def f():
        try:
            raise KeyError("a")
        except KeyError:
            raise ValueError("b")

    try:
        f()
    except ValueError as e:
        c = e.__context__
        return x + 1, type(c).__name__, c.args, e.__cause__, e.__suppress_context__


@program(graphs=1)
def reraise_modified(x):
    try:
        try:
            raise ValueError("a")
        except ValueError as e:
            e.args += ("b",)
            e.extra = 5
            raise
    except ValueError as e2:
        return x + e2.extra, e2.args


@program(broken=None)
def oserror(x):
    try:
        open("/no/such/file/here")
    except FileNotFoundError as e:
        return x + e.errno, e.filename, type(e).__name__


@program(broken=None)
def systemexit(x):
    try:
        sys.exit(3)
    except SystemExit as e:
        return x + e.code


@program(graphs=1)
def keyboard(x):
    try:
        raise KeyboardInterrupt
    except BaseException as e:
        return x + 1, type(e).__name__
