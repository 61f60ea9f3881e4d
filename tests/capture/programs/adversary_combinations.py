"""Features of the language and of the library, several at a time."""

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
import textwrap
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)
LOG = []


@program(steady=False)
def generator_finally_closure(x):
    n = 0

    def g():
        nonlocal n
        try:
            for i in range(3):
                n += 1
                got = yield i * n
                if got:
                    n += got
        except KeyError as e:
            n += 100
            yield str(e)
        finally:
            n += 1000
            LOG.append(n)

    a = g()
    out = [next(a), a.send(5), a.throw(KeyError("k"))]
    try:
        next(a)
    except StopIteration as e:
        out.append(e.value)
    b = g()
    out.append(next(b))
    b.close()
    out.append(n)
    return x + n, out


@program
def generator_return_values(x):
    def inner():
        got = yield 1
        try:
            yield got
        finally:
            LOG.append("inner")
        return "r"

    def outer():
        r = yield from inner()
        yield r
        s = yield from [7, 8]
        yield s
        try:
            yield from inner()
        except ValueError as e:
            yield "caught " + str(e)
            return 5

    o = outer()
    out = [next(o), o.send("s"), next(o), next(o), next(o), next(o), next(o)]
    out.append(o.throw(ValueError("v")))
    try:
        next(o)
    except StopIteration as e:
        out.append(e.value)
    try:
        o.throw(ValueError("late"))
    except ValueError as e:
        out.append(("late", e.__context__))
    return x + 1, out, LOG


class Missing(dict):
    def __missing__(self, k):
        self[k] = v = [k]
        return v


@dataclasses.dataclass
class Holds:
    m: Missing = dataclasses.field(default_factory=Missing)
    n: int = dataclasses.field(default=3, repr=False, compare=False)
    v: dataclasses.InitVar[int] = 5
    c: typing.ClassVar[list] = []

    def __post_init__(self, v):
        self.n += v
        self.c.append(v)


@program(steady=False)
def missing_in_dataclass(x):
    h = Holds()
    h.m["a"].append(1)
    h.m["b"] += [2]
    g = dataclasses.replace(h, v=7)
    g.m["c"]
    return (
        x + h.n,
        h,
        g,
        h.m is g.m,
        h == g,
        repr(h),
        dataclasses.asdict(h),
        dataclasses.astuple(g),
        [f.name for f in dataclasses.fields(h)],
        Holds.c,
    )


class Named:
    def __set_name__(self, owner, name):
        self.name = name
        owner.registry = [*getattr(owner, "registry", []), name]

    def __get__(self, obj, cls):
        if obj is None:
            return self
        return obj.__dict__.get("_" + self.name, 0) + 1

    def __set__(self, obj, v):
        obj.__dict__["_" + self.name] = v

    def __delete__(self, obj):
        del obj.__dict__["_" + self.name]


class Up:
    a = Named()

    def get(self):
        return self.a


class Down(Up):
    b = Named()

    def get(self):
        return super().get() * 10 + super().a

    @property
    def a(self):
        return 100 + super().a

    @a.setter
    def a(self, v):
        Up.a.__set__(self, v * 2)


@program
def descriptors_and_super(x):
    d = Down()
    d.a = 3
    d.b = 4
    out = [d.a, d.b, d.get(), vars(d), Down.registry, Up.registry, type(Down.b).__name__]
    del d.b
    try:
        del d.a
    except AttributeError as e:
        out.append(str(e))

    class Local(Down):
        c = Named()
        a = Named()

    l = Local()
    l.c = 1
    l.a = 8
    out += [l.get(), l.a, Local.registry, vars(l)]
    return x + d.get(), out


@program
def groups_and_finally(x):
    out = []

    def run():
        try:
            try:
                raise ExceptionGroup(
                    "g", [ValueError(1), TypeError(2), ExceptionGroup("h", [ValueError(3), KeyError(4)])]
                )
            except* ValueError as e:
                out.append([type(e).__name__, e.message, len(e.exceptions), e.exceptions[-1].args])
            except* TypeError as e:
                out.append(e.exceptions[0].args)
                raise RuntimeError("from handler")
            finally:
                out.append("finally")
        except ExceptionGroup as e:
            out.append((e.message, [type(i).__name__ for i in e.exceptions]))
            a, b = e.split(KeyError)
            out.append((a and a.exceptions, b and len(b.exceptions), e.subgroup(lambda i: isinstance(i, RuntimeError))))
            raise ValueError("last") from e
        finally:
            out.append("outer")

    try:
        run()
    except ValueError as e:
        out.append((str(e), type(e.__cause__).__name__, e.__context__ is e.__cause__))
    return x + 1, out


class MetaK(type):
    def __prepare__(name, bases, **kw):
        return {"prepared": sorted(kw)}

    def __new__(meta, name, bases, ns, *, tag=None, **kw):
        cls = super().__new__(meta, name, bases, ns, **kw)
        cls.tag = tag
        return cls

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        cls.kw = sorted(kw)


class BaseK(metaclass=MetaK):
    def __init_subclass__(cls, *, sub=0, **kw):
        super().__init_subclass__(**kw)
        cls.sub = sub


@program
def metaclass_keywords(x):
    class Made(BaseK, tag="t", sub=4):
        y = len(prepared)

    class Made2(Made, sub=5):
        pass

    try:

        class Bad(BaseK, nope=1):
            pass

    except TypeError as e:
        err = str(e)
    return x + Made.sub, Made.tag, Made.kw, Made.prepared, Made2.sub, Made2.tag, Made.y, err, type(Made) is MetaK


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


@functools.singledispatch
def describe(o):
    return "object"


@describe.register
def _(o: int):
    return "int"


@describe.register(list)
@describe.register(tuple)
def _(o):
    return "seq" + str(len(o))


class Sq:
    @functools.singledispatchmethod
    def go(self, a):
        return ("any", a)

    @go.register
    def _(self, a: str):
        return ("str", a)

    @go.register
    @classmethod
    def _(cls, a: float):
        return ("float", cls.__name__)


Shape.register(Sq)


@program(X, broken=None)
def dispatch_and_register(x):
    s = Sq()
    return (
        x + 1,
        describe(3),
        describe(True),
        describe("a"),
        describe([1]),
        describe((1, 2)),
        describe(s),
        s.go(1),
        s.go("b"),
        s.go(2.0),
        describe.dispatch(bool)(1),
        isinstance(s, Shape),
        len(describe.registry),
    )


@program
def deques(x):
    d = collections.deque(range(5), maxlen=4)
    out = [list(d)]
    d.rotate(3)
    out.append(list(d))
    d.rotate(-9)
    d.extendleft("ab")
    out.append(list(d))
    d.insert(1, "z") if len(d) < 4 else out.append("full")
    try:
        d.insert(0, 1)
    except IndexError as e:
        out.append(str(e))
    d.reverse()
    out += [list(d), d.count("a"), d.index("a"), d.copy(), d + collections.deque([1]), d * 2, d == collections.deque(d)]
    d *= 2
    d += [5]
    d.remove(5)
    d[0] = 77
    del d[1]
    return x + len(d), out, d, 77 in d, d.pop(), d.popleft(), bool(d), repr(d)


@program
def heaps(x):
    h = [5, 3, 8, 1]
    heapq.heapify(h)
    out = [heapq.heappushpop(h, 0), heapq.heapreplace(h, 9), heapq.heappop(h), list(h)]
    out.append(list(heapq.merge([1, 4, 7], [2, 3, 9], key=lambda v: -v, reverse=True)))
    out.append(heapq.nlargest(2, ["aa", "b", "cccc"], key=len))
    out.append(heapq.nsmallest(3, [4, 2, 9, 1]))
    m = heapq.merge([1, 5], iter([2, 3]))
    out.append(next(m))
    return (
        x + h[0],
        out,
        m,
        bisect.bisect_left([1, 2, 2, 3], 2),
        bisect.bisect([1, 2, 2, 3], 2, key=lambda v: v),
        bisect.insort(h, 4),
    )


@program(broken="groupby that has started")
def itertools_partly(x):
    out = []
    g = itertools.groupby([1, 1, 2, 3, 3, 1], key=lambda v: v % 2)
    k, sub = next(g)
    out.append((k, next(sub)))
    k2, sub2 = next(g)
    out.append((k2, list(sub), list(sub2)))
    a, b = itertools.tee(iter([1, 2, 3, 4]))
    out += [next(a), next(a), next(b)]
    c = copy.copy(a)
    out += [next(c), next(a)]
    isl = itertools.islice(b, 1, None, 2)
    out.append(next(isl))
    ch = itertools.chain.from_iterable([[1], (2, 3), "ab"])
    out += [next(ch), next(ch)]
    acc = itertools.accumulate([1, 2, 3], lambda p, q: p * 10 + q, initial=5)
    out.append(next(acc))
    pw = itertools.pairwise("abc")
    zl = itertools.zip_longest([1], "ab", fillvalue=0)
    st = itertools.starmap(pow, [(2, 3), (3, 2)])
    tw = itertools.takewhile(lambda v: v < 3, [1, 2, 3, 1])
    dw = itertools.dropwhile(lambda v: v < 3, [1, 2, 3, 1])
    co = itertools.compress("abcd", [1, 0, True, 0])
    ff = itertools.filterfalse(None, [0, 1, ""])
    return (
        x + 1,
        out,
        g,
        a,
        b,
        c,
        isl,
        ch,
        acc,
        pw,
        zl,
        st,
        list(tw),
        dw,
        co,
        ff,
        list(itertools.product("ab", repeat=2)),
        list(itertools.permutations([1, 2, 3], 2)),
        list(itertools.combinations_with_replacement("ab", 2)),
        itertools.repeat(3, 2),
    )


@program(steady=False, broken="random number")
def random_draws(x):
    l = list(range(6))
    random.shuffle(l)
    return (
        x + random.random(),
        l,
        random.choices("abc", weights=[1, 2, 3], k=4),
        random.sample(range(20), 3),
        random.gauss(0, 1),
        random.gauss(2, 1),
        random.randint(1, 6),
        random.uniform(1, 2),
        random.choice([1, 2]),
        random.betavariate(1, 2),
        random.expovariate(1.5),
        random.triangular(0, 1),
        random.getrandbits(9),
        random.randrange(0, 10, 3),
        random.normalvariate(0, 1),
        random.randbytes(3),
    )


RNG = random.Random(5)


@program(steady=False, broken=None)
def random_of_its_own(x):
    r = random.Random(3)
    return x + r.random(), RNG.random(), RNG.randint(0, 9), r.getrandbits(4), [r.choice("abc") for _ in range(3)]


class Deep:
    def __init__(self, l, other=None):
        self.l = l
        self.other = other
        self.copies = 0

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        made.copies = self.copies + 1
        made.l = copy.deepcopy(self.l, memo)
        made.other = copy.deepcopy(self.other, memo)
        return made

    def __copy__(self):
        return Deep(self.l, "copied")


@program(broken="deepcopy with a memo")
def deep_copies(x):
    l = [1, [2]]
    d = Deep(l)
    d.other = d
    e = copy.deepcopy([d, l, d])
    f = copy.copy(d)
    g = copy.deepcopy({"a": (l, l), "t": ((1, 2), "s")})
    memo = {}
    h = copy.deepcopy(l, memo)
    return (
        x + 1,
        e,
        f,
        g,
        e[0] is e[2],
        e[0].l is e[1],
        g["a"][0] is g["a"][1],
        h,
        len(memo),
        e[0].other is e[0],
        copy.deepcopy(x),
        copy.copy(frozenset([1])),
    )


def sig(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, kw


@program(broken=True)
def signatures(x):
    s = inspect.signature(sig)
    b = s.bind(1, 2, 3, 4, d=6, z=7)
    p = s.bind_partial(1)
    out = [str(s), b.args, b.kwargs, dict(b.arguments), dict(p.arguments), list(s.parameters)]
    b.apply_defaults()
    p.apply_defaults()
    out += [
        dict(b.arguments),
        dict(p.arguments),
        s.parameters["a"].kind.name,
        s.parameters["d"].default is inspect.Parameter.empty,
    ]
    try:
        s.bind(1)
    except TypeError as e:
        out.append(str(e))
    try:
        s.bind(1, 2, q=3, a=4)
    except TypeError as e:
        out.append(str(e))
    return (
        x + 1,
        out,
        sig(*b.args, **b.kwargs),
        str(inspect.signature(functools.partial(sig, 1, d=3))),
        str(inspect.signature(Deep)),
        str(inspect.signature(Deep([]).__deepcopy__)),
    )


Pt = collections.namedtuple("Pt", "x y z", defaults=[3])  # noqa: PYI024


@program
def named_tuples(x):
    p = Pt(1, 2)
    q = p._replace(z=9)
    r = Pt._make([7, 8, 9])
    out = [
        p,
        q,
        r,
        q._asdict(),
        Pt._fields,
        Pt._field_defaults,
        p < q,
        p + (1,),
        p * 2,
        p[1:],
        hash(p) == hash((1, 2, 3)),
        p.index(2),
        p.count(1),
    ]
    for bad in (
        lambda: Pt(1),
        lambda: p._replace(w=1),
        lambda: Pt._make([1]),
        lambda: setattr(p, "x", 1),
        lambda: Pt(1, 2, 3, 4),
        lambda: p.w,
    ):
        try:
            bad()
        except Exception as e:
            out.append((type(e).__name__, str(e)))

    class Sub(Pt):
        __slots__ = ()

        def __new__(cls, v):
            return super().__new__(cls, v, v)

        @property
        def s(self):
            return self.x + self.y + self.z

    try:
        out.append(Sub(4)._replace(x=1))
    except TypeError as e:
        out.append(str(e))
    return x + p.x, out, Sub(4).s, repr(Sub(4)), Sub(4) == (4, 4, 3)


class PM:
    def __init__(self):
        self.v = 0

    def set(self, a, b=0, *, c=0):
        self.v = (a, b, c)
        return self.v

    five = functools.partialmethod(set, 5)
    six = functools.partialmethod(set, c=6)
    seven = functools.partialmethod(five, 7)
    st = functools.partialmethod(staticmethod(lambda a, b: a - b), 10)
    cl = functools.partialmethod(classmethod(lambda cls, a: (cls.__name__, a)), 3)

    @functools.cached_property
    def cp(self):
        LOG.append("cp")
        return len(LOG)


@program(steady=False)
def partial_methods(x):
    p = PM()
    out = [p.five(1), p.six(2, 3), p.seven(c=8), p.st(3), p.cl(), PM.cl(), p.cp, p.cp, vars(p)]
    del p.cp
    out.append(p.cp)
    return x + 1, out, type(PM.cp).__name__, PM.cp.attrname


class CM:
    def __init__(self, n, swallow=False, fail=None):
        self.n, self.swallow, self.fail = n, swallow, fail

    def __enter__(self):
        LOG.append(("enter", self.n))
        return self.n

    def __exit__(self, t, v, tb):
        LOG.append(("exit", self.n, t and t.__name__, v and v.args, v and type(v.__context__).__name__))
        if self.fail:
            raise self.fail
        return self.swallow


@program(steady=False)
def exit_stacks(x):
    out = []
    with contextlib.ExitStack() as s:
        out.append(s.enter_context(CM(1, swallow=True)))
        s.callback(LOG.append, "cb1")
        s.push(lambda *e: LOG.append(e[0] and e[0].__name__))
        s.enter_context(CM(2, fail=KeyError("k")))
        s.callback(lambda a, b: LOG.append((a, b)), 1, b=2)
        s.push(CM(3))
        raise ValueError("v")
    with contextlib.ExitStack() as s:
        s.enter_context(CM(4))
        t = s.pop_all()
    out.append("popped")
    t.close()
    try:
        with contextlib.ExitStack() as s:
            s.enter_context(CM(5))
            s.enter_context(CM(6, fail=TypeError("t")))
            raise ValueError("w")
    except TypeError as e:
        out.append((type(e.__context__).__name__, e.__cause__))

    @s.callback
    def later():
        out.append("later")

    s.close()
    with (
        contextlib.suppress(ValueError, KeyError),
        contextlib.closing(types.SimpleNamespace(close=lambda: out.append("closed"))),
    ):
        raise KeyError(1)
    return x + 1, out, LOG[:]


@program(broken="lifetime")
def weak_things(x):
    d = Deep([1])
    w = weakref.WeakValueDictionary()
    w["a"] = d
    s = weakref.ref(d)
    k = weakref.WeakKeyDictionary()
    k[d] = 5
    ws = weakref.WeakSet([d])
    return (
        x + len(w),
        w["a"] is d,
        s() is d,
        k[d],
        d in ws,
        list(w),
        "b" in w,
        k.get(d),
        w.get("z"),
        len(ws),
        dict(w.items()),
    )


class Pt3:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


class Pt4(Pt3):
    __match_args__ = ("y",)


@program
def class_patterns(x):
    def f(o):
        match o:
            case Pt4(1):
                return "pt4 1"
            case Pt3(x=0, y=b):
                return ("x0", b)
            case Pt3(a, Pt3(b, c)):
                return ("nested", a, b, c)
            case Pt3(a, b) if a == b:
                return ("same", a)
            case Pt3():
                return "pt3"
            case int(n) | float(n) if n > 100:
                return ("big", n)
            case bool(b):
                return ("bool", b)
            case {"k": [1, *rest], **others}:
                return ("map", rest, others)
            case {"k": Pt3(x=v)}:
                return ("mv", v)
            case str() as s:
                return ("str", s)
            case [[a, b], *_, {"z": z}]:
                return ("seq", a, b, z)
            case (1 | 2 | 3) as n:
                return ("123", n)
            case None:
                return "none"
            case -1.5 | 2j:
                return "num"
            case []:
                return "empty"
            case _:
                return "other"

    vals = [
        Pt4(0, 1),
        Pt4(5, 5),
        Pt3(0, 3),
        Pt3(1, Pt3(2, 3)),
        Pt3(4, 4),
        Pt3(4, 5),
        200,
        200.5,
        True,
        {"k": [1, 2, 3], "m": 4},
        {"k": Pt3(9, 8)},
        "s",
        [[1, 2], 3, {"z": 5}],
        2,
        3.0,
        None,
        -1.5,
        2j,
        [],
        (),
        b"ab",
        {},
        range(2),
        collections.deque([[1, 2], {"z": 1}]),
    ]
    return x + 1, [f(v) for v in vals]
