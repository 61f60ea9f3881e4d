"""What is evaluated, called and cleaned up when; odd iterables, numbers and exceptions from everywhere."""

import abc
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import inspect
import itertools
import math
import operator
import string
import sys
import types
import typing
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def logger():
    log = []

    def say(what, value=None):
        log.append(what)
        return what if value is None else value

    return log, say


@program
def order_of_evaluation(x):
    log, s = logger()

    def f(*a, **k):
        log.append(("f", a, sorted(k)))
        return 1

    f(s("a"), *s("b"), k=s("k"), **{s("z"): s("zz")})
    d = {s("k1"): s("v1"), s("k2"): s("v2"), **{s("k3"): s("v3")}}
    l = [0, 0, 0]
    l[s("i", 1)] = s("value", 5)
    l[s("j", 2)] += s("add", 7)
    s("o1", 1) < s("o2", 2) < s("o3", 0) < s("never", 9)
    (s("p"), s("q"))[s("idx", 0)]
    t = s("true", 1) and s("and", 0) or s("or", 3)
    u = s("then") if s("cond", 1) else s("else")
    f"{s('f1')}{s('f2'):{s('w', '>3')}}"
    i = 0
    i, l[i] = 2, s("swap", 8)

    def g(a=s("da"), *, b=s("kb")) -> s("ann"):
        return a

    @s("dec1", lambda fn: fn)
    @s("dec2", lambda fn: fn)
    def h():
        pass

    class C(s("base", object), metaclass=s("meta", type)):
        s("body")
        x: s("annotation") = s("attr")

    lambda q=s("ld"): q
    try:
        s("lhs", [])[s("bad", 3)] = s("rhs")
    except IndexError:
        log.append("ie")
    del l[s("del", 0)], d[s("k1")]
    assert s("assert", 1), s("message")
    [s(("c", a, b), 1) for a in s("it1", [1, 2]) if s(("if", a), 1) for b in s(("it2", a), [3])]
    s("m", x).add(s("n", 1), alpha=s("alpha", 2))
    return x + len(log), log, l, d, t, u


@program
def order_of_class_creation(x):
    log = []

    class Meta(type):
        @classmethod
        def __prepare__(m, n, b, **k):
            log.append(("prepare", n, k))
            return {}

        def __new__(m, n, b, ns, **k):
            log.append(("new", n, sorted(k)))
            return super().__new__(m, n, b, ns)

        def __init__(c, n, b, ns, **k):
            log.append(("init", n))
            super().__init__(n, b, ns)

        def __call__(c, *a):
            log.append(("call", a))
            return super().__call__(*a)

    class D:
        def __set_name__(self, o, n):
            log.append(("set_name", o.__name__, n))

    class B(metaclass=Meta):
        def __init_subclass__(c, **k):
            log.append(("init_subclass", c.__name__, k))

        def __new__(c, *a):
            log.append(("obj new", a))
            return super().__new__(c)

        def __init__(self, *a):
            log.append(("obj init", a))

    class E(B, k=1):
        d1 = D()
        log.append("body")
        d2 = D()

    E(3)
    return x + len(log), log


@program(broken="dropped inside of a try or with")
def order_of_cleanup(x):
    log = []

    class M:
        def __init__(self, n, swallow=False):
            self.n, self.swallow = n, swallow

        def __enter__(self):
            log.append(("in", self.n))
            return self

        def __exit__(self, t, v, tb):
            log.append(("out", self.n, t and t.__name__))
            return self.swallow

    def g(n):
        try:
            with M(n):
                yield n
                yield n + 1
        finally:
            log.append(("gen fin", n))

    def f(k):
        for a in g(1):
            for b in g(10):
                with M("x"), M("y", swallow=k == 3) as y:
                    if k == 0:
                        return "r"
                    if k == 1:
                        break
                    if k == 2:
                        continue
                    if k == 3:
                        raise KeyError
                log.append("after")
            else:
                log.append("else")
        return "end"

    out = [f(k) for k in range(4)]
    h = g(100)
    next(h)
    del h
    log.append("deleted")
    it = g(200)
    next(it)
    it = None
    log.append("rebound")
    return x + len(log), out, log


@program(X, [1, 2, 3])
def self_modification(x, l):
    l.extend(l)
    l[1:3] = l
    l += l[:1]
    l[len(l) :] = (v for v in l[:2])
    m = [1, 2, 3, 4]
    for i in m:
        if i % 2:
            m.remove(i)
    n = [1, 2, 3]
    for i in n:
        if len(n) < 6:
            n.append(i * 10)
    o = [3, 1, 2]
    o[:] = sorted(o)
    p = [[0] * 2] * 2
    p[0][0] = 5
    q = [1, 2, 3, 4, 5]
    q[::2] = "abc"
    del q[1:4:2]
    r = [1]
    r.insert(-10, 0)
    r.insert(10, 2)
    d = {"a": 1}
    d.update(d, b=d.setdefault("c", 3))
    s = {1, 2}
    s.update(s, {3})
    s -= s
    return x + len(l), l, m, n, o, p, p[0] is p[1], q, r, d, s, l.count(1), [*l, *l][-1]


@program
def odd_iterables(x):
    class Seq:
        def __getitem__(self, i):
            if i > 3:
                raise IndexError
            return i * 2

    class Bad:
        def __iter__(self):
            return 5

    class LenRev:
        def __len__(self):
            return 3

        def __getitem__(self, i):
            return i

    out = [
        list(Seq()),
        4 in Seq(),
        list(reversed(LenRev())),
        tuple(Seq()),
        max(Seq()),
        sum(Seq()),
        dict(enumerate(Seq())),
        [*Seq()],
        list(zip(Seq(), LenRev()))[:2],
        sorted(Seq(), reverse=True),
    ]
    a, b, *c = Seq()
    n = iter([1, 2, 3, 0, 9])
    out += [a, b, c, list(iter(lambda: next(n), 0)), next(n)]
    for bad in (
        lambda: list(Bad()),
        lambda: iter(3),
        lambda: [*5],
        lambda: dict([1]),
        lambda: dict([(1, 2, 3)]),
        lambda: set([[]]),
        lambda: list(zip([1], [1, 2], strict=True)),
        lambda: max([]),
        lambda: sum(["a"]),
        lambda: next(iter([])),
        lambda: reversed({1}),
        lambda: sorted([1, "a"]),
        lambda: "".join([1]),
        lambda: tuple(None),
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append((type(e).__name__, str(e), e.args))
    return x + len(out), out


@program
def numbers_of_odd_kinds(x):
    class I(int):
        def __repr__(self):
            return f"I{int(self)}"

        def __add__(self, o):
            return I(int(self) + o + 1)

        def __index__(self):
            return 99

        def __bool__(self):
            return False

        def __hash__(self):
            return 5

    class F(float):
        def __lt__(self, o):
            return True

    class S(str):
        def __eq__(self, o):
            return True

        __hash__ = str.__hash__

        def __getitem__(self, i):
            return "q"

        def __contains__(self, o):
            return True

    i, f, s = I(2), F(2.5), S("abc")
    d = {"abd": 1, 2: "two"}
    return (
        x + 1,
        [
            i + 1,
            1 + i,
            i * 2,
            -i,
            bool(i),
            [10, 20, 30][i],
            range(i),
            i == 2,
            {i: 1} == {2: 1},
            d.get(i),
            "ab" * i,
            divmod(i, 2),
            sum([i, i]),
            max(i, 1),
            f"{i}",
            str(i),
            int(i),
            float(i),
            i.real,
            hash(i),
            type(i + 0).__name__,
            type(i * 1).__name__,
            i in [2],
            [1, 2].index(i),
            round(i),
            abs(i),
            i << 1,
            5 if i else 6,
            not i,
        ],
        [f < 1, 1 > f, max(f, 3.0), sorted([f, 1.0]), f + 1, f == 2.5, min([5.0, f])],
        [
            s == "zzz",
            "zzz" == s,
            s != "abc",
            s[0],
            "zz" in s,
            s + "d",
            s.upper(),
            s.join("ab"),
            len(s),
            list(s),
            d.get(s),
            f"{s:>5}",
            s in ["x"],
            s.split("b"),
            s.replace("a", "x"),
            hash(s) == hash("abc"),
            "x" + s,
            s.startswith("a"),
            [s].index("nope"),
        ],
    )


@program
def defaults_and_scopes(x):
    y = 1

    class A:
        y = 2
        z = y
        w = (lambda: y)()

        def m(self):
            return y

        def n(self, q=y):
            return q

    def outer():
        y = 3

        class B:
            nonlocal y
            y = 4
            t = y

        return y, hasattr(B, "y"), B.t

    def make():
        fs = []
        for k in range(3):

            def f(a=k):
                nonlocal k2
                k2 += a
                return k, a, k2

            fs.append(f)
        return fs

    k2 = 0
    fs = make()
    first = [f() for f in fs]
    e = 5
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        e
    except UnboundLocalError as err:
        gone = str(err)
    [last := q for q in range(4)]
    return x + y, A.y, A.z, A.w, A().m(), A().n(), outer(), first, gone, last, [f.__defaults__ for f in fs]


@program
def keyword_matching(x):
    def f(a, /, b, *args, c=3, **kw):
        return a, b, args, c, kw

    def g(*, a, b=2):
        return a, b

    out = [
        f(1, 2),
        f(1, b=2, a=5),
        f(1, 2, 3, 4, c=5, d=6),
        f(*[1, 2], **{"c": 1, "a": 9}),
        g(a=1),
        g(**{"b": 1, "a": 2}),
    ]
    for bad in (
        lambda: f(1),
        lambda: f(),
        lambda: f(a=1, b=2),
        lambda: g(1),
        lambda: g(b=1),
        lambda: f(1, 2, b=3),
        lambda: g(a=1, c=2),
        lambda: f(1, **{"b": 2}, **{"b": 3}),
        lambda: (lambda a, b: 0)(1, 2, 3),
        lambda: f(1, 2, **{3: 4}),
        lambda: g(a=1, **{"a": 2}),
        lambda: f(*3),
        lambda: f(**3),
        lambda: (lambda: 0)(1),
        lambda: (lambda a, *, b, c: 0)(1),
    ):
        try:
            out.append(bad())
        except TypeError as e:
            out.append(str(e).replace("keyword_matching.<locals>.", ""))
    return x + len(out), out


@program
def exceptions_from_everywhere(x):
    class P:
        @property
        def p(self):
            raise AttributeError("inner")

        def __getattr__(self, n):
            return "fallback " + n

        def __iter__(self):
            raise KeyError("iter")

        def __bool__(self):
            raise OverflowError("bool")

        def __eq__(self, o):
            raise ArithmeticError("eq")

        def __hash__(self):
            raise LookupError("hash")

        def __len__(self):
            return -1

        def __str__(self):
            return 3

        def __contains__(self, o):
            raise EOFError("contains")

        def __enter__(self):
            raise OSError("enter")

        def __exit__(self, *a):
            pass

        def __call__(self):
            raise StopIteration("call")

        def __getitem__(self, i):
            raise IndexError(i)

    p = P()

    def with_():
        with p:
            pass

    def gen():
        yield p()

    out = [p.p]
    for bad in (
        lambda: list(p),
        lambda: not p,
        lambda: p == 1,
        lambda: {p},
        lambda: len(p),
        lambda: str(p),
        lambda: 1 in p,
        with_,
        lambda: list(gen()),
        lambda: p[3],
        lambda: [1].index(p),
        lambda: {1: 2}[p],
        lambda: sorted([p, p]),
        lambda: f"{p}",
        lambda: p or 1,
        lambda: any([p]),
        lambda: print(p),
        lambda: "%s" % p,
        lambda: dict(p),
        lambda: zip(p),
        lambda: max(p),
        lambda: [*p],
        lambda: isinstance(1, p),
        lambda: next(p),
        lambda: int(p),
        lambda: p.x.y,
        lambda: setattr(p, 3, 4),
        lambda: reversed(p),
        lambda: raise_from(p),
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append(
                (
                    type(e).__name__,
                    str(e).replace("exceptions_from_everywhere.<locals>.", ""),
                    type(e.__cause__).__name__,
                    type(e.__context__).__name__,
                )
            )
    return x + len(out), out


def raise_from(p):
    raise p
