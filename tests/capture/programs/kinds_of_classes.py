"""Coroutines, data classes, enumerations and typing tools of every kind."""

import collections
import contextlib
import dataclasses
import enum
import functools
import itertools
import math
import operator
import types
import typing

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def run(coro):
    try:
        while True:
            coro.send(None)
    except StopIteration as e:
        return e.value


class Wait:
    def __init__(self, n):
        self.n = n

    def __await__(self):
        for i in range(self.n):
            yield i
        return self.n * 10


@program
def coroutines(x):
    log = []

    async def inner(n):
        log.append(("start", n))
        try:
            r = await Wait(n)
        finally:
            log.append(("end", n))
        return r

    async def agen(n):
        try:
            for i in range(n):
                yield i
                await Wait(1)
        finally:
            log.append("agen done")

    class AM:
        async def __aenter__(self):
            await Wait(1)
            return 5

        async def __aexit__(self, t, v, tb):
            log.append(t and t.__name__)
            return t is KeyError

    async def outer():
        total = await inner(2) + await inner(3)
        async for i in agen(3):
            total += i
        async with AM() as v:
            total += v
            raise KeyError
        got = [i async for i in agen(2) if i]
        return total, got, [await inner(1) for _ in range(2)], {k: v async for k, v in pairs()}

    async def pairs():
        yield "a", 1
        yield "b", 2

    r = run(outer())
    return x + r[0], r, log


@program(broken="async_generator_asend")
def asynchronous_generators(x):
    log = []

    async def g():
        try:
            got = yield 1
            log.append(got)
            yield 2
        except ValueError as e:
            log.append(str(e))
            yield 3
        finally:
            log.append("fin")

    def step(aw):
        try:
            aw.send(None)
        except StopIteration as e:
            return e.value

    a = g()
    out = [step(a.__anext__()), step(a.asend("s")), step(a.athrow(ValueError("v")))]
    step(a.aclose())
    try:
        step(anext(a))
    except StopAsyncIteration:
        out.append("stopped")
    out.append(step(anext(g(), "default")))
    return x + len(out), out, log


@dataclasses.dataclass(order=True)
class Ver:
    major: int
    minor: int = dataclasses.field(default=0, compare=True)
    tags: list = dataclasses.field(default_factory=list, compare=False, repr=False)
    name: str = dataclasses.field(init=False, default="n")
    _: dataclasses.KW_ONLY
    pre: str = ""

    @property
    def text(self):
        return f"{self.major}.{self.minor}{self.pre}"


@dataclasses.dataclass(eq=False)
class NoEq:
    a: int = 1


@dataclasses.dataclass(unsafe_hash=True)
class Hs:
    a: int
    b: str = dataclasses.field(hash=False, default="x")


@dataclasses.dataclass(frozen=True)
class Fr:
    a: tuple

    def __post_init__(self):
        object.__setattr__(self, "b", len(self.a))


@dataclasses.dataclass
class Sub(Ver):
    extra: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        self.extra["k"] = self.major


@program(X, Ver(1, 2, pre="a"), changed=[(X, Ver(1, 3)), (X, Sub(1, 2))])
def dataclasses_of_every_kind(x, v):
    w = dataclasses.replace(v, minor=9)
    out = [
        v < w,
        v == w,
        v <= w,
        sorted([w, v])[0] is v,
        repr(w),
        v.text,
        w.tags is v.tags,
        hash(Hs(1)) == hash(Hs(1, "y")),
        Hs(1) == Hs(1, "y"),
        NoEq() == NoEq(),
        Fr((1, 2)).b,
    ]
    s = Sub(3, extra={"a": 1})
    out += [
        s,
        dataclasses.asdict(s),
        dataclasses.astuple(v),
        [(f.name, f.default is dataclasses.MISSING, f.init) for f in dataclasses.fields(s)],
        s.extra,
    ]
    for bad in (
        lambda: Ver(),
        lambda: Ver(1, 2, 3, 4),
        lambda: dataclasses.replace(v, name="q"),
        lambda: setattr(Fr(()), "a", 1),
        lambda: hash(v),
        lambda: v < 3,
        lambda: dataclasses.asdict(3),
        lambda: Ver(1, nope=2),
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    v.tags.append(1)
    return x + v.major, out, v


class Planet(enum.Enum):
    EARTH = (1.0, "blue")
    MARS = (0.5, "red")

    def __init__(self, mass, color):
        self.mass = mass
        self.color = color

    @property
    def heavy(self):
        return self.mass > 0.7

    @classmethod
    def lightest(cls):
        return min(cls, key=lambda p: p.mass)


class Num(enum.IntEnum):
    ONE = 1
    TWO = enum.auto()
    DOS = 2


class Txt(enum.StrEnum):
    A = enum.auto()
    B = "bee"


class Ord(enum.Enum):
    LOW = 1
    HIGH = 2

    def __lt__(self, o):
        return self.value < o.value


class Fl(enum.IntFlag):
    R = 4
    W = 2
    X = 1
    RW = 6


@program(X, Planet.EARTH, Num.ONE, changed=[(X, Planet.MARS, Num.TWO), (X, Planet.EARTH, Num.DOS)])
def enums_of_every_kind(x, p, n):
    out = [p.mass, p.heavy, p.color, Planet.lightest(), Planet((1.0, "blue")), p.name, repr(p), str(p), f"{p}"]
    out += [
        n + 1,
        n * 2,
        [10, 20, 30][n],
        n == 1,
        n is Num.ONE,
        str(n),
        f"{n}",
        f"{n:03d}",
        repr(n),
        Num(2) is Num.DOS,
        list(Num),
        Num.DOS.name,
        isinstance(n, int),
        {1: "a"}.get(n),
        n in (1, 5),
        max(Num),
        sum(Num),
        Num["TWO"],
    ]
    out += [
        Txt.A,
        Txt.A == "a",
        Txt.B.upper(),
        "x" + Txt.B,
        f"{Txt.B}",
        str(Txt.A),
        {"bee": 1}[Txt.B],
        Txt("a"),
        isinstance(Txt.A, str),
        ",".join(Txt),
    ]
    out += [
        sorted([Ord.HIGH, Ord.LOW]),
        Fl.R | Fl.X,
        Fl.RW & Fl.W,
        ~Fl.R,
        Fl(5),
        list(Fl(5)),
        Fl.W in Fl.RW,
        int(Fl.RW),
        bool(Fl(0)),
        Fl.R | 8,
        repr(Fl(3)),
        Fl.RW.name,
        Fl.R ^ Fl.RW,
    ]
    for bad in (
        lambda: Planet("x"),
        lambda: Planet["NOPE"],
        lambda: Planet.NOPE,
        lambda: setattr(Planet, "EARTH", 1),
        lambda: Num(9),
        lambda: Txt("zz"),
        lambda: p < Planet.MARS,
        lambda: delattr(Num, "ONE"),
        lambda: type("E2", (Planet,), {}),
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    return x + n, out


T = typing.TypeVar("T")


class Stack(typing.Generic[T]):
    def __init__(self, items: typing.Iterable[T] = ()):
        self.items = list(items)

    def push(self, item: T) -> "Stack[T]":
        self.items.append(item)
        return self

    def __class_getitem__(cls, item):
        return super().__class_getitem__(item)


class NT(typing.NamedTuple):
    a: int
    b: str = "b"

    def both(self):
        return f"{self.a}{self.b}"


class TD(typing.TypedDict, total=False):
    a: int


@program(broken=None)  # typing keeps what it made in caches
def typing_tools(x):
    s = Stack[int]([1]).push(2)
    n = NT(3)
    a, b = n
    t: TD = TD(a=1)
    return (
        x + n.a,
        s.items,
        n.both(),
        a,
        b,
        n._replace(b="c"),
        t,
        typing.cast(int, "s"),
        typing.get_type_hints(NT),
        NT.__annotations__,
        typing.get_args(dict[str, int]),
        typing.get_origin(list[int]),
        isinstance([], typing.Sequence),
        isinstance({}, collections.abc.Mapping),
        isinstance(3, int | str),
        issubclass(bool, int | None),
        Stack[int].__args__,
        list[int]([1]),
        typing.Optional[int] == int | None,
        n == (3, "b"),
        NT._fields,
    )
