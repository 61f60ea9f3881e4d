"""Arguments of many kinds, changed and looked at again."""

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
G = 7


@program
def eval_locals(x):
    a = 5
    return x + eval("a + G"), eval("[a * i for i in range(2)]"), eval("x.shape")


@program(graphs=1)
def eval_closure(x):
    a = 5

    def f():
        b = a
        return eval("a + b")

    return x + f()


@program(graphs=0)
def eval_missing(x):
    a = 5

    def f():
        return eval("a")

    try:
        return x + f()
    except NameError as e:
        return x, str(e)


class Desc:
    def __get__(self, i, o):
        return "data"

    def __set__(self, i, v):
        i.__dict__["via"] = v


class HasD:
    d = Desc()


@program(X, HasD(), graphs=1)
def found_dict_past_descriptor(x, o):
    o.__dict__["d"] = 5
    vars(o)["e"] = 6
    return x + 1, o.d, vars(o)


class SetA:
    def __setattr__(self, n, v):
        object.__setattr__(self, n, v * 2)


@program(X, SetA(), graphs=1)
def found_setattr_hook(x, o):
    o.a = 3
    object.__setattr__(o, "b", 4)
    o.__dict__["c"] = 5
    return x + o.a, vars(o)


@program(
    X,
    collections.OrderedDict(a=1),
    collections.defaultdict(int, a=1),
    collections.ChainMap({"a": 1}, {"b": 2}),
    collections.deque([1, 2, 3]),
    graphs=1,
)
def found_collections(x, od, dd, cm, dq):
    od["z"] = 1
    od.move_to_end("a")
    dd["q"] += 5
    dd["r"]
    cm["b"] = 9
    cm.pop("a")
    dq.rotate()
    dq.popleft()
    dq.insert(1, 7)
    return x + len(od), dd["zz"], cm["b"], list(dq)


class LS(list):
    def __init__(self, *a):
        super().__init__(*a)
        self.log = []

    def append(self, v):
        self.log.append(v)
        super().append(v)


class DS(dict):
    def __missing__(self, k):
        self[k] = v = k * 2
        return v


@program(X, LS([1]), DS(a=1), graphs=1)
def found_subclasses(x, l, d):
    l.append(2)
    l += [3]
    l.extra = 5
    d["q"]
    d["w"] = 1
    del d["a"]
    return x + len(l), l.log, d, l


@program(X, types.SimpleNamespace(a=1, l=[1]), graphs=1)
def found_ns(x, ns):
    ns.a += 1
    ns.b = x * 2
    ns.l.append(ns)
    return ns.b + ns.a


@program(X, {"a": [1, {"b": (2, [3])}]}, graphs=1)
def nested_alias(x, d):
    inner = d["a"][1]["b"][1]
    inner.append(inner)
    d["again"] = inner
    d["a"][1]["t"] = x + 1
    return x + len(inner), inner is d["again"]


@program(X, [1, 2, 3], graphs=1)
def mutate_while_iter(x, l):
    out = []
    for v in l:
        out.append(v)
        if len(l) < 5:
            l.append(v * 10)
    return x + len(out), out


@program(X, {1: 1, 2: 2}, graphs=1)
def dict_resize_iter(x, d):
    try:
        for k in d:
            d[k + 100] = 0
    except RuntimeError as e:
        return x + len(d), str(e)


@program(X, {1, 2, 3}, graphs=1)
def set_mut_iter(x, s):
    try:
        for k in s:
            s.add(k + 100)
    except RuntimeError as e:
        return x + 1, str(e)


@program(X, [X, X], graphs=1)
def tensor_in_list_identity(x, l):
    return l[0] is l[1], l[0] is x, l.index(x) if False else 0, x + 1, any(v is x for v in l)


@program(X, dict(a=X), graphs=1)
def dict_tensor_update(x, d):
    d["a"] = d["a"] + 1
    d.update(b=x, c=d["a"])
    return d["c"] is d["a"], d["b"] is x


@program(X, (1, [2]), graphs=1)
def tuple_mut_inner(x, t):
    t[1].append(3)
    return x + t[1][-1], t


class Node:
    def __init__(self, v, nxt=None):
        self.v, self.next = v, nxt


@program(X, Node(1, Node(2, Node(3))), changed=[(X, Node(1)), (X, Node(1, Node(5)))], graphs=1)
def linked(x, n):
    prev = None
    t = 0
    while n:
        n.next, prev, n = prev, n, n.next
        t += prev.v
    return x + t, prev


@program(X, Node(1), graphs=1)
def make_cycle(x, n):
    n.next = Node(x, n)
    n.next.next.self = n
    return n.next.v + 1


class Counter:
    count = 0
    instances = []

    def __init__(self):
        type(self).count += 1
        Counter.instances.append(self)


@program(X, steady=False, graphs=1)
def class_counter(x):
    a, b = Counter(), Counter()
    return x + Counter.count, len(Counter.instances)


@program(X, steady=False, graphs=1)
def func_attr_counter(x):
    func_attr_counter.n = getattr(func_attr_counter, "n", 0) + 1
    func_attr_counter.__dict__.setdefault("h", []).append(1)
    return x + func_attr_counter.n


STATE = {"n": 0}


def bump():
    STATE["n"] += 1
    return STATE["n"]


@program(X, steady=False, graphs=1)
def global_state(x):
    return x + bump() + bump()


@program(X, steady=False, graphs=1)
def global_del(x):
    global TEMP
    TEMP = 5
    y = x + TEMP
    del TEMP
    try:
        TEMP
    except NameError as e:
        return y, str(e)


@program(X, 3, changed=[(X, 3.0), (X, True), (X, 10**30), (X, "3")], graphs=1)
def type_dispatch(x, n):
    match n:
        case bool():
            k = "bool"
        case int() if n > 5:
            k = "big"
        case int():
            k = "int"
        case float():
            k = "float"
        case _:
            k = "other"
    return x + len(k), k


@program(X, None, changed=[(X, 0), (X, ""), (X, []), (X, [0]), (X, 0.0), (X, ())], graphs=1)
def truthiness(x, v):
    return (x + 1 if v else x - 1), v is None, bool(v)


@program(X, "abc", changed=[(X, "abd"), (X, b"abc"), (X, ["a", "b", "c"])], graphs=1)
def seq_kinds(x, s):
    return x + len(s), s[0], s[::-1], list(s)


@program(X, [1.5, float("nan")], changed=[(X, [1.5, 2.5]), (X, [-0.0, 0.0])], graphs=1)
def nan_list(x, l):
    return x + len(l), l[1] == l[1], l[1] in l, math.copysign(1, l[0])


@program(X, slice(0, 1), range(3), changed=[(X, slice(1, 2), range(4)), (X, slice(None), range(0, 6, 2))], graphs=1)
def slice_range_args(x, s, r):
    return x[s] + len(r), list(r), s.indices(5)


@program(
    X,
    functools.partial(max, 3),
    operator.itemgetter(1),
    changed=[(X, functools.partial(min, 3), operator.itemgetter(0))],
    graphs=1,
    steady=False,
)
def callables(x, p, g):
    return x + p(5) + g([1, 2]), p.args


@program(X, torch.nn.Linear(3, 3), changed=[(X, torch.nn.Linear(3, 2))], graphs=1)
def module_arg(x, m):
    m.extra = 5
    return m(x) + m.extra, list(m._parameters)


@program(X, [("a", 1), ("b", 2)], graphs=1)
def kw_from_pairs(x, pairs):
    def f(**k):
        return k

    return x + len(f(**dict(pairs))), f(**{k: v * 2 for k, v in pairs})


@program(
    X,
    zip([1, 2], [3, 4]),
    enumerate(["a", "b"]),
    map(str, [1, 2]),
    filter(None, [0, 1]),
    reversed([1, 2]),
    itertools.chain([1], [2]),
    iter({"a": 1}.items()),
    broken=None,
)
def found_iters(x, z, e, m, f, r, c, d):
    return x + next(z)[0], next(e), next(m), next(f), next(r), next(c), next(d), list(z), list(c)


E = enum.Enum("E", "A B")


@program(X, E.A, changed=[(X, E.B)], graphs=1)
def enum_arg(x, e):
    return x + e.value, e.name, e is E.A, {E.A: 1}.get(e)


@dataclasses.dataclass
class DC:
    a: int
    t: torch.Tensor = None
    l: list = dataclasses.field(default_factory=list)


@program(X, DC(1, X), changed=[(X, DC(2, X)), (X, DC(1, None, [1]))], graphs=1)
def dc_arg(x, d):
    d.l.append(d.a)
    n = dataclasses.replace(d, a=d.a + 1)
    return (x if d.t is None else d.t) + n.a, n, n.l is d.l
