"""What the library does step by step: sorting, summing, consuming, comparing, caching."""

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


class Partial:
    """Ordered by both parts: many are not comparable."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __lt__(self, o):
        LOG.append((self.a, o.a))
        return self.a < o.a and self.b < o.b

    def __repr__(self):
        return f"({self.a},{self.b})"


def some(n, seed=1):
    r = random.Random(seed)
    return [Partial(r.randrange(9), r.randrange(9)) for _ in range(n)]


@program(X, some(7), changed=[(X, some(12, 2)), (X, some(20, 3)), (X, some(3, 4))], steady=False)
def sorted_by_a_partial_order(x, l):
    return x + 1, sorted(l), sorted(l, reverse=True), max(l), min(l), LOG[:]


@program(X)
def sorted_sets(x):
    l = [frozenset(s) for s in ({1, 2}, {3}, {1}, {2, 3}, set(), {1, 2, 3}, {2}, {5}, {1, 5})]
    nan = float("nan")
    return (
        x + 1,
        sorted(l),
        sorted(l, key=lambda s: s | {9}),
        sorted([3.0, nan, 1.0, 2.0, nan, 0.5]),
        sorted([Partial(3, nan), Partial(1, 1), Partial(2, nan), Partial(0, 5)]),
        max(l),
        min([nan, 1.0]),
        max([1.0, nan]),
    )


@program(X, broken="changed while it is sorted")
def list_while_it_is_sorted(x):
    l = [3, 1, 2]
    seen = []

    def key(v):
        seen.append(len(l))
        return v

    l.sort(key=key)
    m = [3, 1, 2]
    try:
        m.sort(key=lambda v: m.append(v) or v)
    except ValueError as e:
        err = str(e)
    n = [Partial(2, 2), Partial(1, 1)]
    p = [3, "a", 1]
    try:
        p.sort()
    except TypeError as e:
        err2 = str(e)
    q = [5, 4, 3, 2, 1]
    try:
        q.sort(key=lambda v: 1 / (v - 3))
    except ZeroDivisionError:
        pass
    return x + 1, l, seen, m, err, p, err2, q


class Raises:
    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        if self.v == 2:
            raise ValueError(o.v)
        return self.v < o.v


@program(X, [Raises(i) for i in (5, 3, 1, 2, 4)])
def sorting_raises(x, l):
    m = [Raises(i) for i in (1, 5, 4, 2)]
    try:
        m.sort()
    except ValueError as e:
        args = e.args
    try:
        l.sort(reverse=True)
    except ValueError as e:
        args2 = e.args
    return x + 1, [r.v for r in m], [r.v for r in l], args, args2


@program(X, [0.1] * 10, changed=[(X, [1e16, 1.0, -1e16])])
def sums(x, l):
    big = [1e100, 1.0, -1e100, 1]
    return (
        x + 1,
        sum(l),
        sum(v for v in l),
        sum(big),
        sum([0.1, 0.2, 0.3], 0.0),
        sum((0.1, 0.2, 0.3)),
        sum([1, 0.1, 2]),
        sum([True, 2]),
        sum([[1], [2]], []),
        sum([0.1j, 0.2]),
        sum(map(float, range(5))),
        sum({0.1: 1, 0.2: 2}),
        sum([l[0]] * 7),
    )


@program(X, 0.1, 0.7, changed=[(X, 0.3, 0.7), (X, 0.5, 0.1), (X, 0.11, 0.9)])
def sums_of_changing_numbers(x, a, b):
    return (
        x * a,
        sum([a, b, a, b, a, b, a]),
        sum([a] * 10),
        max(a, b),
        round(a, 1),
        a // b,
        a % b,
        divmod(a, b),
        a**b,
        math.floor(a * 10),
        int(a * 100),
        a == b,
        str(a),
        hash(a) == hash(b),
        f"{a:.3f}",
    )


@program(X, 3, 7, changed=[(X, 4, 7), (X, 5, -3), (X, 100, 9), (X, 0, 1)])
def arithmetic_of_changing_integers(x, a, b):
    return (
        x + a,
        a // b,
        a % b,
        divmod(a, b),
        a << 2,
        a >> 1,
        a & b,
        a | b,
        a ^ b,
        ~a,
        -a,
        abs(b),
        a < b,
        bool(a),
        [1, 2, 3][a % 3],
        "abc"[a % 3],
        range(a % 5),
        a in (3, 5),
        str(a),
        {a: 1},
        (a, b) < (b, a),
        max(a, b),
        sum([a, b, 1]),
        pow(a, 2, 5),
        math.gcd(a, b),
        a / b,
        float(a),
        hex(a),
        [0] * (a % 4),
        f"{a:05d}",
        a.bit_length(),
        min([a, b, 4]),
        sorted([a, b, 4]),
        a == 3,
        a is None,
        5 if a > 3 else 6,
    )


@program(X)
def consumption(x):
    def pos(it):
        return next(it, None)

    out = []
    it = iter(range(20))
    out += [
        list(itertools.islice(it, 0)),
        pos(it),
        list(itertools.islice(it, 2, 5, 2)),
        pos(it),
        list(itertools.islice(it, 1, 1)),
        pos(it),
    ]
    it = iter(range(20))
    out += [
        list(zip(it, [1, 2])),
        pos(it),
        list(zip([1, 2], it)),
        pos(it),
        list(itertools.zip_longest([1], itertools.islice(it, 3))),
        pos(it),
    ]
    it = iter(range(20))
    out += [any(v == 2 for v in it), pos(it), all(v < 6 for v in it), pos(it), 9 in it, pos(it)]
    it = iter(range(20))
    a, b, *c = itertools.islice(it, 4)
    out += [a, b, c, pos(it), list(itertools.takewhile(lambda v: v < 7, it)), pos(it), dict(zip("ab", it)), pos(it)]
    it = iter(range(20))
    out += [
        max(itertools.islice(it, 3)),
        [next(it) for _ in range(2)],
        sum(itertools.islice(it, 2)),
        pos(it),
        list(map(operator.add, it, [1, 2])),
        pos(it),
        [*itertools.islice(it, 1)],
        pos(it),
    ]
    try:
        p, q = it
    except ValueError as e:
        out += [str(e), pos(it)]
    it = iter([1, 2, 3])
    for v in it:
        out.append((v, pos(it)))
    e = enumerate(itertools.cycle("ab"), 5)
    out += [next(e), next(e), next(e)]
    ch = itertools.chain([1], it, [2])
    out += list(ch)
    return x + 1, out


@functools.total_ordering
class Ver:
    def __init__(self, *p):
        self.p = p

    def __eq__(self, o):
        if not isinstance(o, Ver):
            return NotImplemented
        return self.p == o.p

    def __lt__(self, o):
        if not isinstance(o, Ver):
            return NotImplemented
        return self.p < o.p

    __hash__ = None


@program(X)
def total_order(x):
    a, b = Ver(1, 2), Ver(1, 3)
    out = [a < b, a <= b, a > b, a >= b, a == b, a != b, max(a, b).p, sorted([b, a])[0].p, a <= Ver(1, 2)]
    for bad in (lambda: a < 3, lambda: a >= "s", lambda: {a}, lambda: 3 > a):
        try:
            out.append(bad())
        except TypeError as e:
            out.append(str(e))
    k = functools.cmp_to_key(lambda p, q: (p % 3 > q % 3) - (p % 3 < q % 3))
    out += [sorted([5, 3, 4, 9], key=k), k(3) < k(4), k(3) == k(6), min([5, 4], key=k), k(2).obj]
    return (
        x + 1,
        out,
        functools.reduce(lambda p, q: p * 10 + q, [1, 2, 3], 7),
        functools.reduce(operator.add, [[1], [2]]),
    )


@program(X)
def comparisons_of_containers(x):
    calls = []

    class E:
        def __init__(self, v):
            self.v = v

        def __repr__(self):
            return f"E{self.v}"

        def __eq__(self, o):
            calls.append(("eq", self.v, getattr(o, "v", o)))
            return self.v == getattr(o, "v", o)

        def __lt__(self, o):
            calls.append(("lt", self.v))
            return self.v < o.v

        __hash__ = None

    a, b, c = E(1), E(2), E(1)
    nan = float("nan")
    out = [
        [a, b] == [a, b],
        [a, b] == [c, b],
        [a, b] < [c, E(3)],
        (a,) == (c,),
        [a].index(c),
        [b, a].count(c),
        c in [b, a],
        [a] != [c],
        [nan] == [nan],
        [nan] == [float("nan")],
        nan in [nan],
        (nan,) < (nan,),
        {1: a} == {1: c},
        {1: nan} == {1: nan},
        collections.deque([a]) == collections.deque([c]),
        [1, 2] < [1, 2, 0],
        (1, "a") < (2, 3),
    ]
    l = [b, a]
    l.remove(c)
    try:
        [b].index(c)
    except ValueError as e:
        out.append(type(e).__name__)
    return x + 1, out, calls, len(l)


@program(X)
def dict_subtleties(x):
    d = {1: "a"}
    d[True] = "b"
    d[1.0] = "c"
    e = {"x": 1, "y": 2, "z": 3}
    del e["x"]
    e["x"] = 4
    e.update(y=9, w=1)
    f = dict(e, a=1, **{"y": 0})
    g = e | {"q": 1, "y": 5}
    it = iter(e)
    next(it)
    r = list(reversed(e.items()))
    e.setdefault("n", []).append(1)
    try:
        list(it)
    except RuntimeError as err:
        r.append(str(err))
    k = e.keys()
    p = e.popitem()
    h = dict.fromkeys("ab", [])
    h["a"].append(1)
    return (
        x + 1,
        d,
        list(d)[0],
        e,
        f,
        g,
        r,
        k,
        list(k),
        p,
        h,
        {**h, "a": 2},
        k & {"w", "zz"},
        k - {"w"},
        dict([(1, 2), [3, 4], "ab"]),
        {k: v for k, v in zip("ab", [1, 2], strict=True)},
        list(e.values()),
        e == dict(reversed(list(e.items()))),
        collections.OrderedDict(a=1, b=2) == collections.OrderedDict(b=2, a=1),
    )


@program(X)
def ordered_dict_moves(x):
    o = collections.OrderedDict.fromkeys("abcd", 0)
    o.move_to_end("b")
    o.move_to_end("c", last=False)
    o["a"] = 9
    p = o.popitem(last=False)
    del o["d"]
    o["d"] = 1
    dd = collections.defaultdict(lambda: len(dd), z=5)
    dd["q"], dd["r"]
    dd.get("nope")
    "nope" in dd
    try:
        collections.defaultdict(None)["a"]
    except KeyError as e:
        err = e.args
    try:
        o.move_to_end("zz")
    except KeyError as e:
        err += e.args
    return (
        x + 1,
        o,
        list(reversed(o)),
        p,
        dd,
        err,
        o | {"e": 1},
        dd | {"e": 2},
        type(dd.copy()).__name__,
        dd.default_factory is not None,
    )


@program(X, steady=False, broken=True)
def lru_typed(x):
    @functools.lru_cache(maxsize=2, typed=True)
    def f(a, b=1):
        LOG.append((a, b))
        return [a, b]

    r = [f(1), f(1.0), f(1), f(True), f(a=1), f(1, 1), f(1, b=1)]
    return x + 1, r, LOG[:], f.cache_info(), r[0] is r[2], f.__wrapped__(3), f.cache_parameters()


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@program(X, 10, broken=None, steady=False, changed=[(X, 12), (X, 5), (X, 30)])
def lru_recursive(x, n):
    return x + fib(n), fib(3)


@functools.cache
def keyed(a, *args, k=0, **kw):
    return (a, args, k, tuple(kw.items()))


@program(X, 1, broken=None, steady=False, changed=[(X, 1.0), (X, True), (X, "a"), (X, (1, 2)), (X, [1])])
def lru_keys(x, v):
    try:
        return x + 1, keyed(v), keyed(v, k=v), keyed(1, 2, z=v), keyed(v) is keyed(v)
    except TypeError as e:
        return x + 1, str(e)


@program(X, some(7), changed=[(X, some(12, 2)), (X, some(20, 3)), (X, some(3, 4))], steady=False)
def sort_in_place(x, l):
    l.sort()
    m = l[:]
    m.sort(key=lambda p: Partial(-p.a, p.b), reverse=True)
    return x + 1, l, m, len(LOG)


@program(
    X,
    {3, 1, 2},
    frozenset("ab"),
    changed=[(X, {1, 2, 9}, frozenset("ab")), (X, {True, 0.5}, frozenset("b"))],
)
def sets_in_order(x, s, f):
    s.add(7)
    s.discard(1)
    made = {4, 2} | s
    return (
        x + len(s),
        sorted(s),
        max(s),
        min(s),
        sorted(s, reverse=True),
        sorted(f),
        sorted(made),
        max(f, default="none"),
        max(made, default=0),
        min(f | {"z"}),
    )


@program(X, {(1, 2), (0, 3)}, broken="order of a set")
def sets_of_tuples_in_order(x, s):
    s.add((0, 1))
    return x + len(s), sorted(s)
