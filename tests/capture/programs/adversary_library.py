"""The library, a whole module in one program."""

import abc
import bisect
import cmath
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
import numbers
import operator
import random
import string
import sys
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor


@program(broken=None)
def list_methods(x):
    a = [3, 1, 2]
    a.sort(reverse=True)
    a.insert(1, 9)
    a.reverse()
    a.remove(9)
    a[1:1] = [7, 8]
    a[::2] = [0] * len(a[::2])
    a *= 2
    return (
        x + a.index(0, 1),
        a,
        a.count(0),
        a.copy() == a,
        a < [1],
        a + [1],
        2 * [1],
        a.pop(-2),
        list(reversed(a)),
        a.__sizeof__() > 0,
    )


@program(broken=None)
def list_errors(x):
    out = []
    for f in (
        lambda: [].pop(),
        lambda: [1].pop(3),
        lambda: [1].remove(2),
        lambda: [1].index(5),
        lambda: [1][2],
        lambda: [1]["a"],
        lambda: [1] + (1,),
        lambda: [1, "a"].sort(),
        lambda: "a" < 1,
        lambda: {}["k"],
        lambda: {}.popitem(),
        lambda: {[]: 1},
        lambda: set().pop(),
        lambda: {1}.remove(2),
        lambda: (1).foo,
        lambda: int("a"),
        lambda: float("b"),
        lambda: 1 / 0,
        lambda: 1 % 0,
        lambda: 1 // 0.0,
        lambda: "abc".index("z"),
        lambda: b"a" + "b",
        lambda: "a" * "b",
        lambda: len(5),
        lambda: iter(5),
        lambda: next(iter([])),
        lambda: [*5],
        lambda: max([]),
        lambda: sum(["a"]),
        lambda: range(1, 2, 0),
        lambda: chr(-1),
        lambda: ord("ab"),
        lambda: (lambda a: a)(),
        lambda: (lambda a: a)(1, 2),
        lambda: (lambda *, k: k)(),
        lambda: (lambda a: a)(b=1),
        lambda: print(1, foo=2),
        lambda: zip([1], [1, 2], strict=True).__next__() and list(zip([1], [1, 2], strict=True)),
        lambda: divmod(1, 0),
        lambda: pow(2, -1, 4),
        lambda: round("a"),
        lambda: abs("a"),
        lambda: -"a",
        lambda: ~1.0,
        lambda: 1 << -1,
        lambda: math.sqrt(-1),
        lambda: math.factorial(-1),
        lambda: isinstance(1, 5),
        lambda: getattr(1, "zz"),
        lambda: setattr(1, "a", 2),
        lambda: slice(1)(2),
        lambda: hash([]),
        lambda: int.from_bytes(5, "big"),
        lambda: "{}".format(),
        lambda: "%d" % "a",
        lambda: "%s %s" % (1,),
        lambda: f"{1:zz}",
        lambda: "abc".encode("nope"),
        lambda: b"\xff".decode("utf8"),
        lambda: type("A", (int, str), {}),
        lambda: object().x,
        lambda: super(),
        lambda: bytes([300]),
        lambda: complex("z"),
        lambda: {}.fromkeys(5),
        lambda: dict([1]),
        lambda: dict([(1, 2, 3)]),
        lambda: enumerate(5),
        lambda: reversed({1}),
        lambda: sorted([1], key=5),
        lambda: map(1),
        lambda: functools.reduce(max, []),
        lambda: itertools.islice([], -1),
        lambda: "a".join([1]),
        lambda: operator.itemgetter(),
        lambda: random.choice([]),
    ):
        try:
            f()
        except Exception as e:
            out.append((type(e).__name__, str(e)))
        else:
            out.append("no")
    return x + len(out), out


@program(graphs=1)
def dict_methods(x):
    d = dict(a=1, b=2)
    d.update([("c", 3)], d=4)
    d |= {"e": 5}
    d.setdefault("f", []).append(1)
    e = {**d}
    it = iter(d)
    next(it)
    p = d.pop("a"), d.pop("zz", None), d.popitem()
    return (
        x + len(d),
        d,
        e | {"z": 1},
        p,
        list(reversed(d)),
        d.keys() & {"b"},
        d.items() - {("b", 2)},
        d.keys() ^ {"q"},
        d.get("b"),
        dict.fromkeys("ab", 0),
        {1: 2} == {1: 2.0},
        d.values().__len__(),
        "b" in d.keys(),
        ("b", 2) in d.items(),
        2 in d.values(),
        d.keys().isdisjoint({"x"}),
    )


@program(graphs=1)
def dict_mutated_in_iteration(x):
    d = {1: 1, 2: 2}
    try:
        for k in d:
            d[k + 10] = 1
    except RuntimeError as e:
        return x + 1, str(e), d


@program(graphs=1)
def set_methods(x):
    s = {1, 2, 3}
    s.add(4)
    s.discard(9)
    s |= {5}
    s -= {1}
    s ^= {2, 7}
    s &= {3, 4, 5, 7}
    f = frozenset(s)
    return (
        x + len(s),
        s,
        f | {1},
        s <= f,
        s < f,
        s.isdisjoint({0}),
        s.symmetric_difference([3]),
        f.union([1], [2]),
        s.intersection([3]),
        hash(f) == hash(frozenset([3, 4, 5, 7])),
        {f: 1}[frozenset(s)],
        s.issubset([3, 4, 5, 7]),
        s == f,
    )


@program(graphs=1)
def str_methods(x):
    s = "Hello, World"
    return (
        x + len(s),
        s.partition(","),
        s.rsplit(None, 1),
        s.casefold(),
        s.swapcase(),
        s.translate(str.maketrans("l", "L", "o")),
        s.zfill(20),
        s.center(20, "*"),
        s.expandtabs(),
        s.startswith(("a", "H")),
        s.removeprefix("He"),
        s.isidentifier(),
        s[::-1],
        s.splitlines(),
        s.encode(),
        s.find("o", 5),
        s.format_map({}),
        "a-b".replace("-", "+", 1),
        ",".join(map(str, range(3))),
        "x" in s,
        s.title(),
        s > "A",
        s % (),
        ascii("é"),
        repr("'\""),
        "\N{BULLET}",
        s.count("l"),
        "é".encode("utf8"),
        s.istitle(),
        "1".isdecimal(),
        str(b"ab", "ascii"),
    )


@program(graphs=1)
def bytes_methods(x):
    b = b"abc"
    return (
        x + b[0],
        b[::-1],
        b.hex(),
        bytes.fromhex("ff00"),
        b.decode(),
        b + b"d",
        b * 2,
        b.find(b"b"),
        b.split(b"b"),
        list(b),
        bytes([1, 2]),
        b.replace(b"a", b"z"),
        bytes(3),
        b"%d" % 3,
        b.startswith(b"a"),
        int.from_bytes(b, "little"),
        (300).to_bytes(2, "big"),
        b.upper(),
        b.join([b"1", b"2"]),
        97 in b,
        b.translate(None, b"a"),
        bytes(iter([1, 2])),
    )


@program(graphs=1)
def int_methods(x):
    n = 37
    return (
        x + n.bit_length(),
        n.bit_count(),
        n.to_bytes(1, "big"),
        int("ff", 16),
        int(3.9),
        int("0b11", 0),
        n.as_integer_ratio(),
        (1.5).is_integer(),
        (0.1).hex(),
        float.fromhex("0x1p-2"),
        (2.5).as_integer_ratio(),
        complex(1, 2).conjugate(),
        abs(3 + 4j),
        round(2.5),
        round(-1234, -2),
        pow(3, 4, 5),
        divmod(-7, 2),
        -7 // 2,
        -7 % 3,
        7.5 // 2,
        float("inf"),
        float("nan") != float("nan"),
        1_000,
        0x10,
        True + True,
        int(True),
        bool([]),
        ~5,
        5 ^ 3,
        1 << 10,
        -1 >> 1,
        hash(1.0) == hash(1),
        0.1 + 0.2,
        1e300 * 1e10,
        int.__add__(1, 2),
        (3).real,
        (3).__class__,
    )


@program(graphs=1)
def range_slice(x):
    r = range(10, 0, -3)
    s = slice(1, None, 2)
    return (
        x + len(r),
        r[1],
        r[::-1],
        r.index(4),
        4 in r,
        5 in r,
        r == range(10, -1, -3),
        s.indices(5),
        [1, 2, 3, 4][s],
        list(r),
        r.start,
        s.step,
        range(3).count(1),
        hash(range(3)) == hash(range(0, 3, 1)),
        s == slice(1, None, 2),
        reversed(range(4)).__next__(),
        "abc"[slice(0, 2)],
        max(r),
        bool(range(0)),
    )


@program(broken=None)
def builtins_all(x):
    class A:
        z = 1

        def __len__(self):
            return 3

        def __getitem__(self, i):
            if i > 2:
                raise IndexError
            return i * 2

        def __reversed__(self):
            return "rev"

        def __bool__(self):
            return False

        def __format__(self, s):
            return "F" + s

        def __bytes__(self):
            return b"by"

        def __call__(self, *a):
            return a

        def __contains__(self, v):
            return v == 99

        def __length_hint__(self):
            return 5

        def __int__(self):
            return 5

        def __float__(self):
            return 5.5

    a = A()
    return (
        x + len(a),
        list(a),
        reversed(a),
        bool(a),
        format(a, ">"),
        bytes(a),
        callable(a),
        a(1),
        99 in a,
        int(a),
        float(a),
        all([]),
        any([0, 1]),
        sorted("bca", key=lambda c: -ord(c)),
        min(3, 1),
        max("a", "bb", key=len),
        max([], default=4),
        sum([[1], [2]], []),
        list(map(lambda p, q: p + q, [1, 2], [3, 4])),
        list(filter(None, [0, 1, 2])),
        list(zip([1, 2], "ab")),
        list(enumerate("ab", 1)),
        hex(255),
        oct(8),
        chr(97),
        ord("a"),
        hash("a") == hash("a"),
        isinstance(a, A),
        type(a).__name__,
        vars(A)["z"],
        iter(lambda: 1, 1).__class__.__name__,
        list(iter([1, 2].pop, 1)),
        eval("1+1"),
        getattr(a, "nope", 3),
        hasattr(a, "z"),
        divmod(7, 3),
        tuple([1]),
        object.__new__(A).z,
        globals()["math"] is math,
        "x" in locals(),
        dir(A)[-1],
        print.__name__,
        __name__,
        type("B", (A,), {"q": 1}).q,
        id(a) == id(a),
        input.__name__,
        operator.length_hint(a),
    )


@program(broken=None)
def coll_all(x):
    C = collections
    od = C.OrderedDict(a=1, b=2, c=3)
    od.move_to_end("a")
    od.popitem(last=False)
    dd = C.defaultdict(list)
    dd["q"].append(1)
    dd.get("no")
    dq = C.deque([1, 2, 3], maxlen=3)
    dq.append(4)
    dq.appendleft(0)
    dq.rotate(1)
    dq.extendleft([8])
    c = C.Counter("abca")
    c.update("a")
    c.subtract("b")
    cm = C.ChainMap({"a": 1}, {"a": 2, "b": 3})
    cm["z"] = 5
    nt = C.namedtuple("NT", "a b", defaults=[5])
    n = nt(1)
    ud = C.UserDict(a=1)
    ul = C.UserList([1, 2])
    us = C.UserString("ab")
    return (
        x + len(od),
        od,
        dd,
        dq,
        c,
        c.most_common(1),
        cm.maps,
        cm.new_child()["b"],
        n,
        n._replace(a=3),
        n._asdict(),
        nt._fields,
        ud | {"b": 2},
        ul + [3],
        us + "c",
        c + c,
        c & c,
        c.total(),
        list(c.elements()),
        +c,
        dq.maxlen,
        dq.index(0),
        dict(cm),
        cm.parents["a"],
        dd.default_factory,
        od == C.OrderedDict(od),
        reversed(dq).__next__(),
        list(reversed(od)),
    )


@program(graphs=1)
def subclasses(x):
    class L(list):
        def append(self, v):
            super().append(v * 2)

        @property
        def first(self):
            return self[0]

    class D(dict):
        def __missing__(self, k):
            return k + "!"

        def __setitem__(self, k, v):
            super().__setitem__(k, v + 1)

    class T(tuple):
        def __new__(cls, *a):
            return super().__new__(cls, a)

        def s(self):
            return sum(self)

    class S(set):
        def __contains__(self, v):
            return True

    class I(int):
        def __add__(self, o):
            return I(int(self) + int(o) * 10)

    class St(str):
        def shout(self):
            return St(self.upper())

    class F(float):
        pass

    l = L([1])
    l.append(2)
    l.tag = "t"
    d = D(a=1)
    d["b"] = 1
    return (
        x + l.first,
        l,
        l.tag,
        d,
        d["zz"],
        T(1, 2).s(),
        T(1) + (2,),
        5 in S(),
        I(1) + 2,
        St("a").shout(),
        type(St("a").shout()).__name__,
        type(I(1) * 2).__name__,
        F(2.0) * 2,
        isinstance(l, list),
        l == [1, 4],
        type(l[:]).__name__,
        type(l + []).__name__,
        type(d | {}).__name__,
        type(copy.copy(l)).__name__,
        copy.copy(l).tag,
    )


@program(graphs=1)
def dc_all(x):
    D = dataclasses

    @D.dataclass(order=True)
    class A:
        a: int
        b: list = D.field(default_factory=list, compare=False)
        c: typing.ClassVar[int] = 5
        d: int = D.field(default=1, repr=False)
        i: D.InitVar[int] = 2

        def __post_init__(self, i):
            self.post = i

    @D.dataclass(frozen=True, slots=True)
    class B:
        v: int = 3
        w: "A" = None

    @D.dataclass(kw_only=True)
    class K(A):
        z: int

    a = A(1)
    b = B(2, a)
    out = []
    try:
        b.v = 5
    except D.FrozenInstanceError as e:
        out.append(str(e))
    try:
        K(1)
    except TypeError as e:
        out.append(str(e))
    return (
        x + a.post,
        a,
        repr(b),
        A(1) < A(2),
        a == A(1),
        D.replace(a, a=5, i=3),
        D.asdict(b),
        D.astuple(b),
        [f.name for f in D.fields(A)],
        D.is_dataclass(a),
        hash(b) == hash(b) if False else 1,
        out,
        K(1, z=2),
        D.make_dataclass("M", [("q", int)])(4),
        a.__match_args__,
    )


@program
def enum_all(x):
    E = enum

    class C(E.Enum):
        R = 1
        G = E.auto()
        ALIAS = 1

        @property
        def low(self):
            return self.name.lower()

        @classmethod
        def _missing_(cls, v):
            return cls.G if v == 99 else None

    class F(E.Flag):
        A = E.auto()
        B = E.auto()
        AB = A | B

    class I(E.IntEnum):
        X = 5

    class S(str, E.Enum):
        P = "p"

    class SE(E.StrEnum):
        Foo = E.auto()

    out = []
    try:
        C(50)
    except ValueError as e:
        out.append(str(e))
    try:
        C["Q"]
    except KeyError as e:
        out.append(str(e))
    try:
        C.R = 3
    except AttributeError as e:
        out.append(str(e))
    return (
        x + C.R.value + I.X,
        C.ALIAS is C.R,
        C["G"],
        C(99),
        list(C),
        C.R.low,
        F.A | F.B == F.AB,
        F.AB & F.A,
        ~F.A,
        list(F.AB),
        F.A in F.AB,
        I.X + 1,
        S.P == "p",
        f"{S.P}",
        f"{I.X}",
        SE.Foo,
        C.__members__.keys(),
        repr(F.A | F.B),
        out,
        {C.R: 1}[C.R],
        isinstance(C.R, C),
        C.R in C,
        len(C),
        bool(F(0)),
        E.Enum("Dyn", "a b").b,
        E.unique(C) is C,
    )


@program(broken=None)
def functools_all(x):
    F = functools

    class A:
        def __init__(self, v):
            self.v = v

        @F.cached_property
        def cp(self):
            self.v += 1
            return self.v

        @F.singledispatchmethod
        def sd(self, a):
            return "obj"

        @sd.register
        def _(self, a: int):
            return "int"

        def base(self, a, b):
            return a, b, self.v

        pm = F.partialmethod(base, 1, b=2)

        def __eq__(self, o):
            return self.v == o.v

        def __lt__(self, o):
            return self.v < o.v

    TA = F.total_ordering(A)

    @F.singledispatch
    def g(a):
        return "g"

    @g.register(list)
    def _(a):
        return "list"

    @g.register
    def _(a: int | str):
        return "is"

    @F.lru_cache(maxsize=2)
    def h(n):
        return n if n < 2 else h(n - 1) + h(n - 2)

    @F.wraps(h)
    def w(*a):
        return h(*a)

    p = F.partial(pow, 2)
    p2 = F.partial(p, 3)
    a = A(1)
    return (
        x + a.cp + a.cp,
        a.sd(1),
        a.sd("s"),
        a.pm(),
        TA(1) >= TA(2),
        g([]),
        g(3),
        g("s"),
        g(1.0),
        h(10),
        h.cache_info(),
        w.__name__,
        p2(),
        p2.args,
        p2.func is pow,
        F.reduce(operator.mul, [1, 2, 3], 4),
        sorted([3, 1, 2], key=F.cmp_to_key(lambda a, b: b - a)),
        F.cache(lambda: 5)(),
        p2.keywords,
        g.dispatch(bool).__name__,
        list(g.registry),
    )


@program(graphs=1)
def itertools_all(x):
    I = itertools
    a, b = I.tee([1, 2, 3])
    g = [(k, list(v)) for k, v in I.groupby("aabc")]
    c = I.count(5, 2)
    return (
        x + next(a),
        list(b),
        g,
        [next(c), next(c)],
        list(I.chain("ab", [1])),
        list(I.chain.from_iterable([[1], [2]])),
        list(I.compress("abc", [1, 0, 1])),
        list(I.dropwhile(lambda v: v < 2, [1, 2, 1])),
        list(I.takewhile(lambda v: v < 2, [1, 2, 1])),
        list(I.filterfalse(None, [0, 1])),
        list(I.islice(I.cycle("ab"), 1, 6, 2)),
        list(I.repeat(3, 2)),
        list(I.starmap(pow, [(2, 3)])),
        list(I.zip_longest([1], [2, 3], fillvalue=0)),
        list(I.product("ab", repeat=2)),
        list(I.permutations([1, 2, 3], 2)),
        list(I.combinations("abc", 2)),
        list(I.combinations_with_replacement("ab", 2)),
        list(I.accumulate([1, 2, 3], operator.mul, initial=2)),
        list(I.pairwise([1, 2, 3])),
        list(a),
    )


@program(graphs=1)
def operator_all(x):
    O = operator

    class A:
        b = types.SimpleNamespace(c=4)

        def m(self, v):
            return v

    l = [1, 2, 3]
    O.setitem(l, 0, 9)
    O.iadd(l, [4])
    O.delitem(l, 1)
    return (
        O.add(x, 1),
        O.attrgetter("b.c", "m")(A())[0],
        O.itemgetter(0, 1)(l),
        O.methodcaller("m", 3)(A()),
        l,
        O.contains(l, 9),
        O.countOf(l, 9),
        O.indexOf(l, 4),
        O.concat([1], [2]),
        O.index(True),
        O.not_(1),
        O.truth([]),
        O.is_(1, 1),
        O.floordiv(7, 2),
        O.xor(5, 1),
        O.inv(3),
        O.itemgetter(slice(0, 2))(l),
        O.call(max, 1, 2),
        O.matmul(x, x.T),
    )


@program(graphs=1)
def math_all(x):
    M = math
    return (
        x * M.pi,
        M.gcd(12, 18, 6),
        M.lcm(4, 6),
        M.isqrt(17),
        M.comb(5, 2),
        M.perm(5, 2),
        M.prod([1, 2, 3]),
        M.fsum([0.1] * 10),
        M.hypot(3, 4),
        M.dist([0, 0], [3, 4]),
        M.frexp(8.0),
        M.modf(2.5),
        M.copysign(1, -0.0),
        M.isclose(0.1 + 0.2, 0.3),
        M.log(8, 2),
        M.log2(8),
        M.nextafter(1.0, 2.0),
        M.ulp(1.0),
        M.remainder(5, 3),
        M.fmod(-5, 3),
        M.trunc(-2.5),
        M.inf,
        M.isnan(M.nan),
        M.degrees(M.pi),
        M.erf(1),
        M.gamma(5),
        cmath.sqrt(-1),
        cmath.phase(1j),
        cmath.polar(1 + 1j),
        M.factorial(10),
        M.ceil(1.2),
        M.floor(-1.2),
        M.exp(0),
        M.cbrt(27),
        M.ldexp(1, 3),
    )


@program(graphs=1)
def heap_bisect(x):
    h = [5, 3, 8]
    heapq.heapify(h)
    heapq.heappush(h, 1)
    s = [1, 3, 5]
    bisect.insort(s, 4)
    return (
        x + heapq.heappop(h),
        h,
        heapq.nsmallest(2, [3, 1, 2]),
        heapq.nlargest(1, [3, 1], key=lambda v: -v),
        list(heapq.merge([1, 4], [2, 3])),
        bisect.bisect_left(s, 3),
        s,
        bisect.bisect([1, 2], 2, key=lambda v: v),
        heapq.heappushpop(h, 0),
        heapq.heapreplace(h, 7),
    )


@program(broken=None)
def copy_all(x):
    class A:
        def __init__(self):
            self.l = [1]
            self.me = self

        def __deepcopy__(self, memo):
            r = A.__new__(A)
            memo[id(self)] = r
            r.l = copy.deepcopy(self.l, memo)
            return r

    class B:
        def __reduce__(self):
            return (B, (), {"st": 3})

    class C:
        def __getstate__(self):
            return {"z": 1}

        def __setstate__(self, s):
            self.got = s

    a = A()
    l = [1]
    shared = [l, l]
    cyc = []
    cyc.append(cyc)
    s2 = copy.deepcopy(shared)
    c2 = copy.deepcopy(cyc)
    return (
        x + 1,
        copy.deepcopy(a).l,
        s2[0] is s2[1],
        c2[0] is c2,
        copy.copy(B()).st,
        copy.deepcopy(C()).got,
        copy.deepcopy({(1, 2): [x]}),
        copy.copy({1, 2}),
        copy.deepcopy(x),
        copy.deepcopy(types.SimpleNamespace(a=[1])),
    )


@program(broken=None)
def random_all(x):
    r = random.Random(3)
    return (
        x + random.random(),
        random.randint(1, 10),
        random.choice("abc"),
        random.sample(range(10), 3),
        random.shuffle(l := [1, 2, 3]),
        l,
        random.gauss(0, 1),
        random.uniform(1, 2),
        random.choices([1, 2], weights=[1, 3], k=3),
        r.random(),
        random.getrandbits(5),
        random.randrange(0, 10, 2),
        random.betavariate(1, 2),
        random.triangular(),
    )


@program(broken=None)
def random_state(x):
    s = random.getstate()
    a = random.random()
    random.setstate(s)
    b = random.random()
    random.seed(5)
    return x + (a == b), random.random()


@program(broken=None)
def warnings_all(x):
    warnings.warn("w1")
    warnings.warn("w2", DeprecationWarning, stacklevel=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("hidden")
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        warnings.warn("rec")
    return x + len(w), str(w[0].message)


@program(broken=None)
def warnings_error(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            warnings.warn("boom")
        except UserWarning as e:
            return x + 1, str(e)


@program(broken=None)
def types_all(x):
    T = types
    ns = T.SimpleNamespace(a=1)
    ns.b = 2
    mp = T.MappingProxyType({"a": 1})

    def f(a):
        return a

    m = T.MethodType(f, 5)
    f2 = T.FunctionType(f.__code__, globals(), "f2")
    cls = T.new_class("Z", (), {}, lambda d: d.update(q=1))
    return (
        x + ns.a,
        ns,
        mp["a"],
        m(),
        f2(3),
        f2.__name__,
        cls.q,
        isinstance(f, T.FunctionType),
        isinstance(len, T.BuiltinFunctionType),
        list[int].__origin__,
        (int | str).__args__,
        T.NoneType,
        T.CellType(3).cell_contents,
        isinstance(T, T.ModuleType),
        T.DynamicClassAttribute.__name__,
        T.resolve_bases((int,)),
        ns == T.SimpleNamespace(a=1, b=2),
    )


@program(graphs=1)
def numbers_all(x):
    N = numbers
    return (
        x + 1,
        isinstance(1, N.Integral),
        isinstance(1.0, N.Real),
        isinstance(1j, N.Complex),
        isinstance("a", N.Number),
        issubclass(bool, N.Rational),
    )


@program(graphs=1)
def typing_all(x):
    T = typing

    class P(T.Protocol):
        def go(self): ...

    @T.runtime_checkable
    class Q(T.Protocol):
        def go(self): ...

    class R:
        def go(self):
            pass

    class NT(T.NamedTuple):
        a: int
        b: str = "q"

    class TD(T.TypedDict):
        a: int

    def f(a: int, b: "str" = 1) -> list:
        pass

    return (
        x + NT(3).a,
        T.cast(int, "a"),
        isinstance(R(), Q),
        T.get_type_hints(f),
        T.Optional[int],
        T.get_args(T.Union[int, str]),
        TD(a=1),
        T.get_origin(list[int]),
        f.__annotations__,
        NT(1) == (1, "q"),
        T.TYPE_CHECKING,
        T.NewType("N", int)(5),
        T.Literal["a"].__args__,
    )
