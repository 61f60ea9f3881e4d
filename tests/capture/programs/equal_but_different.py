"""Arguments and state that are equal to what they were before, and yet others."""

import abc
import array
import collections
import contextlib
import copy
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import functools
import heapq
import inspect
import itertools
import math
import operator
import os
import pathlib
import random
import re
import string
import sys
import textwrap
import types
import typing
import uuid
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def after(*actions):
    return [(X, meanwhile(action)) for action in actions]


EQUAL = [
    0.0,
    -0.0,
    0,
    False,
    0j,
    complex(0.0, -0.0),
    complex(-0.0, 0.0),
    1,
    True,
    1.0,
    float("nan"),
    range(0),
    range(5, 5),
    range(0, 6, 2),
    range(0, 5, 2),
    (0.0,),
    (-0.0,),
    (0,),
    (False,),
    [0.0],
    [-0.0],
    [0],
    {0.0},
    {-0.0},
    {0},
    {False},
    frozenset([1]),
    frozenset([True]),
    frozenset([1.0]),
    {0.0: 1},
    {-0.0: 1},
    {0: 1},
    {False: 1},
    {0: True},
    {0: 1.0},
    {(0.0,): 1},
    {(-0.0,): 1},
    {(0,): 1},
    slice(1, 2),
    slice(True, 2),
    slice(1.0, 2),
    slice(0.0),
    slice(-0.0),
    decimal.Decimal("1.0"),
    decimal.Decimal("1.00"),
    decimal.Decimal("1"),
    fractions.Fraction(1),
    collections.OrderedDict({1: 2}),
    collections.OrderedDict({True: 2}),
    collections.Counter({1: 1}),
    collections.Counter({True: 1}),
    collections.deque([0.0]),
    collections.deque([-0.0]),
    collections.deque([0], maxlen=3),
    collections.deque([0], maxlen=4),
    list[int],
    list[bool],
    typing.List[int],
    int | str,
    typing.Union[int, str],
    typing.Optional[int],
    "a",
    b"a",
    bytearray(b"a"),
    torch.Size([1]),
    (1,),
    torch.float32,
    torch.device("cpu"),
    torch.device("cpu", 0),
    torch.strided,
    dt.timedelta(1),
    dt.timedelta(0, 86400),
    dt.date(2020, 1, 1),
    dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc),
    pathlib.PurePosixPath("a"),
    pathlib.PurePosixPath("a/"),
    uuid.UUID(int=1),
    types.SimpleNamespace(a=0.0),
    types.SimpleNamespace(a=-0.0),
    Ellipsis,
    NotImplemented,
    None,
]


@program(X, EQUAL[0], broken=None, steady=False, changed=[(X, v) for v in EQUAL])
def equal_but_different(x, v):
    return x + 1, repr(v), type(v).__name__, v


@program(X, [EQUAL[0]], broken=None, steady=False, changed=[(X, [v]) for v in EQUAL[:62]])
def equal_but_different_inside(x, v):
    return x + 1, repr(v), v[0], str(v[0])


@program(X, EQUAL[0], broken=None, steady=False, changed=[(X, v) for v in EQUAL[:62]])
def equal_but_different_in_contents(x, v):
    if isinstance(v, (list, tuple, set, frozenset, dict, collections.deque)):
        return x + 1, [(type(i).__name__, str(i)) for i in v]
    return x + 1, isinstance(v, int), v


class O:
    pass


HOLD = O()
HOLD.v = 0.0


def hold(v):
    return lambda: setattr(HOLD, "v", v)


@program(X, None, broken=None, steady=False, changed=after(*[hold(v) for v in EQUAL[:40]]))
def equal_but_different_in_attribute(x, _):
    v = HOLD.v
    return x + 1, repr(v)


def key(v):
    def act():
        TABLE.clear()
        TABLE[v] = 1

    return act


TABLE = {0: 1}
HASHABLE = [v for v in EQUAL[:46] if type(v).__hash__ is not None and not isinstance(v, slice)]


@program(X, None, broken=None, steady=False, changed=after(*[key(v) for v in HASHABLE]))
def equal_but_different_as_key(x, _):
    return x + 1, repr(TABLE), TABLE.get(0), TABLE.get(1), 0 in TABLE, [type(k).__name__ for k in TABLE]


@program(X, None, broken=None, steady=False, changed=after(*[key(v) for v in HASHABLE]))
def equal_but_different_as_first_key(x, _):
    k = next(iter(TABLE), None)
    return x + 1, repr(k), k


MOD = types.ModuleType("made_module_b6")
MOD.v = 1
sys.modules["made_module_b6"] = MOD
sys.modules.pop("made_module_b6.sub", None)


def replace_module():
    m = types.ModuleType("made_module_b6")
    m.v = 5
    sys.modules["made_module_b6"] = m


def submodule():
    m = types.ModuleType("made_module_b6.sub")
    m.w = 7
    sys.modules["made_module_b6.sub"] = m
    sys.modules["made_module_b6"].sub = m
    sys.modules["made_module_b6"].__path__ = []


@program(
    X,
    None,
    broken=None,
    changed=after(
        replace_module,
        lambda: sys.modules.__setitem__("made_module_b6", None),
        lambda: sys.modules.pop("made_module_b6"),
        replace_module,
        submodule,
    ),
)
def import_in_function(x, _):
    try:
        import made_module_b6
        from made_module_b6 import v
    except ImportError as e:
        return x + 1, type(e).__name__
    try:
        import made_module_b6.sub as s

        w = s.w
    except ImportError as e:
        w = type(e).__name__
    return x + v, made_module_b6.v, w


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @classmethod
    def _missing_(cls, value):
        for m in cls:
            if m.name == value:
                return m
        return None

    @property
    def pretty(self):
        return self.name.title()


@program(X, "RED", changed=[(X, 1), (X, "no"), (X, 2), (X, Color.RED), (X, True), (X, 1.0), (X, "CRIMSON")])
def enum_missing(x, v):
    try:
        c = Color(v)
    except ValueError as e:
        return x + 1, str(e)
    return (
        x + c.value,
        c,
        c.pretty,
        c is Color.CRIMSON,
        list(Color),
        Color.__members__["CRIMSON"],
        len(Color),
        c in Color,
        [m for m in reversed(Color)],
    )


@program(
    X,
    None,
    changed=after(
        lambda: os.environ.__setitem__("B6_FLAG", "1"),
        lambda: os.environ.__setitem__("B6_FLAG", "2"),
        lambda: os.environ.pop("B6_FLAG"),
    ),
)
def environment(x, _):
    return x + int(os.environ.get("B6_FLAG", "0")), os.getenv("B6_FLAG"), "B6_FLAG" in os.environ


@program(
    X,
    (lambda: 1),
    changed=[
        (X, (lambda: 2)),
        (X, len),
        (X, max),
        (X, int),
        (X, O),
        (X, functools.partial(int, "3")),
        (X, [].append),
        (X, "abc".upper),
        (X, print),
    ],
)
def callables_as_arguments(x, f):
    return x + 1, callable(f), isinstance(f, type), type(f).__name__, f.__name__ if hasattr(f, "__name__") else None


def closure_of(n):
    def f(x):
        return x + n

    return f


@program(
    X,
    closure_of(1),
    changed=[(X, closure_of(2)), (X, closure_of(2.0)), (X, closure_of(tensor(3))), (X, closure_of(True))],
)
def closures_as_arguments(x, f):
    return f(x), f.__closure__[0].cell_contents


class Meth:
    def __init__(self, n):
        self.n = n

    def go(self, x):
        return x * self.n

    @classmethod
    def cl(cls, x):
        return x + 1

    @staticmethod
    def st(x):
        return x + 2


@program(
    X,
    Meth(2).go,
    changed=[
        (X, Meth(3).go),
        (X, Meth.cl),
        (X, Meth.st),
        (X, Meth(2).cl),
        (X, types.MethodType(lambda s, x: x - s, 5)),
    ],
)
def methods_as_arguments(x, f):
    return f(x), getattr(f, "__self__", None) is Meth


@program(
    X,
    functools.partial(operator.add, 1),
    changed=[
        (X, functools.partial(operator.sub, 1)),
        (X, functools.partial(operator.add, 2)),
        (X, functools.partial(torch.add, alpha=3, other=1)),
        (X, operator.methodcaller("sum", 0)),
        (X, operator.itemgetter(0)),
        (X, operator.itemgetter(0, 1)),
        (X, operator.attrgetter("T")),
    ],
)
def partials_as_arguments(x, f):
    return f(x)


D1 = {"a": 1, "b": 2}
VIEW = D1.keys()
ITEMS = D1.items()


@program(X, None, broken=None, changed=after(lambda: D1.update(c=3), lambda: D1.pop("a"), lambda: D1.update(a=9)))
def views_from_before(x, _):
    return (
        x + len(VIEW),
        list(VIEW),
        "c" in VIEW,
        list(ITEMS),
        ("b", 2) in ITEMS,
        sorted(VIEW & {"a", "b"}),
        VIEW == {"b"},
    )


PROXY = types.MappingProxyType(D1)


@program(X, None, changed=after(lambda: D1.update(z=3), lambda: D1.clear(), lambda: D1.update(q=1)))
def proxies_from_before(x, _):
    return x + len(PROXY), dict(PROXY), PROXY.get("z"), list(PROXY), "q" in PROXY


class UD(collections.UserDict):
    def __setitem__(self, k, v):
        super().__setitem__(k.upper(), v)


class UL(collections.UserList):
    pass


class US(collections.UserString):
    pass


UDD, ULL = UD(a=1), UL([1, 2])


@program(X, None, steady=False, changed=after(lambda: UDD.update(b=2), lambda: ULL.append(3), lambda: UDD.data.clear()))
def user_collections(x, _):
    UDD["n"] = len(UDD)
    ULL.append(len(ULL))
    u = US("abc")
    return (
        x + len(ULL),
        dict(UDD),
        UDD.get("N"),
        "n" in UDD,
        ULL[1:],
        ULL + [1],
        u.upper(),
        u + "d",
        u == "abc",
        UDD | {"k": 1},
        ULL * 2,
        sorted(ULL, reverse=True),
        u[0],
        UL(ULL) == ULL,
        UDD.copy(),
    )


@program(
    X, array.array("i", [1, 2]), broken=None, changed=[(X, array.array("i", [1, 3])), (X, array.array("f", [1, 2]))]
)
def arrays(x, a):
    return x + len(a), a[1], list(a), a.typecode, sum(a)


@program(X, bytearray(b"abc"), broken=None, changed=[(X, bytearray(b"abd")), (X, bytearray(b"ab")), (X, b"abc")])
def bytearrays(x, b):
    return x + len(b), b[0], bytes(b), b.upper(), b == b"abc"


@program(X, b"abc", broken=None)
def memoryviews(x, b):
    m = memoryview(b)
    return x + len(m), m[1], bytes(m[1:]), m.tolist(), m.format, m.readonly


@program(
    X,
    types.SimpleNamespace(a=1, b=[2]),
    changed=[
        (X, types.SimpleNamespace(b=[2], a=1)),
        (X, types.SimpleNamespace(a=1)),
        (X, types.SimpleNamespace(a=2, b=[2], c=3)),
    ],
)
def namespaces(x, n):
    n.new = getattr(n, "b", None)
    return x + n.a, n, repr(n), vars(n), n == types.SimpleNamespace(a=1)


class TupleSub(tuple):
    def __getitem__(self, i):
        return 100 + super().__getitem__(i)

    def __iter__(self):
        return iter([7, 8])

    def __len__(self):
        return 9


@program(X, TupleSub([1, 2]), changed=[(X, (1, 2)), (X, TupleSub([1])), (X, [1, 2])])
def tuple_subclass(x, t):
    a, b = t if len(t) != 2 else (5, 6)
    return (
        x + t[0],
        len(t),
        list(t),
        a,
        b,
        tuple(t),
        t == (1, 2),
        t[0:1] if type(t) is not TupleSub else 0,
        1 in t,
        [*t],
        max(t),
        sum(t),
        (lambda *k: k)(*t),
    )


class FloatSub(float):
    def __mul__(self, o):
        return "mul"

    def __float__(self):
        return 9.0


@program(X, FloatSub(1.5), changed=[(X, 1.5), (X, FloatSub(2.5))])
def float_subclass(x, f):
    return f * 2, 2 * f, f + 1, float(f), math.floor(f), math.sqrt(f), str(f), f == 1.5, {f: 1}, int(f), round(f), -f


class SetSub(set):
    def __contains__(self, i):
        return i == "magic"

    def add(self, i):
        super().add((i, i))


@program(X, SetSub([1]), changed=[(X, {1}), (X, SetSub([1, 2]))])
def set_subclass(x, s):
    s.add(3)
    return (
        x + len(s),
        "magic" in s,
        1 in s,
        s == {1, (3, 3)},
        type(s | {5}).__name__,
        type(s.copy()).__name__,
        len(s | {5}),
        s >= {1},
    )


INST = O()
INST.f = lambda x: x + 1


@program(
    X,
    None,
    broken=None,  # a partial in a class warns from Python 3.13 on
    changed=after(
        lambda: setattr(INST, "f", lambda x: x + 2),
        lambda: setattr(O, "f", lambda self, x: x * 9),
        lambda: delattr(INST, "f"),
        lambda: setattr(O, "f", staticmethod(lambda x: x * 8)),
        lambda: setattr(O, "f", classmethod(lambda cls, x: x * 7)),
        lambda: setattr(O, "f", functools.partial(lambda x: x * 6)),
        lambda: setattr(O, "f", functools.partialmethod(lambda self, y, x: x * y, 4)),
    ),
)
def callable_attribute(x, _):
    return INST.f(x)


W = [O()]
WD = weakref.WeakValueDictionary(k=W[0])
WK = weakref.WeakKeyDictionary({W[0]: 5})


@program(
    X,
    None,
    broken=None,
    changed=after(lambda: WD.__setitem__("z", INST), lambda: W.clear(), lambda: WK.__setitem__(INST, 4)),
)
def weak_dicts_from_before(x, _):
    return x + len(WD), sorted(WD.keys()), len(WK), WK.get(INST), WD.get("k") is None
