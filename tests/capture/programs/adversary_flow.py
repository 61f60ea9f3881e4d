"""Exceptions, changes, operators and attributes in combinations."""

import abc
import bisect
import cmath
import collections
import contextlib
import copy
import dataclasses
import enum
import fractions
import functools
import heapq
import inspect
import itertools
import math
import numbers
import operator
import random
import re
import statistics
import string
import sys
import textwrap
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)
LOG = []


def after(*actions):
    return [(X, meanwhile(action)) for action in actions]


@program
def exception_escapes_through_generator(x):
    def g():
        try:
            yield 1
            raise KeyError("deep")
        except KeyError as e:
            raise ValueError("mid") from e
        finally:
            LOG.append("f")

    it = g()
    next(it)
    y = x + 1
    next(it)
    return y


@program
def exception_in_comprehension(x):
    def bad(i):
        if i == 2:
            raise LookupError(i, "two")
        return i

    l = []
    try:
        l.extend(bad(i) for i in range(4))
    except LookupError as e:
        args = e.args
    try:
        {bad(i): l.append(i) for i in range(4)}
    except LookupError as e:
        ctx = e.__context__
    return x + 1, l, args, ctx


class Err(Exception):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b

    def __str__(self):
        return f"Err<{self.args[0]},{self.b}>"


@program(steady=False)
def custom_exception_escapes(x):
    y = x * 2
    LOG.append(len(LOG))
    try:
        raise Err(1, b=3)
    except Err as e:
        e.add_note("note")
        e.b += 1
        raise Err(str(e)) from None


@program(X, 0, steady=False, changed=[(X, 1), (X, 2), (X, 3), (X, 4)])
def finally_and_returns(x, n):
    def f():
        for i in range(3):
            try:
                if n == 0:
                    return "ret"
                if n == 1:
                    continue
                if n == 2:
                    break
                if n == 3:
                    raise ValueError
            except ValueError:
                LOG.append("exc")
                if i:
                    return "late"
            else:
                LOG.append("else")
            finally:
                LOG.append(("fin", i))
                if n == 4 and i == 1:
                    return "override"
        return "end"

    return x + 1, f(), LOG[:]


@program
def exception_identity(x):
    e1 = ValueError("a")
    caught = []
    for _ in range(2):
        try:
            raise e1
        except ValueError as e:
            caught.append(e is e1)
            tb = e.__traceback__
    try:
        try:
            raise KeyError("x")
        except KeyError as k:
            raise e1
    except ValueError as e:
        ctx = e.__context__
    return x + 1, caught, e1, type(ctx), e1.__context__ is ctx


@program
def exc_info_nested(x):
    out = []
    try:
        raise KeyError(1)
    except KeyError:
        out.append(sys.exc_info()[0].__name__)
        try:
            raise ValueError(2)
        except ValueError:
            out.append(sys.exc_info()[1].args)
        out.append(sys.exc_info()[1].args)
        try:
            raise
        except KeyError as e:
            out.append(e.args)
    out.append(sys.exc_info())
    try:
        raise
    except RuntimeError as e:
        out.append(str(e))
    return x + 1, out


def mutate(l, d, s):
    l[1:3] = [9, 9, 9]
    l[::2] = [0] * len(l[::2])
    del l[-1]
    l *= 2
    l.sort(key=lambda v: -v)
    d |= {"z": l}
    d["l2"] = d
    s ^= {1, 5}
    s -= {2}
    s |= {7}
    s &= {1, 5, 7, 3}
    return l


@program(X, [1, 2, 3, 4], {"a": 1}, {1, 2, 3})
def mutations_of_arguments(x, l, d, s):
    alias = l
    r = mutate(l, d, s)
    l.append(l)
    return x + len(l), r is alias, d["z"] is l, sorted(s)


class Node:
    def __init__(self, v, nxt=None):
        self.v, self.next = v, nxt


def ring():
    a = Node(1)
    a.next = Node(2, Node(3, a))
    return a


@program(X, ring(), changed=[(X, Node(1)), (X, Node(1, Node(2, Node(3))))])
def ring_of_nodes(x, n):
    seen = []
    while n is not None and n not in seen:
        seen.append(n)
        n.v += 10
        n = n.next
    if seen:
        seen[0].prev = seen[-1]
        seen[-1].next, seen[0].next = seen[0].next, seen[-1].next
    return x + len(seen), seen, n


def shared():
    inner = [1]
    return {"a": inner, "b": inner, "c": (inner, inner)}


@program(X, shared(), changed=[(X, {"a": [1], "b": [1], "c": ([1], [1])}), (X, shared())])
def shared_inside(x, d):
    d["a"].append(2)
    return x + len(d["b"]), d["c"][0] is d["c"][1], d["c"][0] is d["a"], d["c"][1]


@program(X, [X], X, changed=[(X, [tensor(2, 3)], X), (X, [tensor(2, 3)], tensor(2, 3))])
def tensors_in_places(x, l, y):
    l[0].add_(1)
    y.mul_(2)
    l.append(x)
    return x + l[0], x is y, l[0] is x


GL = {"count": 0}
TOTAL = 0


def bump():
    global TOTAL, FRESH
    TOTAL += 1
    FRESH = [TOTAL]
    GL["count"] += 1
    return TOTAL


@program(steady=False)
def globals_written(x):
    bump()
    global TOTAL
    TOTAL *= 2
    b = bump()
    r = FRESH
    r.append(5)
    return x + b, FRESH is r, globals()["TOTAL"], GL


def default(x, l=[], *, d={}):
    l.append(len(l))
    d[len(d)] = l
    return l, d


@program(steady=False)
def defaults_mutated(x):
    a, _ = default(x)
    b, d = default(x)
    c, _ = default(x, [5])
    return x + len(a), a is b, c, d, default.__defaults__


def counter():
    counter.n += 1
    return counter.n


counter.n = 0


@program(steady=False)
def function_attributes(x):
    counter()
    counter.m = [counter.n]
    counter.__dict__["k"] = 3
    del counter.k
    return x + counter(), counter.m, vars(counter)


class Reg(type):
    all = []

    def __init__(cls, *a):
        Reg.all.append(cls.__name__)
        super().__init__(*a)


@program(steady=False)
def registering_metaclass(x):
    class A(metaclass=Reg):
        pass

    class B(A):
        pass

    return x + len(Reg.all), Reg.all, A.__mro__[0] is A, B.__bases__[0] is A, B.mro()[1] is A


class Slotted:
    __slots__ = ("a", "b", "__weakref__")

    def __init__(self):
        self.a = 1


@program(X, Slotted(), changed=[(X, Slotted())])
def slots_changed(x, s):
    out = []
    s.b = [s.a]
    s.a += 5
    out.append(s.b)
    del s.a
    try:
        s.a
    except AttributeError as e:
        out.append(str(e))
    try:
        s.zz = 1
    except AttributeError as e:
        out.append(str(e))
    return x + len(out), out, s


@dataclasses.dataclass(frozen=True, order=True, slots=True)
class Fz:
    a: int
    b: tuple = ()
    c: float = dataclasses.field(default=0.0, compare=False, hash=False)


@program(X, Fz(1, (2,)), changed=[(X, Fz(1, (3,))), (X, Fz(1, (2,), 5.0))])
def frozen_slots(x, f):
    g = dataclasses.replace(f, c=9.0)
    out = [f == g, hash(f) == hash(g), f < Fz(2), {f: 1}.get(g), repr(g), f is g, sorted([Fz(3), f, Fz(0)])[0]]
    for bad in (lambda: setattr(f, "a", 3), lambda: delattr(f, "a"), lambda: f < 3, lambda: Fz()):
        try:
            bad()
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    return x + f.a, out


class Money:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return Money(self.v + o.v) if isinstance(o, Money) else NotImplemented

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __iadd__(self, o):
        self.v += o.v * 100
        return self

    def __matmul__(self, o):
        return ("mm", o)

    def __rmatmul__(self, o):
        return ("rmm", type(o).__name__)

    def __divmod__(self, o):
        return "dm", o

    def __rdivmod__(self, o):
        return "rdm", o

    def __pow__(self, e, m=None):
        return ("pow", e, m)

    def __rpow__(self, e):
        return ("rpow", e)

    def __round__(self, n=None):
        return ("round", n)

    def __trunc__(self):
        return 7

    def __floor__(self):
        return 8

    def __ceil__(self):
        return 9

    def __index__(self):
        return self.v

    def __complex__(self):
        return 1 + 2j

    def __float__(self):
        return 2.5

    def __abs__(self):
        return "abs"

    def __pos__(self):
        return "pos"

    def __invert__(self):
        return "inv"

    def __lt__(self, o):
        return self.v < o.v

    def __format__(self, s):
        return f"<{s}>"

    def __bytes__(self):
        return b"mm"

    def __reversed__(self):
        return iter([3, 2])

    def __length_hint__(self):
        return 5

    def __sizeof__(self):
        return 100

    def __dir__(self):
        return ["z", "a"]


@program
def every_operator(x):
    m = Money(3)
    a = m
    out = [sum([m, Money(4)]).v, (m + m).v]
    m += Money(1)
    out += [m.v, a is m]
    out += [
        m @ 2,
        [1] @ m,
        divmod(m, 2),
        divmod(2, m),
        m**2,
        pow(m, 2, 3),
        2**m,
        round(m),
        round(m, 1),
        math.trunc(m),
        math.floor(m),
        math.ceil(m),
        [0, 1, 2, 3][Money(2)],
        complex(m),
        float(m),
        abs(m),
        +m,
        ~m,
        max([Money(1), Money(5)]).v,
        f"{m:>5}",
        format(m, "q"),
        bytes(m),
        list(reversed(m)),
        operator.length_hint(m),
        dir(m),
        hex(Money(255)),
        bin(Money(2)),
        range(Money(3)),
        "ab" * Money(2),
        sorted([Money(2), Money(1)])[0].v,
        int(Money(3)),
        chr(Money(65)),
        [1, 2, 3][: Money(2)],
    ]
    for bad in (
        lambda: m - 1,
        lambda: 1 + m,
        lambda: m > 3,
        lambda: m[0],
        lambda: m(),
        lambda: -m,
        lambda: len(m),
        lambda: m * 2,
        lambda: iter(m),
        lambda: 3 in m,
        lambda: m < 3,
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    return x + 1, out


class Lazy:
    def __init__(self):
        self.__dict__["calls"] = []

    def __getattribute__(self, n):
        if n == "magic":
            return "m"
        return super().__getattribute__(n)

    def __getattr__(self, n):
        if n.startswith("__"):
            raise AttributeError(n)
        self.calls.append(n)
        if n.startswith("no"):
            raise AttributeError("custom " + n)
        return n * 2

    def __setattr__(self, n, v):
        self.calls.append(("set", n))
        super().__setattr__(n, v)

    def __delattr__(self, n):
        self.calls.append(("del", n))
        object.__delattr__(self, n)


@program(X, Lazy())
def attribute_hooks(x, l):
    l.a = 1
    out = [l.a, l.b, l.magic, hasattr(l, "nope"), getattr(l, "nox", 5), l.calls]
    del l.a
    out.append(l.a)
    try:
        l.no1
    except AttributeError as e:
        out.append((str(e), e.name, e.obj is l))
    try:
        del l.zz
    except AttributeError as e:
        out.append(str(e))
    return x + 1, out


@program
def comprehension_scopes(x):
    y = 10
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i + y for i in range(3)]
    y = 20
    d = {k: [k * j for j in range(k)] for k in range(4) if (z := k % 2)}
    g = (y + i for i in range(2))
    y = 30
    nested = [[(i, j, y) for j in range(i)] for i in range(3)]
    return (
        x + 1,
        [f() for f in fs],
        [g() for g in gs],
        d,
        z,
        list(g),
        nested,
        [*(a for a in "ab"), *{1: 2}],
        {**{"a": 1}, **{k: v for k, v in [("b", 2)]}},
    )


@program
def star_and_slices(x):
    a, *b, (c, *d), e = 1, 2, 3, (4, 5, 6), 7
    l = list(range(10))
    l[2:5], l[0] = [20], 100
    (l[1], l[-1]), q = "xy", l
    s = slice(None, None, -2)
    t = tuple(l)
    del l[1::3]
    return (
        x + 1,
        a,
        b,
        c,
        d,
        e,
        l,
        t[s],
        s.indices(5),
        q is l,
        "hello"[::-1][1:3],
        l[5:1:-1],
        bytes(range(4))[s],
        [*range(3), *"ab"],
        (lambda *a, k=1, **kw: (a, k, kw))(*l[:2], **{"k": 3, "m": 4}),
    )


@program
def string_work(x):
    n, f, s = 255, 3.14159, "wörld"
    t = string.Template("$a and ${b} $$")
    return (
        x + 1,
        f"{n:#x} {n:08b} {f:.3f} {f!r:>10} {s!a} {s:^10}|{n=} {f=:.1f} {'a' if n else 'b'} {n:,} {f:e} {{}} {s[1:3]!s}",
        "%s %r %5d %-5s| %.2f %x %%" % (s, s, n, "ab", f, n),
        "{0} {1!r} {a[0]} {b.real} {c:>{w}}".format(1, "q", a=[5], b=3, c="z", w=4),
        t.substitute(a=1, b=2),
        t.safe_substitute(a=1),
        textwrap.dedent("  a\n   b\n  c"),
        textwrap.fill("aaa bbb ccc", 7),
        s.encode().decode("latin1"),
        "a,b,,c".split(","),
        " a b ".split(),
        "abcabc".partition("ca"),
        "x".join(map(str, range(3))),
        "Ab".swapcase() + "ab".title() + "aB".casefold(),
        "a\tb".expandtabs(4),
        "abc".translate(str.maketrans("ab", "xy", "c")),
        re.sub(r"(\w)(\d)", r"\2\1", "a1 b2"),
        re.findall(r"(?P<n>\d+)", "1 22 333"),
        re.match(r"(\w+) (?P<x>\w+)", "ab cd").groupdict(),
        re.split(r"[,;]", "a,b;c"),
        [m.span() for m in re.finditer("a", "banana")],
    )


@program
def number_work(x):
    F = fractions.Fraction
    return (
        x + 1,
        F(1, 3) + F(1, 6),
        F("0.25") * 4 == 1,
        float(F(1, 7)),
        math.isclose(0.1 + 0.2, 0.3),
        math.gcd(12, 18, 24),
        math.lcm(4, 6),
        math.comb(5, 2),
        math.perm(5, 2),
        math.prod([1, 2, 3], start=2),
        math.fsum([0.1] * 10),
        math.hypot(3, 4),
        math.frexp(8.5),
        math.modf(-2.5),
        math.copysign(1, -0.0),
        math.isqrt(17),
        math.nextafter(1.0, 2.0),
        cmath.sqrt(-1),
        cmath.polar(1 + 1j),
        statistics.mean([1, 2, 3, 4]),
        statistics.median([3, 1, 2]),
        statistics.stdev([1, 2, 3, 4]),
        statistics.mode("aab"),
        isinstance(3, numbers.Integral),
        isinstance(3.0, numbers.Rational),
        (7).bit_length(),
        (-7) // 2,
        -7 % 3,
        7.5 // -2,
        (2.5).as_integer_ratio(),
        float.fromhex("0x1.8p1"),
        (1024).to_bytes(2, "big"),
        int.from_bytes(b"\x01\x02", "little"),
        round(2.5),
        round(-1.55, 1),
        divmod(-7, 2),
        pow(3, -1, 7),
        1e16 + 1 == 1e16,
        int("ff", 16),
        complex("1+2j").conjugate(),
        0.1 + 0.2,
        float("inf") - float("inf") != 0,
    )
