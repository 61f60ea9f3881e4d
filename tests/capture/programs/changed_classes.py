"""Classes that are changed between calls, and what their metaclasses make of them."""

import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import inspect
import math
import operator
import types

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def after(*actions):
    return [(X, meanwhile(action)) for action in actions]


class Meta1(type):
    kind = 1

    def __getitem__(cls, k):
        return 10


class Meta2(Meta1):
    kind = 2

    def __getitem__(cls, k):
        return 20

    def __call__(cls):
        return 5


class C(metaclass=Meta1):
    pass


@program(X, None, changed=after(lambda: setattr(C, "__class__", Meta2), lambda: setattr(C, "__class__", Meta1)))
def metaclass_assigned(x, _):
    return x + C.kind, C[0], type(C).__name__, isinstance(C(), C), isinstance(C, Meta2)


class GA(type):
    def __getattribute__(cls, name):
        if name == "special":
            return 99
        return super().__getattribute__(name)

    def __getattr__(cls, name):
        if name == "fall":
            return 7
        raise AttributeError(name)

    @property
    def prop(cls):
        raise AttributeError("inside prop")


class WithGA(metaclass=GA):
    special = 1

    @classmethod
    def cm(cls):
        return cls.special


@program(
    X,
    None,
    changed=after(lambda: setattr(GA, "__getattribute__", lambda c, n: 3), lambda: delattr(GA, "__getattribute__")),
)
def metaclass_getattribute(x, _):
    out = []
    for name in ("special", "fall", "prop", "none"):
        try:
            out.append(getattr(WithGA, name))
        except AttributeError as e:
            out.append(str(e))
    return x + 1, out, WithGA.special


class GB(type):
    def __getattr__(cls, name):
        return 7, name

    @property
    def prop(cls):
        raise AttributeError("inside prop")

    def __setattr__(cls, name, value):
        super().__setattr__(name, value * 2)

    def __dir__(cls):
        return ["a"]

    def __eq__(cls, o):
        return True

    def __hash__(cls):
        return 3

    def __repr__(cls):
        return "GB!"

    def __bool__(cls):
        return False

    def __add__(cls, o):
        return o + 5

    def __contains__(cls, o):
        return o == 2

    def __len__(cls):
        return 4


class WithGB(metaclass=GB):
    pass


@program(X, broken="metaclass defines")
def metaclass_operators(x):
    class Inner(metaclass=GB):
        b = 3

    WithGB.z = 4
    Inner.q = 5
    d = {WithGB: 1}
    return (
        x + (WithGB + 1),
        WithGB.prop,
        WithGB.other,
        WithGB == 3,
        WithGB != 3,
        bool(WithGB),
        repr(WithGB),
        f"{WithGB}",
        2 in WithGB,
        len(WithGB),
        WithGB.z,
        Inner.q,
        Inner.b,
        d.get(Inner),
        dir(WithGB),
        Inner in [WithGB],
        repr(Inner),
        Inner.nope,
        1 if Inner else 2,
    )


def fn(x):
    """Doc"""
    return x


@program(
    X,
    None,
    changed=after(
        lambda: setattr(fn, "__name__", "other"),
        lambda: setattr(fn, "__qualname__", "other.q"),
        lambda: setattr(fn, "__doc__", "new"),
        lambda: setattr(fn, "__module__", "elsewhere"),
        lambda: setattr(fn, "extra", 4),
        lambda: fn.__dict__.update(extra=5),
        lambda: setattr(fn, "__dict__", {"extra": 6}),
        lambda: setattr(fn, "__annotations__", {"x": int}),
        lambda: setattr(fn, "__wrapped__", len),
    ),
)
def names_of_functions(x, _):
    return (
        x + 1,
        fn.__name__,
        fn.__qualname__,
        fn.__doc__,
        fn.__module__,
        getattr(fn, "extra", None),
        fn.__annotations__,
        hasattr(fn, "__wrapped__"),
    )


class K:
    """doc"""

    x: int


@program(
    X,
    None,
    changed=after(
        lambda: setattr(K, "__name__", "other"),
        lambda: setattr(K, "__qualname__", "other.q"),
        lambda: setattr(K, "__doc__", "new"),
        lambda: setattr(K, "__module__", "elsewhere"),
        lambda: setattr(K, "__annotations__", {"y": int}),
    ),
)
def names_of_classes(x, _):
    return (
        x + 1,
        K.__name__,
        K.__qualname__,
        K.__doc__,
        K.__module__,
        type(K()).__name__,
        K.__annotations__,
        repr(K),
        K().__doc__,
    )


class NoArgs:
    def __init__(self, *a):
        self.a = a


@program(
    X,
    None,
    changed=after(
        lambda: setattr(NoArgs, "__new__", staticmethod(lambda cls, *a: 3)),
        lambda: setattr(NoArgs, "__init__", object.__init__),
    ),
)
def new_added(x, _):
    try:
        o = NoArgs(1, 2)
    except TypeError as e:
        return x + 1, str(e)
    return x + 1, getattr(o, "a", o if isinstance(o, int) else None)


class Sub(list):
    pass


LST = Sub([1, 2, 3])


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Sub, "__len__", lambda s: 50),
        lambda: setattr(Sub, "__iter__", lambda s: iter("ab")),
        lambda: setattr(Sub, "__getitem__", lambda s, i: i),
        lambda: setattr(Sub, "append", lambda s, i: None),
        lambda: setattr(Sub, "__contains__", lambda s, i: True),
        lambda: setattr(Sub, "__eq__", lambda s, i: "eq"),
    ),
    steady=False,
)
def subclass_of_list_changes(x, _):
    LST.append(4)
    return (
        x + len(LST),
        [*LST],
        LST[0],
        77 in LST,
        LST == [1],
        list(LST),
        tuple(LST),
        sum(i if isinstance(i, int) else 0 for i in LST),
        LST[:1],
    )


class DSub(dict):
    pass


DD = DSub(a=1, b=2)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(DSub, "__len__", lambda s: 50),
        lambda: setattr(DSub, "__iter__", lambda s: iter("ab")),
        lambda: setattr(DSub, "keys", lambda s: ["a"]),
        lambda: setattr(DSub, "__getitem__", lambda s, i: 5),
        lambda: setattr(DSub, "items", lambda s: [("q", 9)]),
        lambda: setattr(DSub, "__contains__", lambda s, i: True),
    ),
)
def subclass_of_dict_changes(x, _):
    def kw(**k):
        return k

    return (
        x + len(DD),
        [*DD],
        DD["a"],
        "zz" in DD,
        dict(DD),
        {**DD},
        kw(**DD),
        list(DD.items()),
        DD.get("a"),
        DD | {"c": 3},
        DSub(DD),
    )


def opaque(x, *, a=1, **kw):
    return x + a + len(kw)


KW = {"a": 2}


@program(
    X,
    None,
    changed=after(lambda: KW.update(b=3), lambda: KW.update(a=5.0), lambda: KW.pop("a"), lambda: KW.update({1: 2})),
)
def keywords_from_a_dict(x, _):
    try:
        return opaque(x, **KW)
    except TypeError as e:
        return str(e)


ARGS = [1, 2]


def star(x, a, b=5, *rest):
    return x + a + b + len(rest)


@program(
    X,
    None,
    changed=after(
        lambda: ARGS.append(3),
        lambda: ARGS.clear(),
        lambda: ARGS.append(True),
        lambda: globals().__setitem__("ARGS", iter([1, 2, 3])),
    ),
    steady=False,
)
def star_from_a_list(x, _):
    try:
        return star(x, *ARGS)
    except TypeError as e:
        return str(e)


class Prop:
    def __init__(self):
        self._v = 1

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, n):
        self._v = n * 2


PR = Prop()


@program(
    X,
    None,
    steady=False,
    changed=after(
        lambda: setattr(Prop, "v", Prop.v.getter(lambda s: 50)),
        lambda: setattr(Prop, "v", Prop.v.setter(lambda s, n: None)),
        lambda: setattr(Prop, "v", Prop.v.deleter(lambda s: setattr(s, "_v", -1))),
        lambda: PR.__dict__.update(v=1000),
        lambda: delattr(Prop, "v"),
    ),
)
def property_replaced(x, _):
    PR.v = 4
    try:
        del PR.v
    except AttributeError as e:
        err = str(e)
    else:
        err = None
    return x + getattr(PR, "v", 0), PR._v, err


class Cached:
    def __init__(self):
        self.calls = 0

    @functools.cached_property
    def cp(self):
        self.calls += 1
        return self.calls

    @functools.lru_cache(maxsize=2)
    def m(self, k):
        self.calls += 10
        return self.calls + k


CC = Cached()


@program(
    X,
    None,
    steady=False,
    broken=None,
    changed=after(
        lambda: CC.__dict__.pop("cp"),
        lambda: CC.__dict__.update(cp=100),
        lambda: Cached.m.cache_clear(),
        lambda: CC.m(5),
    ),
)
def cached_things(x, _):
    return x + CC.cp, CC.m(1), CC.m(2), CC.m(3), CC.calls, Cached.m.cache_info()


class Base:
    def hello(self):
        return "base"


class Mixin:
    def hello(self):
        return "mixin+" + super().hello()


class Both(Mixin, Base):
    pass


BO = Both()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Base, "hello", lambda s: "new"),
        lambda: delattr(Base, "hello"),
        lambda: setattr(Both, "__bases__", (Base, Mixin)),
        lambda: setattr(BO, "hello", lambda: "own"),
    ),
)
def super_follows(x, _):
    try:
        return x + 1, BO.hello()
    except AttributeError as e:
        return x + 1, str(e)


class Flag(enum.Flag):
    A = 1
    B = 2
    C = 4


class Strict(enum.Flag, boundary=enum.STRICT):
    A = 1
    B = 2


class Conform(enum.Flag, boundary=enum.CONFORM):
    A = 1
    B = 2


class Eject(enum.IntFlag, boundary=enum.EJECT):
    A = 1
    B = 2


class Keep(enum.IntFlag, boundary=enum.KEEP):
    A = 1
    B = 2


@program(X, Flag.A, changed=[(X, Flag.A | Flag.B), (X, Flag(0)), (X, ~Flag.A)])
def flags(x, f):
    try:
        s = Strict(9)
    except ValueError as e:
        s = str(e)
    return (
        x + f.value,
        f | Flag.C,
        f & Flag.A,
        ~f,
        f ^ Flag.B,
        bool(f),
        list(f),
        Flag.A in f,
        len(f),
        repr(f),
        str(f),
        s,
        Conform(9),
        Eject(9),
        type(Eject(9)).__name__,
        Keep(9),
        Keep(9).value,
        ~Keep.A,
        Flag["A"],
        f.name,
    )


COUNTER = collections.Counter("abracadabra")


@program(X, COUNTER, changed=[(X, collections.Counter()), (X, collections.Counter(a=-3, b=2))])
def counter_arithmetic(x, c):
    d = collections.Counter(a=1, z=3)
    e = collections.Counter(c)
    e.subtract("ab")
    c.update(["q", "q"])
    c["neg"] -= 2
    return (
        x + c.total(),
        c + d,
        c - d,
        c & d,
        c | d,
        +c,
        -c,
        e,
        c.most_common(2),
        list(d.elements()),
        c["missing"],
        c == d,
        c <= d,
        c >= +c,
        d.copy(),
        sum(c.values()),
        c.most_common()[-1:],
    )


@program(X)
def chain_maps(x):
    base = collections.ChainMap({"a": 1}, {"a": 2, "b": 3})
    child = base.new_child({"c": 4})
    child["a"] = 10
    child["b"] = 11
    del child["b"]
    child.maps[1]["d"] = 8
    try:
        del child["zzz"]
    except KeyError as e:
        err = str(e)
    return (
        x + child["a"],
        dict(child),
        list(child),
        child.parents,
        child.maps[0],
        len(child),
        child.pop("a"),
        child["a"],
        err,
        child | {"m": 1},
        base.new_child(q=1),
        "d" in base,
    )


@program(X, collections.ChainMap({"a": 1}, {"b": 2}))
def chain_map_argument(x, cm):
    cm["n"] = 5
    cm.maps.append({"z": 1})
    return x + cm["b"], list(cm), cm.get("zz", 3), {**cm}, bool(cm), cm.popitem(), cm
