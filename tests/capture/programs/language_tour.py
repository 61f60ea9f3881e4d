"""The language, construct by construct, many of them in one program."""

import asyncio
import collections
import contextlib
import copy
import functools
import itertools
import operator
import sys
import types

import torch

from tests.capture.harness import call, meanwhile, program, tensor

G = [0]


class Mgr:
    def __init__(self, log, swallow=False):
        self.log = log
        self.swallow = swallow

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, t, e, tb):
        self.log.append(t.__name__ if t else None)
        return self.swallow


class Desc:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__.get(self.name, 0)

    def __set__(self, obj, v):
        obj.__dict__[self.name] = v * 2

    def __delete__(self, obj):
        obj.__dict__.pop(self.name, None)


class HasDesc:
    d = Desc()


class Vec:
    def __init__(self, *v):
        self.v = v

    def __add__(self, o):
        return Vec(*map(operator.add, self.v, o.v)) if isinstance(o, Vec) else NotImplemented

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __iadd__(self, o):
        self.v = tuple(a + 1 for a in self.v)
        return self

    def __mul__(self, k):
        return Vec(*(a * k for a in self.v))

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(*(-a for a in self.v))

    def __abs__(self):
        return sum(map(abs, self.v))

    def __len__(self):
        return len(self.v)

    def __getitem__(self, i):
        return self.v[i]

    def __contains__(self, k):
        return k in self.v

    def __eq__(self, o):
        return isinstance(o, Vec) and self.v == o.v

    def __hash__(self):
        return hash(self.v)

    def __lt__(self, o):
        return self.v < o.v

    def __bool__(self):
        return any(self.v)

    def __call__(self, k):
        return self.v[k]

    def __repr__(self):
        return f"Vec{self.v}"

    def __format__(self, s):
        return f"<{s}>"

    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self.v, o.v))

    def __divmod__(self, k):
        return (1, k)

    def __pow__(self, k, m=None):
        return (k, m)

    def __round__(self, n=None):
        return n

    def __index__(self):
        return self.v[0]

    def __float__(self):
        return float(self.v[0])

    def __int__(self):
        return int(self.v[0])

    def __complex__(self):
        return complex(self.v[0])

    def __reversed__(self):
        return iter(self.v[::-1])

    def __length_hint__(self):
        return 3

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False

    def __getattr__(self, n):
        if n.startswith("get_"):
            return lambda: n[4:]
        raise AttributeError(n)

    def __dir__(self):
        return ["a"]

    def __class_getitem__(cls, i):
        return (cls.__name__, i)

    def __missing__(self, k):
        return k


@program(graphs=1)
def all_operators(x):
    a, b = Vec(1, 2), Vec(3, 4)
    c = a
    c += b
    return (
        x + abs(a + b),
        (0 + a).v,
        (a * 2).v,
        (2 * a).v,
        (-a).v,
        len(a),
        a[1],
        3 in b,
        a == Vec(2, 3),
        {a: 1}[Vec(2, 3)],
        a < b,
        bool(Vec(0, 0)),
        a(0),
        repr(a),
        f"{a:q}",
        a @ b,
        divmod(a, 5),
        a**2,
        pow(a, 2, 3),
        round(a),
        round(a, 1),
        [0, 1, 2, 3][a],
        float(a),
        int(a),
        complex(a),
        list(reversed(a)),
        a.get_foo(),
        Vec[int],
        c is a,
        sum([a, b]).v if False else 0,
    )


@program
def ops_not_implemented(x):
    try:
        Vec(1) + 3
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def sum_objects(x):
    return (
        x + 1,
        sum([Vec(1, 2), Vec(3, 4)]).v,
        max([Vec(1), Vec(3)], key=abs).v,
        sorted([Vec(3), Vec(1)])[0].v,
        min(Vec(2), Vec(1)).v,
    )


@program(graphs=1)
def descriptor_protocol(x):
    o = HasDesc()
    o.d = 5
    a = o.d
    del o.d
    return x + a, o.d, HasDesc.d.name, vars(o)


@program(graphs=1)
def chained(x):
    log = []

    def f(n):
        log.append(n)
        return n

    return x + 1, f(1) < f(2) < f(3), f(3) < f(2) < f(9), log, 1 < 2 > 1 == 1 != 0, 1 in [1] in [[1]]


@program(graphs=1)
def walrus(x):
    r = [y := 1, y**2, (z := y + 1)]
    if (n := len(r)) > 2:
        r.append(n)
    return x + n, r, [w := i for i in range(3)], w, z


@program(graphs=1)
def star_assign(x):
    a, *b, c = range(5)
    (d, [e, *f]), g = (1, "xyz"), 2
    (*h,) = (1, 2)
    [i, j] = {1: 2, 3: 4}
    return x + a, b, c, d, e, f, g, h, i, j


@program(graphs=1)
def star_calls(x):
    def f(*a, k=0, **kw):
        return a, k, kw

    return (
        x + 1,
        f(*[1], 2, *(3,), k=4, **{"m": 5}, n=6),
        f(*"ab", **{}),
        [*range(2), *"a"],
        {**{"a": 1}, "b": 2},
        (*[1], 2),
        {*[1], *{2}},
    )


@program(graphs=1)
def for_else(x):
    r = []
    for i in range(3):
        if i == 5:
            break
    else:
        r.append("else")
    while True:
        r.append(1)
        if len(r) > 3:
            break
    else:
        r.append("no")
    for i in []:
        pass
    else:
        r.append("empty")
    return x + 1, r


@program(graphs=1)
def try_statement(x):
    log = []

    def f(k):
        try:
            if k == 1:
                raise ValueError("v")
            if k == 2:
                return "ret"
            if k == 3:
                raise KeyError("k")
        except ValueError as e:
            log.append(("ve", e.args))
        else:
            log.append("else")
        finally:
            log.append(("fin", k))
        return k

    r = [f(0), f(1), f(2)]
    try:
        f(3)
    except KeyError as e:
        log.append(repr(e))
    return x + 1, r, log


@program(graphs=1)
def finally_overrides(x):
    def f():
        try:
            return 1
        finally:
            return 2

    def g():
        for i in range(3):
            try:
                continue
            finally:
                if i == 1:
                    break
        return i

    def h():
        try:
            1 / 0
        finally:
            return "swallowed"

    return x + f(), g(), h()


@program(graphs=1)
def chained_exceptions(x):
    try:
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise ValueError("b") from e
    except ValueError as e:
        a = (type(e.__cause__).__name__, type(e.__context__).__name__, e.__suppress_context__)
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise ValueError("b")
    except ValueError as e:
        b = (e.__cause__, type(e.__context__).__name__, e.__suppress_context__)
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise ValueError("b") from None
    except ValueError as e:
        c = (e.__cause__, type(e.__context__).__name__, e.__suppress_context__)
    return x + 1, a, b, c


@program(graphs=1)
def exception_notes(x):
    try:
        e = ValueError("a")
        e.add_note("n")
        raise e
    except ValueError as e2:
        return x + 1, e2.__notes__, e2 is e


@program(graphs=1)
def exception_groups(x):
    got = []
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [TypeError(3), ValueError(4)])])
    except* ValueError as g:
        got.append(len(g.exceptions))
    except* (KeyError, TypeError) as g:
        got.append([type(e).__name__ for e in g.exceptions])
    return x + 1, got


@program(graphs=1)
def with_statement(x):
    log = []
    with Mgr(log) as a, Mgr(log, True) as b:
        1 / 0
    with contextlib.suppress(KeyError):
        {}["a"]
    with contextlib.ExitStack() as s:
        s.enter_context(Mgr(log))
        s.callback(log.append, "cb")
        s.push(lambda *a: log.append("push"))
    with contextlib.nullcontext(5) as n:
        log.append(n)

    @contextlib.contextmanager
    def cm(v):
        log.append("start")
        try:
            yield v
        except ValueError as e:
            log.append(str(e))
        finally:
            log.append("end")

    with cm(3) as q:
        log.append(q)
    with cm(4):
        raise ValueError("inner")

    @cm(7)
    def deco():
        log.append("deco")
        return 1

    deco()
    with contextlib.closing(types.SimpleNamespace(close=lambda: log.append("closed"))):
        pass
    return x + 1, log


@program(graphs=1)
def generator_protocol(x):
    def g(n):
        try:
            while True:
                r = yield n
                if r:
                    n += r
                else:
                    n += 1
        except ValueError:
            yield "caught"
        finally:
            G[0] += 0
        return "done"

    a = g(1)
    r = [next(a), a.send(5), next(a), a.throw(ValueError)]
    try:
        next(a)
    except StopIteration as s:
        r.append(s.value)
    b = g(1)
    next(b)
    b.close()

    def outer():
        v = yield from g2()
        yield v
        yield from [1, 2]
        return 9

    def g2():
        z = yield 1
        yield z
        return "ret"

    o = outer()
    r += [next(o), o.send("s"), next(o), *o]
    return x + 1, r, list(zip(g3(), "abc"))


def g3():
    i = 0
    while True:
        yield i
        i += 1


@program(graphs=1)
def generator_attributes(x):
    def g():
        yield

    a = g()
    return x + 1, a.__name__, a.gi_running, iter(a) is a, type(a).__name__, a.__qualname__


@program(graphs=1)
def generator_of_tensors(x):
    def g():
        acc = x
        for i in range(3):
            acc = acc * 2
            yield acc

    return sum(g()), torch.stack(list(g())).sum(), max(len(t) for t in g())


@program(graphs=1)
def generator_expression_is_lazy(x):
    log = []

    def f(i):
        log.append(i)
        return i

    g = (f(i) for i in range(5))
    a = next(g)
    b = next(g)
    return x + a, b, log, any(f(i) == 3 for i in range(10)), log


@program(graphs=1)
def coroutines(x):
    async def a(n):
        return n + 1

    async def b():
        return await a(1) + await a(2)

    c = b()
    try:
        c.send(None)
    except StopIteration as s:
        return x + s.value


@program(graphs=1)
def async_generators(x):
    async def ag():
        yield 1
        yield 2

    async def main():
        return [i async for i in ag()]

    c = main()
    try:
        c.send(None)
    except StopIteration as s:
        return x + 1, s.value


@program(graphs=1)
def async_managers(x):
    class A:
        async def __aenter__(self):
            return 5

        async def __aexit__(self, *a):
            return False

    async def main():
        async with A() as v:
            return v

    c = main()
    try:
        c.send(None)
    except StopIteration as s:
        return x + s.value


@program(graphs=1)
def match_statement(x):
    class P:
        __match_args__ = ("a", "b")

        def __init__(self, a, b):
            self.a = a
            self.b = b

    def m(v):
        match v:
            case 0 | 1:
                return "01"
            case str() as s if len(s) > 2:
                return "long"
            case "a":
                return "a"
            case [1, *rest]:
                return ("l", rest)
            case (a, b):
                return ("t", a, b)
            case {"k": k, **rest}:
                return ("d", k, rest)
            case P(1, b=c):
                return ("p", c)
            case P(a):
                return ("pa", a)
            case float(f):
                return f
            case None:
                return None
            case True:
                return "never"
            case _:
                return "other"

    return x + 1, [
        m(v)
        for v in (
            0,
            True,
            "abc",
            "a",
            [1, 2, 3],
            (1,),
            (5, 6),
            {"k": 1, "z": 2},
            P(1, 2),
            P(3, 4),
            2.5,
            None,
            {1, 2},
            [],
            b"x",
        )
    ]


@program(graphs=1)
def super_in_a_diamond(x):
    class A:
        def f(self):
            return ["A"]

        @classmethod
        def c(cls):
            return ["A", cls.__name__]

        @property
        def p(self):
            return 1

    class B(A):
        def f(self):
            return ["B"] + super().f()

        @classmethod
        def c(cls):
            return ["B"] + super().c()

        @property
        def p(self):
            return super().p + 1

    class C(A):
        def f(self):
            return ["C"] + super().f()

    class D(B, C):
        def f(self):
            return ["D"] + super().f()

        def g(self):
            return super(B, self).f()

    d = D()
    return x + d.p, d.f(), D.c(), d.g(), super(D, d).f(), [k.__name__ for k in D.__mro__]


@program(graphs=1)
def metaclass(x):
    class M(type):
        def __new__(m, n, b, d, **k):
            c = super().__new__(m, n, b, {**d, "extra": k.get("e")})
            return c

        def __init__(c, n, b, d, **k):
            super().__init__(n, b, d)
            c.inited = True

        def __call__(c, *a):
            o = super().__call__(*a)
            o.made = 1
            return o

        def __getattr__(c, n):
            return "meta " + n

        def __iter__(c):
            return iter([1, 2])

        def __len__(c):
            return 7

        def __contains__(c, v):
            return v == 1

        def __getitem__(c, k):
            return k * 2

        def __eq__(c, o):
            return c is o

        def __hash__(c):
            return 5

    class A(metaclass=M, e=9):
        pass

    return x + A.extra, A.inited, A().made, A.nope, list(A), len(A), 1 in A, A[4]


@program(graphs=1)
def subclass_hooks(x):
    seen = []

    class B:
        def __init_subclass__(cls, tag=None, **k):
            seen.append((cls.__name__, tag))
            super().__init_subclass__(**k)

    class C(B, tag=3):
        pass

    class D(C):
        pass

    return x + len(seen), seen


@program(graphs=1)
def class_body(x):
    n = 3

    class A:
        v = n
        w = [v for _ in range(2)] if False else [n]
        for i in range(2):
            locals() if False else None

        def f(self):
            return __class__.__name__

        x = v + 1
        del i
        try:
            y = 1 / 0
        except ZeroDivisionError:
            y = "zero"
        __slots__ = ()

    return x + A.v, A.x, A.y, A().f(), hasattr(A, "i")


@program(graphs=1)
def slots(x):
    class A:
        __slots__ = ("a", "_A__b", "__c")

        def __init__(self):
            self.a = 1
            self.__c = 2

        def c(self):
            return self.__c

    class B(A):
        __slots__ = ("d",)

    b = B()
    b.d = 4
    r = []
    try:
        b.zz = 1
    except AttributeError:
        r.append("no dict")
    try:
        B().d
    except AttributeError:
        r.append("unset")
    return x + b.c(), b.d, r, hasattr(b, "__dict__")


@program(graphs=1)
def getattribute(x):
    class A:
        def __init__(self):
            self.a = 1

        def __getattribute__(self, n):
            if n == "magic":
                return 42
            return super().__getattribute__(n)

        def __getattr__(self, n):
            return "fallback " + n

        def __setattr__(self, n, v):
            super().__setattr__(n, v if n == "a" else v * 10)

        def __delattr__(self, n):
            super().__setattr__("deleted", n)

    o = A()
    o.b = 2
    del o.a
    return x + o.magic, o.a, o.b, o.zzz, o.deleted


@program(graphs=1)
def new_init(x):
    class S:
        _i = None

        def __new__(cls, *a):
            if cls._i is None:
                cls._i = super().__new__(cls)
            return cls._i

        def __init__(self, v):
            self.v = v

    class N:
        def __new__(cls):
            return 5

        def __init__(self):
            raise RuntimeError

    a = S(1)
    b = S(2)
    return x + a.v, a is b, N()


@program(graphs=1)
def nonlocals(x):
    a = 1

    def f():
        nonlocal a
        a += 1

        def g():
            nonlocal a
            a *= 10
            return a

        return g

    g = f()
    r = [a, g(), a]
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i for i in range(3)]
    return x + a, r, [h() for h in fs], [h() for h in gs]


@program(graphs=1)
def del_unbound(x):
    a = 1
    del a
    r = []
    try:
        a
    except UnboundLocalError as e:
        r.append(str(e))

    def f():
        try:
            return b
        except NameError as e:
            return str(e)

    r.append(f())
    b = 2
    r.append(f())
    return x + 1, r


@program(graphs=1)
def recursion(x):
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    return x + fib(10), even(10)


@program(graphs=1)
def decorators(x):
    def d(k):
        def deco(f):
            @functools.wraps(f)
            def w(*a, **kw):
                return f(*a, **kw) * k

            w.k = k
            return w

        return deco

    @d(2)
    @d(3)
    def f(a):
        """Doc"""
        return a + 1

    return x + f(1), f.__name__, f.__doc__, f.k, f.__wrapped__.k


@program(graphs=1)
def slices(x):
    l = list(range(10))
    l[2:4] = ["a"]
    l[::4] = [0, 0, 0]
    del l[-2:]
    m = l[::-1]
    s = slice(1, None, 2)
    return x + 1, l, m, l[s], "abcdef"[s], (1, 2, 3)[-2:], s.indices(7), range(10)[2:8:3]


@program(graphs=1)
def fstrings(x):
    n, w = 3.14159, 8
    return (
        x + 1,
        f"{n:.2f} {n!r:>{w}} {'q'!a} {n=} {w=:03d} {{}} {'nested ' + f'{w}'}",
        f"{x.shape}",
        "%5.1f|%-4s|%x" % (n, "a", 255),
        "{0.real} {a[0]} {b:,}".format(1, a=[5], b=12345),
    )


@program(graphs=1, steady=False)
def globals_rw(x):
    global NEWG
    NEWG = 5
    G[0] += 1
    r = NEWG + G[0]
    del NEWG
    return x + r, "NEWG" in globals()


@program(graphs=1)
def inplace(x):
    l = [1]
    m = l
    l += [2]
    l *= 2
    t = (1,)
    u = t
    t += (2,)
    s = {1}
    v = s
    s |= {2}
    s -= {1}
    d = {"a": 1}
    e = d
    d |= {"b": 2}
    n = 5
    n //= 2
    n **= 3
    n <<= 1
    n ^= 3
    n %= 7
    y = x.clone()
    z = y
    y += 1
    y *= 2
    return z, l is m, m, t is u, v, e, n


@program(graphs=1)
def comprehensions(x):
    a = 5
    return (
        x + 1,
        [i * j for i in range(3) for j in range(i) if i + j],
        {k: v for k, v in zip("ab", [1, 2])},
        {i % 2 for i in range(5)},
        [[a * i for i in range(j)] for j in range(3)],
        [(lambda: i)() for i in range(2)],
        list(i for i in [1] for _ in "ab"),
    )


@program(graphs=1)
def truth_identity(x):
    return (
        x + 1,
        not [],
        not {0},
        bool(""),
        [] or "d",
        0 and 1 / 0,
        None is None,
        (1,) == (1,),
        [1, 2] is [1, 2],
        not x is None,
        x is not None,
    )


@program(graphs=1)
def assertion(x):
    try:
        assert x.shape[0] == 99, f"bad {x.shape[0]}"
    except AssertionError as e:
        return x + 1, str(e)


@program(graphs=1)
def int_methods(x):
    return (
        x + 1,
        (255).to_bytes(2, "big"),
        int.from_bytes(b"\1\0", "big"),
        (10).bit_length(),
        (7).bit_count(),
        (3.5).as_integer_ratio(),
        (2.0).is_integer(),
        (1.5).hex(),
        float.fromhex("0x1p1"),
        (3 + 4j).conjugate(),
        abs(3 + 4j),
        7 // -2,
        -7 % 3,
        round(2.5),
        round(1234, -2),
        divmod(-7, 2),
        pow(2, -1),
        0.1 + 0.2,
        1e308 * 10,
        int("0x1f", 16),
        hex(255),
        bin(5),
        oct(8),
    )


@program(graphs=1)
def str_methods(x):
    s = "Hello World"
    return (
        x + 1,
        s.split(),
        s.partition(" "),
        s.replace("l", "L", 1),
        s.find("o", 5),
        s.center(15, "*"),
        s.swapcase(),
        s.translate(str.maketrans("lo", "01")),
        "a,b,,c".split(","),
        "\n".join(["a", "b"]).splitlines(),
        s.startswith(("He", "X")),
        "  a ".strip(),
        "abc".zfill(5),
        s.casefold(),
        "a\tb".expandtabs(4),
        s.encode(),
        s.isalpha(),
        "x".ljust(3) + "|",
        s.rindex("o"),
        s.removeprefix("He"),
        s.removesuffix("ld"),
        "ß".upper(),
        "%s" % s,
        s[::2],
        "é".encode("utf8").decode("utf8"),
        s.count("l"),
        s.title().istitle(),
    )


@program(graphs=1)
def bytes_methods(x):
    b = b"abc"
    return (
        x + b[0],
        b.hex(),
        bytes.fromhex("6162"),
        b + b"d",
        b[1:],
        list(b),
        b.decode(),
        b.upper(),
        b"a,b".split(b","),
        bytes(3),
        bytes([1, 2]),
        b.find(b"c"),
        b in b"xabcx",
        b"%d" % 5,
        b.replace(b"a", b"z"),
        b == b"abc",
        hash(b) == hash(b"abc"),
    )


@program(graphs=1)
def dict_views_ops(x):
    d = {"a": 1, "b": 2}
    k = d.keys()
    d["c"] = 3
    return (
        x + len(k),
        sorted(k & {"a"}),
        sorted(k | {"z"}),
        sorted(k - {"a"}),
        list(reversed(d)),
        d.items() >= {("a", 1)},
        list(d.values()),
        d.setdefault("q", []),
        d.pop("a"),
        dict.fromkeys("xy", 0),
        d | {"m": 1},
        sorted(d),
        "a" in k,
        d.get("none"),
        list(d.items())[0],
        d.popitem(),
    )


@program(graphs=1)
def all_of_itertools(x):
    it = itertools
    return (
        x + 1,
        list(it.accumulate([1, 2, 3], operator.mul)),
        list(it.batched("abc", 2)) if hasattr(it, "batched") else 0,
        list(it.chain([1], [2])),
        list(it.combinations("abc", 2)),
        list(it.compress("ab", [1, 0])),
        list(it.islice(it.count(1, 2), 3)),
        list(it.islice(it.cycle("ab"), 3)),
        list(it.dropwhile(lambda v: v < 2, [1, 2, 1])),
        list(it.filterfalse(bool, [0, 1])),
        [(k, list(g)) for k, g in it.groupby("aab")],
        list(it.pairwise("abc")),
        list(it.permutations("ab")),
        list(it.product("ab", [1, 2])),
        list(it.repeat(1, 2)),
        list(it.starmap(pow, [(2, 3)])),
        list(it.takewhile(lambda v: v < 2, [1, 2])),
        [list(t) for t in it.tee([1, 2])],
        list(it.zip_longest("a", "bc", fillvalue=0)),
    )


@program(graphs=1)
def collections_types(x):
    c = collections.Counter("abca")
    c.update("a")
    c2 = c - collections.Counter("a")
    dq = collections.deque([1, 2, 3], maxlen=3)
    dq.append(4)
    dq.rotate(1)
    dq.extendleft([9])
    cm = collections.ChainMap({"a": 1}, {"a": 2, "b": 3})
    cm["c"] = 5
    ud = collections.UserDict(a=1)
    ud["b"] = 2
    ul = collections.UserList([1])
    ul.append(2)
    us = collections.UserString("ab")
    od = collections.OrderedDict(a=1, b=2)
    od.move_to_end("a")
    dd = collections.defaultdict(list)
    dd["a"].append(1)
    return (
        x + 1,
        c.most_common(1),
        c2,
        list(dq),
        cm["a"],
        dict(cm),
        cm.maps[0],
        dict(ud),
        list(ul),
        str(us.upper()),
        list(od),
        dict(dd),
        c.total(),
        sorted(c.elements()),
    )


@program(graphs=1)
def types_made(x):
    T = type("T", (list,), {"f": lambda self: len(self)})
    ns = types.SimpleNamespace(a=1)
    f = types.FunctionType((lambda: 5).__code__, {})
    m = types.MethodType(lambda s: s.a, ns)
    C = types.new_class("C", (T,), {}, lambda d: d.update(z=3))
    return x + T([1, 2]).f(), ns, f(), m(), C.z, C([1]).f()


@program(graphs=1)
def locals_vars(x):
    a = 1
    b = [2]
    d = locals()

    class O:
        pass

    o = O()
    vars(o)["q"] = 5
    o.__dict__.update(r=6)
    return x + d["a"], d["b"] is b, o.q, o.r, sorted(k for k in d if k != "x"), vars(o)


@program(graphs=1)
def eval_exec(x):
    ns = {"n": 4}
    exec("def f(a):\n    return a * n\nr = f(3)", ns)
    return x + ns["r"], eval("n + 1", {"n": 2}), eval("[i for i in range(k)]", {}, {"k": 3}), ns["f"](5)


@program(graphs=1)
def builtin_misc(x):
    return (
        x + 1,
        all([]),
        any([0, 1]),
        list(enumerate("ab", 1)),
        list(filter(None, [0, 1])),
        list(map(lambda a, b: a + b, [1], [2])),
        max(1, 2, key=lambda v: -v),
        min([3], default=0),
        max([], default=9),
        list(reversed([1, 2])),
        sorted("ba", reverse=True),
        sum([[1], [2]], []),
        list(zip("ab", [1, 2])),
        callable(len),
        isinstance(True, int),
        divmod(7, 3),
        abs(-3),
        round(3.7),
        pow(2, 3, 5),
        chr(97),
        ord("a"),
        repr("a"),
        ascii("é"),
        type(1) is int,
        hash("a") == hash("a"),
        next(iter([]), 5),
        list(iter(iter([1, 2]).__next__, 2)),
        format(3.5, ".2f"),
        len({1}),
        slice(1, 2).start,
        complex("1+2j"),
        getattr(x, "ndim"),
        hasattr(x, "foo"),
        id(x) == id(x) if False else 1,
    )
