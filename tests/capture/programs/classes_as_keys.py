"""Classes and objects that hash and compare in their own way, and effects that are taken back."""

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
HASHED = []


class Unhashable(type):
    def __eq__(cls, other):
        return True


class Hashing(type):
    def __eq__(cls, other):
        HASHED.append("eq")
        return True

    def __hash__(cls):
        HASHED.append("hash")
        return 1


class U(metaclass=Unhashable):
    n = 1

    def f(self, x):
        return x + self.n


class V(U):
    n = 2


class H(metaclass=Hashing):
    n = 1

    def f(self, x):
        return x + self.n


class I(H):
    n = 2


UU, VV, HH, II = U(), V(), H(), I()


@program(broken="metaclass defines")
def unhashable_classes(x):
    U.k = 3
    o = V()
    o.z = 4
    return UU.f(x) + VV.f(x), isinstance(UU, V), type(UU) is U, U.k, V.n, o, U() is U(), U.n


@program(broken=True)
def unhashable_argument(x, o=UU):
    o.q = 5
    return o.f(x)


@program(broken="metaclass defines")
def unhashable_made(x):
    class W(U):
        n = 4

    class W2(W, metaclass=Unhashable):
        def f(self, x):
            return super().f(x) * 2

    return W().f(x) + W2().f(x), W, W2()


@program(broken="metaclass defines", steady=False)
def hashing_classes(x):
    H.k = 3
    I.k = 4
    o = I()
    o.z = 4
    return HH.f(x) + II.f(x), isinstance(HH, I), type(HH) is H, H.k, I.n, o, H.n, I.k, len(HASHED)


@program(broken="metaclass defines")
def hashing_made(x):
    class W(H):
        n = 4

    class W2(W):
        n = 5

        def f(self, x):
            return super().f(x) * 2

    return W().f(x) + W2().f(x), W, W2(), len(HASHED)


class EqObj:
    def __eq__(self, o):
        HASHED.append("objeq")
        return True

    __hash__ = None


class EqCall(EqObj):
    def __call__(self, x):
        return x + 1

    def __get__(self, obj, cls):
        return 5


class Holds:
    d = EqCall()
    e = EqObj()


@program(X, EqObj())
def unhashable_objects(x, o):
    h = Holds()
    c = EqCall()
    l = [o, EqObj()]
    return c(x), h.d, h.e is Holds.e, Holds.d, l, functools.partial(c, x)(), len(HASHED), max([x.sum()], key=c)


IT = iter(range(100))


@program(X, steady=False)
def iterator_through_inference(x):
    with torch.inference_mode():
        a = next(IT)
        HASHED.append("x")
    b = next(IT)
    HASHED.append("y")
    return x + a, b, next(IT)


@program(X, iter([1, 2, 3, 4]), [1])
def iterator_through_label(x, it, l):
    with torch.profiler.record_function("a"):
        a = next(it)
        l.append(2)
    b = next(it)
    l.append(3)
    return x + a, b, next(it)


@program(X, [1, 2, 3, 4], broken="over something that changed", steady=False)
def iterator_source_through_label(x, l):
    it = SRC[0]
    with torch.profiler.record_function("a"):
        a = next(it, 0)
    SRC[1].append(7)
    return x + a, next(it, 0), next(it, 0), next(it, 0)


BASE = [1, 2]
SRC = [iter(BASE), BASE]


class Cached:
    def __init__(self):
        self.calls = 0

    @functools.lru_cache(maxsize=2)
    def m(self, k):
        self.calls += 10
        return self.calls + k


CC = Cached()
IT2 = iter(range(100))


@program(X, broken="more than compute", steady=False)
def cached_method_that_counts(x):
    CC.calls += 1
    return x + CC.m(1), CC.m(2), CC.m(3), CC.calls


@functools.lru_cache
def draws(k):
    return next(IT2) + k


@program(X, broken="more than compute", steady=False)
def cached_function_that_draws(x):
    a = next(IT2)
    return x + a, draws(1), draws(2), draws(1), next(IT2)


class Holder:
    pass


HOLD = Holder()


@functools.lru_cache
def touches(k):
    HOLD.new.n += k
    HOLD.l.append(k)
    return HOLD.new.n


@program(X, broken="more than compute", steady=False)
def cached_function_that_changes_made_objects(x):
    HOLD.new = Holder()
    HOLD.new.n = 1
    HOLD.l = [1]
    return x + touches(1), touches(2), HOLD.new.n, HOLD.l
