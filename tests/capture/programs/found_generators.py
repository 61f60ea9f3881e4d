"""Generators that existed before the call: run where they stand, and then moved for real."""

import contextlib
import gc
import inspect
import sys
import weakref

import torch

import framelift
from tests.capture.harness import call, meanwhile, program, tensor

gb = framelift.graph_break
X = tensor(2, 3)


@contextlib.contextmanager
def scope(log, k=2):
    log.append("in")
    try:
        yield k
    except ValueError as e:
        log.append(f"caught {e}")
    finally:
        log.append("out")


@contextlib.contextmanager
def simple(log):
    log.append("in")
    yield 3
    log.append("out")


@program(broken=None)
def manager_break(x):  # 2 graphs
    log = []
    with simple(log) as k:
        x = x + k
        gb()
        x = x * 2
    return x - 1, log


@program(broken=None)
def manager_try_break(x):
    log = []
    with scope(log) as k:
        x = x + k
        gb()
        x = x * 2
    return x - 1, log


@program(broken=None)
def manager_raise_after_break(x):
    log = []
    with scope(log) as k:
        x = x + k
        gb()
        x = x * 2
        raise ValueError("v")
    return x - 1, log


@program(broken=None)
def nested_managers(x):
    log = []
    with scope(log, 1) as a, scope(log, 2) as b:
        x = x + a
        gb()
        x = x * b
        gb()
        x = x - 1
    return x * 3, log


@program(broken=None)
def loop_over_gen_break(x):
    def g():
        for i in range(3):
            yield x * i

    t = x
    for v in g():
        t = t + v
        gb()
        t = t * 2
    return t


@program(broken=None)
def loop_over_gen_send(x):
    def g():
        k = 1
        while k < 20:
            got = yield x + k
            k = k * 3 if got is None else k + got

    it = g()
    t = next(it)
    gb()
    t = t + it.send(4)
    gb()
    t = t + next(it)
    return t, list(it)


def make_args(n=1):
    def g():
        total = 0
        while True:
            got = yield total
            total += got if got is not None else 1

    def make():
        it = g()
        for _ in range(n):
            next(it)
        return X.clone(), it

    return make


def found_send():
    def f(x, it):
        a = it.send(5)
        return x + a, next(it)

    return f, make_args()


program(make=True, graphs=1)(found_send)


def found_created():
    def f(x, it):
        return x + next(it)

    return f, make_args(0)


program(make=True, graphs=1)(found_created)


def found_created_send():
    def f(x, it):
        return x + it.send(3)

    return f, make_args(0)


program(make=True)(found_created_send)


def found_closed():
    def f(x, it):
        it.close()
        return x + 1, next(it, "end"), inspect.getgeneratorstate(it)

    return f, make_args()


program(make=True, broken=None)(found_closed)


def found_throw():
    log = []

    def g():
        while True:
            try:
                yield len(log)
            except KeyError as e:
                log.append(e.args)

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        a = it.throw(KeyError("k"))
        return x + a, next(it)

    return f, make


program(make=True, steady=False, graphs=1)(found_throw)


def found_finished():
    def f(x, it):
        return x + 1, list(it), next(it, None)

    def make():
        it = (i for i in range(2))
        list(it)
        return X, it

    return f, make


program(make=True, graphs=1)(found_finished)


def found_genexp():
    def f(x, it):
        return x + next(it), it

    def make():
        it = (i * 2 for i in [1, 2, 3])
        return X, it

    return f, make


program(make=True, graphs=1)(found_genexp)


def found_to_end():
    def f(x, it):
        t = x
        for v in it:
            t = t + v
        return t, next(it, "end")

    def make():
        def g():
            yield 1
            y = yield 2
            yield from [3, 4]
            return 5

        it = g()
        next(it)
        return X, it

    return f, make


program(make=True, graphs=1)(found_to_end)


def found_yield_from():
    def inner():
        r = yield 1
        while True:
            r = yield r

    def outer():
        yield from inner()

    def make():
        it = outer()
        next(it)
        return X, it

    def f(x, it):
        return x + it.send(7), it.send(8), it

    return f, make


program(make=True, graphs=1)(found_yield_from)


def found_in_with():
    log = []

    def g():
        with scope(log):
            yield 1
            yield 2
        yield 3

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        return x + next(it), next(it), next(it, None), list(log)

    return f, make


program(make=True, steady=False, graphs=1)(found_in_with)


def found_nonlocal():
    n = 0

    def g():
        nonlocal n
        while True:
            n += 1
            yield n

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        return x + next(it) + n

    return f, make


program(make=True, steady=False, graphs=1)(found_nonlocal)


def found_tensor_inside():
    def g(t):
        while True:
            t = t * 2
            yield t

    def make():
        it = g(X.clone())
        next(it)
        return X.clone(), it

    def f(x, it):
        return x + next(it) + next(it), it

    return f, make


program(make=True, graphs=1)(found_tensor_inside)


def found_raises():
    def g():
        yield 1
        raise KeyError("inside")

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        try:
            next(it)
        except KeyError as e:
            return x + 1, str(e), next(it, "over")

    return f, make


program(make=True, graphs=1)(found_raises)


def found_del():
    def g():
        a = [1]
        yield a
        del a
        b = 2
        yield b
        try:
            yield a
        except UnboundLocalError as e:
            yield str(e)

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        return x + next(it), it

    return f, make


program(make=True, graphs=1)(found_del)


def found_handling():
    def g():
        try:
            raise ValueError("x")
        except ValueError as e:
            yield 1
            yield str(e)
            raise

    def make():
        it = g()
        next(it)
        return X, it

    def f(x, it):
        return x + 1, next(it)

    return f, make


program(make=True, broken=None)(found_handling)


def found_coroutine():
    class Wait:
        def __await__(self):
            r = yield "waiting"
            return r

    async def c():
        a = await Wait()
        return a * 2

    def make():
        it = c()
        it.send(None)
        return X, it

    def f(x, it):
        try:
            it.send(x)
        except StopIteration as s:
            return s.value + 1

    return f, make


program(make=True, graphs=1)(found_coroutine)


def found_twice():
    def f(x, a, b):
        return x + next(a), next(b), a is b

    def make():
        it = iter(i for i in range(5))
        return X, it, it

    return f, make


program(make=True, graphs=1)(found_twice)


class Holder:
    def __init__(self):
        self.it = self.gen()
        next(self.it)

    def gen(self):
        self.n = 0
        while True:
            self.n += 1
            yield self.n


def found_attribute():
    def f(x, h):
        return x + next(h.it) + h.n

    return f, lambda: (X, Holder())


program(make=True, graphs=1)(found_attribute)
