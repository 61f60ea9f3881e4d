"""What a program reads is changed between calls: dicts, slots, protocols, tables, defaults, builtins."""

import abc
import builtins
import collections
import contextlib
import contextvars
import copy
import copyreg
import dataclasses
import decimal
import enum
import functools
import inspect
import io
import itertools
import logging
import math
import operator
import random
import string
import sys
import threading
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def after(*actions):
    return [(X, meanwhile(action)) for action in actions]


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Color.RED, "extra", 3),
        lambda: setattr(Color.RED, "extra", 4),
        lambda: setattr(Color.RED, "_value_", 50),
        lambda: setattr(Color, "label", property(lambda s: s.name)),
        lambda: delattr(Color.RED, "extra"),
    ),
)
def enum_member_changed(x, _):
    c = Color.RED
    return x + c.value, getattr(c, "extra", None), getattr(c, "label", None), c.name


@program(X, Color.RED, steady=False, changed=[(X, Color.BLUE)])
def enum_member_written(x, c):
    c.seen = getattr(c, "seen", 0) + 1
    return x + c.seen


class Obj:
    shared = [1]

    def __init__(self, **k):
        self.__dict__.update(k)


O1 = Obj(a=1, b=2)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(O1, "__dict__", {"a": 5}),
        lambda: O1.__dict__.clear(),
        lambda: setattr(O1, "__dict__", {"b": 1, "a": 2}),
        lambda: setattr(Obj, "a", 7),
        lambda: O1.__dict__.pop("a"),
    ),
)
def instance_dict_replaced(x, _):
    return x + getattr(O1, "a", 100), list(O1.__dict__), "b" in vars(O1), dict(vars(O1))


@program(
    X,
    None,
    steady=False,
    changed=after(
        lambda: Obj.shared.append(5),
        lambda: Obj.shared.clear(),
        lambda: setattr(Obj, "shared", (1, 2)),
        lambda: setattr(O1, "shared", [9]),
    ),
)
def class_container_changed(x, _):
    s = O1.shared
    if isinstance(s, list):
        s.append(len(s))
    return x + len(s), Obj.shared is s, list(Obj.shared)


def swap_len():
    builtins.oct = lambda o: "0o7"


REAL_OCT = builtins.oct


@program(
    X,
    None,
    changed=after(
        swap_len,
        lambda: setattr(builtins, "oct", REAL_OCT),
        lambda: setattr(builtins, "extra_builtin", 5),
        lambda: delattr(builtins, "extra_builtin"),
    ),
)
def builtins_replaced(x, _):
    try:
        e = extra_builtin
    except NameError as err:
        e = str(err)
    return x + len(oct(8)), e, oct(8)


SHADOW = 1


@program(
    X,
    None,
    changed=after(
        lambda: globals().pop("SHADOW"),
        lambda: setattr(builtins, "SHADOW", 9),
        lambda: globals().__setitem__("SHADOW", 3),
        lambda: delattr(builtins, "SHADOW"),
    ),
)
def global_then_builtin(x, _):
    try:
        return x + SHADOW
    except NameError as e:
        return str(e)


TABLE = {"a": lambda x: x + 1, "b": lambda x: x * 2}


@program(
    X,
    None,
    changed=after(
        lambda: TABLE.update(a=lambda x: x - 5),
        lambda: TABLE.update(c=abs),
        lambda: TABLE.pop("b"),
        lambda: TABLE.update(b=torch.neg),
    ),
)
def dispatch_table(x, _):
    for f in TABLE.values():
        x = f(x)
    return x, list(TABLE)


class Meth:
    def go(self, x, n=1, *, k=[1]):
        return x + n + len(k)


ME = Meth()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Meth.go, "__defaults__", (5,)),
        lambda: Meth.go.__kwdefaults__["k"].append(2),
        lambda: setattr(Meth.go, "__kwdefaults__", {"k": []}),
        lambda: setattr(Meth, "go", lambda self, x: x),
    ),
)
def method_parts_changed(x, _):
    return ME.go(x) + 1, ME.go is ME.go, ME.go == ME.go


class Shown:
    def __str__(self):
        return "str"

    def __eq__(self, o):
        return NotImplemented

    __hash__ = object.__hash__


SH = Shown()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Shown, "__str__", lambda s: "new"),
        lambda: setattr(Shown, "__format__", lambda s, f: "fmt" + f),
        lambda: setattr(Shown, "__repr__", lambda s: "repr"),
        lambda: delattr(Shown, "__str__"),
        lambda: setattr(Shown, "__len__", lambda s: 3),
        lambda: setattr(Shown, "__iter__", lambda s: iter((1, 2))),
        lambda: setattr(Shown, "__getitem__", lambda s, i: i),
        lambda: delattr(Shown, "__iter__"),
    ),
)
def texts_changed(x, _):
    try:
        l = list(itertools.islice(SH, 3))
    except TypeError as e:
        l = str(e)
    t = (
        (str(SH), f"{SH}", f"{SH:>4}" if "__format__" in vars(Shown) else 0)
        if "__repr__" in vars(Shown) or "__str__" in vars(Shown)
        else 0
    )
    return x + 1, l, t, bool(SH)


@typing.runtime_checkable
class Proto(typing.Protocol):
    def act(self): ...


class Impl:
    pass


IM = Impl()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(IM, "act", 1),
        lambda: delattr(IM, "act"),
        lambda: setattr(Impl, "act", lambda s: 1),
        lambda: setattr(Impl, "act", None),
    ),
)
def protocol_changes(x, _):
    return x + isinstance(IM, Proto), issubclass(Impl, Proto)


class Hook(abc.ABC):
    @classmethod
    def __subclasshook__(cls, c):
        return True if hasattr(c, "quack") else NotImplemented


class Duck:
    pass


class Duck2(Duck):
    pass


@program(X, None, changed=after(lambda: setattr(Duck2, "quack", 1), lambda: Hook.register(Duck)))
def subclass_hook_changes(x, _):
    return x + isinstance(Duck2(), Hook), issubclass(Duck, Hook), isinstance(Duck(), (int, Hook))


@dataclasses.dataclass
class DC:
    a: int = 1
    b: int = 2


@program(
    X,
    None,
    changed=after(
        lambda: DC.__dataclass_fields__.pop("b"),
        lambda: setattr(DC, "a", 9),
        lambda: setattr(DC, "__repr__", lambda s: "dc"),
    ),
)
def dataclass_fields_changed(x, _):
    d = DC(3)
    return (
        x + d.a,
        [f.name for f in dataclasses.fields(DC)],
        repr(d),
        dataclasses.asdict(d),
        dataclasses.is_dataclass(d),
    )


class Cp:
    def __init__(self):
        self.l = [1]


CPO = Cp()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Cp, "__copy__", lambda s: "copied"),
        lambda: setattr(Cp, "__deepcopy__", lambda s, m: "deep"),
        lambda: (delattr(Cp, "__copy__"), delattr(Cp, "__deepcopy__")),
        lambda: setattr(Cp, "__reduce_ex__", lambda s, p: (list, ((1, 2),))),
        lambda: copyreg.pickle(Cp, lambda o: (dict, ())),
    ),
    broken=None,
)
def copying_changed(x, _):
    c, d = copy.copy(CPO), copy.deepcopy(CPO)
    return x + 1, c, d, getattr(c, "l", None) is CPO.l


@program(
    X,
    None,
    changed=after(
        lambda: logging.getLogger("b10").setLevel(logging.DEBUG),
        lambda: logging.getLogger("b10").setLevel(logging.ERROR),
        lambda: logging.disable(logging.CRITICAL),
        lambda: logging.disable(logging.NOTSET),
    ),
)
def logging_levels(x, _):
    log = logging.getLogger("b10")
    return x + log.isEnabledFor(logging.INFO)


VAR = contextvars.ContextVar("VAR", default=1)


@program(X, None, broken=None, changed=after(lambda: VAR.set(2), lambda: VAR.set(True), lambda: VAR.set([1])))
def context_variables(x, _):
    v = VAR.get()
    return x + 1, v, VAR.get(7)


LOCAL = threading.local()


@program(
    X,
    None,
    changed=after(lambda: setattr(LOCAL, "v", 2), lambda: setattr(LOCAL, "v", 2.0), lambda: delattr(LOCAL, "v")),
)
def thread_local_changes(x, _):
    return x + getattr(LOCAL, "v", 0)


class Iter:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration("done")
        self.n -= 1
        return self.n


IT = Iter(20)


@program(
    X,
    None,
    steady=False,
    changed=after(
        lambda: setattr(IT, "n", 2),
        lambda: setattr(Iter, "__next__", lambda s: 5),
        lambda: setattr(IT, "__next__", lambda: 9),
    ),
)
def user_iterator_across_calls(x, _):
    a = next(IT, None)
    b = [v for v, _ in zip(IT, range(3))]
    return x + 1, a, b, IT.n


def gen(n):
    total = 0
    while total < n:
        got = yield total
        total += got or 1


def at(steps, n=10):
    g = gen(n)
    for _ in range(steps):
        next(g)
    return g


def generator_positions():
    steps = iter([0, 1, 1, 3, 0, 10, 11])

    def f(x, g):
        return x + next(g, 50), next(g, None)

    def make():
        return X.clone(), at(next(steps, 2), 10)

    return f, make


program(make=True, steady=False, broken=None)(generator_positions)


class Inner:
    def __init__(self, v):
        self.v = v


class Outer:
    def __init__(self, v):
        self.inner = Inner(v)
        self.same = self.inner


def two_outers(same):
    a = Outer(1)
    b = Outer(1)
    if same:
        b.inner = a.inner
    return a, b


@program(X, *two_outers(True), changed=[(X, *two_outers(False)), (X, *two_outers(True)), (X, Outer(2), Outer(1))])
def shared_inner_objects(x, a, b):
    a.inner.v += 10
    b.same.v += 1
    return x + b.inner.v, a.inner is b.inner, b.same is b.inner, a.same.v


@program(
    X,
    {"a": [1, {"b": (2, [3])}]},
    changed=[
        (X, {"a": [1, {"b": (2, [4])}]}),
        (X, {"a": [1, {"b": (2, [3, 3])}]}),
        (X, {"a": [1, {"b": [2, [3]]}]}),
        (X, {"a": [1, {"c": (2, [3])}]}),
    ],
)
def deep_structure(x, d):
    try:
        d["a"][1]["b"][1].append(9)
        return x + d["a"][1]["b"][1][0], d
    except KeyError as e:
        return x - 1, str(e)


CTX = decimal.Context(prec=4)


@program(
    X,
    None,
    broken=None,
    changed=after(
        lambda: decimal.getcontext().__setattr__("prec", 5), lambda: decimal.getcontext().__setattr__("prec", 28)
    ),
)
def decimal_context(x, _):
    return x + 1, str(decimal.Decimal(1) / decimal.Decimal(3))


WRAPPED = functools.wraps(dispatch_table)(lambda x: x + 7)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(WRAPPED, "__wrapped__", abs),
        lambda: delattr(WRAPPED, "__wrapped__"),
        lambda: setattr(WRAPPED, "__name__", "n"),
    ),
)
def wrapped_attributes(x, _):
    return (
        WRAPPED(x),
        WRAPPED.__name__,
        getattr(WRAPPED, "__wrapped__", None) is abs,
        inspect.unwrap(WRAPPED) is WRAPPED,
    )


class Base:
    __slots__ = ("a",)


class WithDict(Base):
    b = 5


WDI = WithDict()
WDI.a = 1


@program(
    X,
    None,
    broken=None,
    changed=after(
        lambda: setattr(WDI, "c", 3),
        lambda: setattr(WDI, "a", 2.0),
        lambda: delattr(WDI, "a"),
        lambda: setattr(WithDict, "a", 77),
        lambda: setattr(WDI, "b", 8),
    ),
)
def slots_and_inheritance(x, _):
    return x + getattr(WDI, "a", -1), WDI.b, vars(WDI)


NS = {}
exec("def fun(x):\n    return x + K\nK = 1", NS)
FUN = NS["fun"]


@program(
    X,
    None,
    changed=after(
        lambda: NS.update(K=5),
        lambda: NS.pop("K"),
        lambda: NS.update(K=torch.ones(3)),
        lambda: NS.update(__builtins__={"K": 3}),
        lambda: NS.pop("K"),
    ),
)
def function_of_other_globals(x, _):
    try:
        return FUN(x)
    except NameError as e:
        return x + 1, str(e)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(function_of_itself, "__defaults__", (3,)), lambda: setattr(function_of_itself, "attr", 7)
    ),
)
def function_of_itself(x, _, n=1):
    return x + n, getattr(function_of_itself, "attr", None), function_of_itself.__defaults__
