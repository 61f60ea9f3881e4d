"""What guards have to see, and what effects have to leave."""

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
import random
import sys
import types
import typing
import warnings
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


class Obj:
    cl = []
    n = 1

    def __init__(self, **k):
        self.__dict__.update(k)


@program(
    X, Obj(a=1), changed=[(X, Obj(a=2)), (X, Obj(b=1)), (X, Obj(a=1, b=2)), (X, Obj(a=1.0)), (X, Obj(a=True))], graphs=1
)
def attrs(x, o):
    return x + getattr(o, "a", 10), hasattr(o, "b"), list(vars(o))


@program(X, 0.0, changed=[(X, -0.0), (X, float("nan")), (X, float("inf")), (X, 0), (X, False)], graphs=1)
def floats(x, f):
    return x + 1, math.copysign(1, f), f == f, repr(f)


@program(X, [1], changed=[(X, [1, 2]), (X, []), (X, (1,)), (X, {1: 2}), (X, "a")], graphs=1)
def kinds(x, l):
    return x + len(l), type(l).__name__


def two():
    l = [1, 2]
    return l, l


@program(X, *two(), changed=[(X, [1, 2], [1, 2]), (X, *two())], graphs=1)
def alias_lists(x, a, b):
    a.append(5)
    return x + len(b), a is b


t = tensor(4)


@program(t, t, changed=[(tensor(4), tensor(4)), (t, t[:]), (t, t.view(2, 2).view(4))], graphs=1)
def alias_tensors(a, b):
    a.add_(1)
    return a + b, a is b


base = tensor(8)


@program(base[:5], base[3:], changed=[(tensor(5), tensor(5)), (base[:4], base[4:])], graphs=1)
def overlap(a, b):
    a.mul_(2)
    b.add_(1)
    return a.sum() + b.sum()


@program(X, iter([1, 2, 3]), changed=[(X, iter([1])), (X, iter([])), (X, iter((1, 2)))], graphs=1)
def iter_arg(x, it):
    return x + next(it, 50), next(it, None)


@program(X, {"a": 1, "b": 2}, changed=[(X, {"b": 2, "a": 1}), (X, {"a": 1}), (X, {"a": 1, "b": 3})], graphs=1)
def dict_order(x, d):
    first = next(iter(d))
    d["new"] = d.pop(first)
    return x + len(first), list(d)


@program(X, steady=False, graphs=1)
def class_list(x):
    Obj.cl.append(len(Obj.cl))
    Obj.n += 1
    return x + Obj.n


@program(X, steady=False, graphs=1)
def default_mut(x, acc=[]):
    acc.append(len(acc))
    return x + len(acc), acc


def make_closure():
    n = 0
    l = []

    def f(x):
        nonlocal n
        n += 1
        l.append(n)
        return x + n

    return f, (X,)


program(make=True, steady=False, graphs=1)(make_closure)


def make_two():
    n = 1

    def g():
        nonlocal n
        n *= 2

    def f(x):
        g()
        g()
        return x + n

    return f, (X,)


program(make=True, steady=False, graphs=1)(make_two)


class Meth:
    def __init__(self):
        self.k = 3
        self.hist = []

    def run(self, x):
        self.k += 1
        self.hist.append(self.k)
        self.__dict__["z"] = x * 2
        return self


@program(X, Meth(), graphs=1)
def method_effects(x, o):
    return o.run(x).run(x).z + o.k


@program(X, graphs=0)
def cyc(x):
    a = {}
    a["me"] = a
    l = [a, x]
    l.append(l)
    a["l"] = l
    return l


@program(X, [], graphs=1)
def shared_out(x, out):
    t = [x + 1]
    out.append(t)
    out.append(t)
    return t, (t, out)


@program(X, changed=[(X, meanwhile(lambda: None))], graphs=1)
def builtin_shadow(x, q=None):
    return x + len([1, 2])


LEN = len


@program(X, steady=False, graphs=1)
def builtin_shadow2(x):
    global len
    y = x + len([1, 2])
    len = lambda v: 50
    z = y + len([])
    del len
    return z + len([1])


@program(X, steady=False, graphs=1)
def module_attr(x):
    math.my_attr = getattr(math, "my_attr", 0) + 1
    r = x + math.my_attr
    if math.my_attr == 3:
        del math.my_attr
    return r


def helper(a, b=2, *, c=3):
    return a * b + c


@program(X, steady=False, broken=None)
def change_defaults(x):
    r = helper(x)
    helper.__defaults__ = (helper.__defaults__[0] + 1,)
    helper.__kwdefaults__["c"] += 1
    return r


def h1(x):
    return x + 1


def h2(x):
    return x * 2


@program(X, steady=False, broken=None)
def change_code(x):
    r = h1(x)
    h1.__code__, h2.__code__ = h2.__code__, h1.__code__
    return r


@program(X, steady=False, graphs=1)
def rebase(x):
    class A:
        def f(self):
            return 1

    class B:
        def f(self):
            return 2

    class C(A):
        pass

    c = C()
    a = c.f()
    C.__bases__ = (B,)
    b = c.f()
    c.__class__ = A
    return x + a + b + c.f()


@program(X, collections.deque([1, 2], maxlen=2), graphs=1)
def deque_eff(x, d):
    d.append(5)
    d.rotate(1)
    return x + d[0], d


@program(X, {1, 2}, changed=[(X, {1}), (X, {2, 1, 3})], graphs=1)
def set_eff(x, s):
    s.add(7)
    s.discard(1)
    return x + len(s)


@program(X, collections.OrderedDict(a=1, b=2), collections.defaultdict(list), collections.Counter("aab"), graphs=1)
def coll_eff(x, o, d, c):
    o.move_to_end("a")
    d["k"].append(x * 2)
    c["z"] += 3
    c.update("bb")
    return x + c["b"]


@program(X, [3, 1, 2], graphs=1)
def sort_eff(x, l):
    l.sort(key=lambda v: -v)
    l[1:2] = [x, x]
    del l[0]
    return x + len(l)


@program(X, Obj(a=1), graphs=1)
def del_attr(x, o):
    del o.a
    o.b = 2
    try:
        o.a
    except AttributeError as e:
        return x + o.b, str(e)


@program(X, [X, X], graphs=1)
def inplace_list_tensor(x, l):
    l[0] += 1
    l[1] = l[1] * 2
    return l[0] is x, l


@program(X, 5, changed=[(X, 6), (X, 2**70), (X, -1), (X, "s"), (X, None), (X, 5.0)], graphs=1)
def const_arg(x, n):
    if isinstance(n, int):
        return x + (n % 1000)
    return x, n


@program(X, int, changed=[(X, float), (X, str), (X, bool)], graphs=1)
def type_arg(x, t):
    return x + t(3.7) if t is not str else t(3)


@program(X, len, changed=[(X, sum), (X, max), (X, lambda l: 9), (X, functools.partial(max, 100))])
def fn_arg(x, f):
    return x + f([1, 2])


@program(X, None, changed=[(X, X), (X, tensor(3)), (X, 2)], graphs=1)
def opt_arg(x, y):
    return x + 1 if y is None else x + y


@program(X, "a", changed=[(X, "b"), (X, "ab")], graphs=1)
def str_arg(x, s):
    return x + {"a": 1}.get(s, 5), s * 2


class Slot:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@program(X, Slot(1), changed=[(X, Slot(2)), (X, Slot("s"))], graphs=1)
def slot_arg(x, s):
    s.b = s.a
    if isinstance(s.a, int):
        return x + s.a


class Prop:
    def __init__(self):
        self._v = 1

    @property
    def v(self):
        self._v += 1
        return self._v

    @v.setter
    def v(self, n):
        self._v = n * 10

    @v.deleter
    def v(self):
        self._v = 0


@program(X, Prop(), graphs=1)
def prop_arg(x, p):
    y = x + p.v + p.v
    p.v = 3
    y = y + p.v
    del p.v
    return y, p._v


class Calls:
    log = []

    def __eq__(self, o):
        Calls.log.append("eq")
        return True

    def __hash__(self):
        Calls.log.append("hash")
        return 1

    def __bool__(self):
        Calls.log.append("bool")
        return True

    def __len__(self):
        Calls.log.append("len")
        return 1


@program(X, Calls(), steady=False, graphs=1)
def no_user_code_in_guards(x, c):
    return x + (1 if c else 2)


@program(X, {(1, 2): 3, "a": {"b": [1, {"c": 4}]}}, changed=[(X, {(1, 2): 3, "a": {"b": [1, {"c": 5}]}})], graphs=1)
def nested(x, d):
    d["a"]["b"][1]["c"] += 1
    return x + d["a"]["b"][1]["c"] + d[1, 2]


class Desc:
    def __get__(self, i, o):
        return i.__dict__.get("_d", 7)

    def __set__(self, i, v):
        i.__dict__["_d"] = v + 1

    def __delete__(self, i):
        i.__dict__.pop("_d")


class HasDesc:
    d = Desc()


@program(X, HasDesc(), graphs=1)
def descriptor_arg(x, h):
    y = x + h.d
    h.d = 3
    y = y + h.d
    del h.d
    return y + h.d


@functools.lru_cache(None)
def cached(n):
    return n * 2


@program(X, 3, steady=False, changed=[(X, 4)], broken=None)
def lru(x, n):
    return x + cached(n) + cached(n), cached.cache_info()


def gen_arg():
    def g():
        got = yield 1
        while True:
            got = yield got

    it = g()
    next(it)
    return (X, it)


def make_gen():
    def f(x, it):
        return x + it.send(3), next(it)

    return f, gen_arg


program(make=True, graphs=1)(make_gen)


@program(X, steady=False, graphs=1)
def setattr_fn(x):
    setattr_fn.count = getattr(setattr_fn, "count", 0) + 1
    return x + setattr_fn.count


@program(X, [1, 2, 3])
def exc_after_mutation(x, l):
    l.append(4)
    y = x + 1
    l.append(y)
    raise ValueError(len(l))


@program(X, [1], fails=None)
def graph_fails_after_mutation(x, l):
    l.append(2)
    y = x[torch.tensor([9])]
    l.append(3)
    return y


@program(X, [1], fails=None)
def graph_fails_caught(x, l):
    l.append(2)
    try:
        y = x[torch.tensor([9])]
    except IndexError as e:
        l.append(str(e))
        y = x
    return y


@program(X, [1], fails=None)
def graph_fails_after_inplace(x, l):
    l.append(2)
    x.add_(1)
    y = x[torch.tensor([9])]
    l.append(3)
    return y


@program(X, [1], fails=None)
def graph_fails_after_inplace_caught(x, l):
    l.append(2)
    x.add_(1)
    try:
        y = x[torch.tensor([9])]
    except IndexError:
        l.append(3)
        y = x * 2
    return y
