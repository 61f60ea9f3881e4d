"""Statements and protocols, many in one program."""

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


@program(graphs=1)
def gen_throw_return(x):
    def g():
        try:
            yield x
        except ValueError as e:
            yield x * len(e.args)
        return "end"

    it = g()
    next(it)
    a = it.throw(ValueError("a", "b"))
    try:
        next(it)
    except StopIteration as s:
        return a, s.value


@program(graphs=1)
def gen_close_runs_finally(x):
    log = []

    def g():
        try:
            while True:
                yield x
        finally:
            log.append("closed")

    it = g()
    next(it)
    it.close()
    it.close()
    return x + len(log), log


@program(graphs=1)
def gen_return_half(x):
    def g():
        a = x * 2
        for i in range(3):
            got = yield a + i
            if got:
                a = a * got

    it = g()
    next(it)
    it.send(3)
    return it, x + 1


@program(graphs=1)
def yield_from_chain(x):
    def inner():
        r = yield 1
        yield r
        return "inner"

    def outer():
        r = yield from inner()
        yield r

    it = outer()
    return next(it), it.send("sent"), next(it), x + 1


@program(graphs=1)
def gen_stopiteration_inside(x):
    def g():
        yield 1
        raise StopIteration("bad")

    try:
        list(g())
    except RuntimeError as e:
        return x + 1, str(e), type(e.__cause__).__name__


@program(graphs=1)
def gen_close_yields(x):
    def g():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    it = g()
    next(it)
    try:
        it.close()
    except RuntimeError as e:
        return x + 1, str(e)


@program(graphs=1)
def gen_already_executing(x):
    def g():
        nonlocal it
        yield next(it)

    it = g()
    try:
        next(it)
    except ValueError as e:
        return x + 1, str(e)


@program(broken=None)
def gen_attrs(x):
    def g():
        yield 1

    it = g()
    a = it.gi_running, it.gi_yieldfrom, it.__name__, it.__qualname__
    return x + 1, a, inspect.isgenerator(it), inspect.isgeneratorfunction(g)


@program(graphs=1)
def send_non_none(x):
    def g():
        yield 1

    try:
        g().send(1)
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def exc_group(x):
    log = []
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2), ExceptionGroup("n", [ValueError(3)])])
    except* ValueError as e:
        log.append([type(i).__name__ for i in e.exceptions])
    except* TypeError as e:
        log.append(e.message)
    return x + len(log), log


@program(graphs=1)
def exc_group_partial(x):
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError:
            raise KeyError("k")
    except ExceptionGroup as e:
        return x + 1, repr(e), [type(i).__name__ for i in e.exceptions]


@program(graphs=1)
def exc_notes(x):
    try:
        e = ValueError("a")
        e.add_note("n1")
        raise e
    except ValueError as err:
        return x + 1, err.__notes__


@program(graphs=0)
def exc_chain(x):
    try:
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise KeyError("x") from e
    except KeyError as k:
        return x, type(k.__cause__).__name__, k.__suppress_context__, k.__context__ is k.__cause__


@program(graphs=1)
def exc_from_none(x):
    try:
        try:
            [][1]
        except IndexError:
            raise KeyError("x") from None
    except KeyError as k:
        return x + 1, k.__cause__, type(k.__context__).__name__, k.__suppress_context__


@program
def exc_escape_custom(x):
    class MyErr(Exception):
        def __init__(self, a, b=3):
            super().__init__(f"{a}-{b}")
            self.a = a

    y = x + 1
    raise MyErr(2)


@program(graphs=1)
def finally_overrides(x):
    for i in range(3):
        try:
            if i == 1:
                raise ValueError
            x = x + i
        except ValueError:
            continue
        finally:
            x = x * 2
            if i == 2:
                break
    else:
        x = x - 100
    return x


@program(graphs=1)
def finally_return(x):
    def f():
        try:
            raise ValueError("lost")
        finally:
            return 5

    return x + f()


@program(graphs=1)
def exc_info_in_handler(x):
    try:
        raise ValueError("q")
    except ValueError:
        t, v, tb = sys.exc_info()
        a = t.__name__, str(v), tb is not None
    return x + 1, a, sys.exc_info()


@program(graphs=1)
def del_exc_var(x):
    e = 1
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        e
    except UnboundLocalError as err:
        return x + 1, str(err)


@program(graphs=1)
def raise_class_and_instance(x):
    out = []
    for e in (ValueError, ValueError("a"), KeyError):
        try:
            raise e
        except (ValueError, KeyError) as err:
            out.append((type(err).__name__, err.args))
    return x + 1, out


@program(graphs=1)
def raise_non_exc(x):
    try:
        raise 5
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def except_non_exc(x):
    try:
        try:
            raise ValueError
        except 5:
            pass
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def with_suppress(x):
    class M:
        def __enter__(self):
            return 3

        def __exit__(self, t, v, tb):
            self.seen = t.__name__, v.args, tb is not None
            return True

    m = M()
    with m as k:
        x = x + k
        raise ValueError("in")
    return x, m.seen


@program(graphs=1)
def exit_stack(x):
    log = []
    with contextlib.ExitStack() as s:
        s.callback(log.append, "cb")
        s.push(lambda *a: log.append(a[0]) or True)
        s.enter_context(contextlib.suppress(KeyError))
        x = x + 1
        raise ValueError
    return x, log


@program(graphs=1)
def ctx_gen(x):
    log = []

    @contextlib.contextmanager
    def m(n):
        log.append(("in", n))
        try:
            yield n * 2
        except ValueError as e:
            log.append(str(e))
        finally:
            log.append("out")

    with m(1) as a, m(2) as b:
        x = x * a + b
        raise ValueError("v")
    return x, log


@program(graphs=1)
def ctx_decorator(x):
    class C(contextlib.ContextDecorator):
        n = 0

        def __enter__(self):
            C.n += 1

        def __exit__(self, *a):
            C.n += 10

    @C()
    def f(y):
        return y + C.n

    return f(x), C.n


@program(graphs=1)
def nullcontext_closing(x):
    class R:
        closed = False

        def close(self):
            self.closed = True

    r = R()
    with contextlib.closing(r) as rr, contextlib.nullcontext(4) as n:
        x = x + n
    return x, r.closed


@program(broken=None)
def redirect(x):
    import io

    buf = io.StringIO()
    with contextlib.redirect_stdout(buf):
        print("hi")
    return x + len(buf.getvalue())


@program(graphs=1)
def match_all(x):
    @dataclasses.dataclass
    class P:
        a: int
        b: object

    out = []
    for v in [1, "s", [1, 2, 3], {"k": 1, "z": 2}, P(1, [2]), (1,), None, 3.5, P(5, {"q": P(0, 0)})]:
        match v:
            case int(n) if n < 1:
                out.append("neg")
            case 1 | 2 as n:
                out.append(("small", n))
            case str(s):
                out.append(s)
            case [a, *rest, b]:
                out.append((a, rest, b))
            case {"k": k, **r}:
                out.append((k, r))
            case P(a=1, b=[c]):
                out.append(("P", c))
            case P(a, {"q": P(0, z)}):
                out.append(("PP", a, z))
            case [y]:
                out.append(y)
            case None:
                out.append("none")
            case float():
                out.append("float")
    return x + len(out), out


@program(graphs=1)
def star_things(x):
    def f(*a, k=1, **kw):
        return a, k, kw

    a, (b, *c), *d = 1, (2, 3, 4), 5, 6
    return x + a, f(*c, *d, **{"k": 3}, **{"z": 1}), [*c, *"ab"], {**{"a": 1}, "b": 2}, {*c, *d}


@program(graphs=1)
def walrus(x):
    out = [y := 1, y**2, (z := y + 5)]
    while (n := len(out)) < 6:
        out.append(n)
    return x + y + z, [last := i for i in range(3)], last, out


@program
def class_scope(x):
    v = 5

    class A:
        v = v + 1
        w = [v for _ in range(2)]

        def f(self):
            return v

        locals()["dyn"] = 3

    return x + A.v + A().f() + A.dyn, A.w


@program(graphs=1)
def metaclass_call(x):
    class Meta(type):
        def __call__(cls, *a):
            o = super().__call__(*a)
            o.tag = "made"
            return o

        def __iter__(cls):
            return iter([1, 2])

        def __contains__(cls, v):
            return v == 3

        def __len__(cls):
            return 7

        def __getitem__(cls, k):
            return k * 2

        @property
        def p(cls):
            return "p"

        def __prepare__(name, bases, **k):
            return {"injected": 9}

        def __new__(m, n, b, d, **k):
            d["kw"] = k
            return super().__new__(m, n, b, d)

        def __init__(cls, *a, **k):
            pass

    class A(metaclass=Meta, flag=1):
        def __init__(self, v):
            self.v = v

    return x + A(3).v, A(1).tag, list(A), 3 in A, len(A), A[4], A.p, A.injected, A.kw


@program(graphs=1)
def init_subclass_set_name(x):
    reg = []

    class D:
        def __set_name__(self, owner, name):
            self.n = name
            reg.append((owner.__name__, name))

        def __get__(self, i, o):
            return self.n if i is None else len(self.n)

    class Base:
        def __init_subclass__(cls, /, tag=None, **kw):
            super().__init_subclass__(**kw)
            reg.append((cls.__name__, tag))

    class Sub(Base, tag="t"):
        dd = D()

    return x + Sub().dd, Sub.dd, reg


@program(graphs=1)
def reflected(x):
    class A:
        def __add__(self, o):
            return NotImplemented

        def __radd__(self, o):
            return "radd"

        def __eq__(self, o):
            return NotImplemented

        def __lt__(self, o):
            return NotImplemented

        def __matmul__(self, o):
            return "mm"

        def __rpow__(self, o):
            return "rpow"

        def __ipow__(self, o):
            return self

        def __index__(self):
            return 2

        def __neg__(self):
            return "neg"

        def __invert__(self):
            return "inv"

        def __divmod__(self, o):
            return 1, 2

        def __round__(self, n=None):
            return n

        def __trunc__(self):
            return 7

        def __floor__(self):
            return 8

        def __ceil__(self):
            return 9

        def __complex__(self):
            return 1j

    class B(A):
        def __radd__(self, o):
            return "Bradd"

    a = A()
    out = [
        1 + a,
        A() + B(),
        a == a,
        a != A(),
        a @ 1,
        2**a,
        [1, 2, 3][a],
        -a,
        ~a,
        divmod(a, 1),
        round(a),
        round(a, 3),
        math.trunc(a),
        math.floor(a),
        math.ceil(a),
        complex(a),
        bin(a),
        range(a),
    ]
    try:
        a + 1
    except TypeError as e:
        out.append(str(e))
    try:
        a < 1
    except TypeError as e:
        out.append(str(e))
    return x + 1, out


@program(graphs=1)
def hash_eq_keys(x):
    class K:
        def __init__(self, v):
            self.v = v

        def __hash__(self):
            return hash(self.v) % 2

        def __eq__(self, o):
            return isinstance(o, K) and self.v == o.v

        def __repr__(self):
            return f"K{self.v}"

    d = {K(1): "a", K(3): "b", K(1): "c"}
    s = {K(1), K(3), K(5), K(1)}
    return x + len(d) + len(s), d[K(3)], K(5) in s, K(7) in d, list(d)


@program(graphs=1)
def instancecheck(x):
    class M(type):
        def __instancecheck__(c, o):
            return o == 3

        def __subclasscheck__(c, s):
            return s is int

    class A(metaclass=M):
        pass

    return (
        x + 1,
        isinstance(3, A),
        isinstance(4, A),
        issubclass(int, A),
        issubclass(str, (A, str)),
        isinstance(3, int | str),
        isinstance("a", (int, (str, float))),
    )


@program(graphs=1)
def subclasshook(x):
    class S(abc.ABC):
        @classmethod
        def __subclasshook__(cls, C):
            return hasattr(C, "quack") or NotImplemented

    class Duck:
        quack = 1

    return (
        x + 1,
        isinstance(Duck(), S),
        issubclass(int, S),
        isinstance([], collections.abc.Sized),
        isinstance(Duck(), collections.abc.Hashable),
    )


@program(graphs=1)
def getattr_hooks(x):
    class A:
        def __getattribute__(self, n):
            if n.startswith("z"):
                return "z!"
            return super().__getattribute__(n)

        def __getattr__(self, n):
            if n == "err":
                raise AttributeError("custom " + n)
            return n.upper()

        def __setattr__(self, n, v):
            super().__setattr__("_" + n, v)

        def __delattr__(self, n):
            super().__delattr__("_" + n)

        def __dir__(self):
            return ["b", "a"]

    a = A()
    a.q = 1
    out = [a.zz, a._q, a.foo, hasattr(a, "err"), getattr(a, "err", 5), dir(a), vars(a)]
    del a.q
    try:
        a.err
    except AttributeError as e:
        out.append(str(e))
    return x + 1, out


@program(graphs=1)
def slots_(x):
    class A:
        __slots__ = ("a", "b", "__weakref__")

    class B(A):
        __slots__ = ("c",)

    b = B()
    b.a, b.c = 1, x
    out = [hasattr(b, "b"), B.a.__get__(b), copy.copy(b).a]
    try:
        b.zzz = 1
    except AttributeError as e:
        out.append(str(e))
    try:
        b.b
    except AttributeError as e:
        out.append(str(e))
    return b.c + 1, out


@program(graphs=1)
def fstrings(x):
    w, n = 8, 3.14159
    s = f"{n:{w}.2f}|{n!r:>10}|{'a':^5}|{w=}|{x.shape}|{w:#x}|{1000000:,}|{True:d}|{None}|{'nested ' + f'{w}'}"
    return (
        x + 1,
        s,
        "%s %r %5.1f %%" % (1, "a", 2.0),
        "%(a)s" % {"a": 1},
        "{0[k]} {1.real} {}".format if False else "{a[k]} {b.real}".format(a={"k": 1}, b=2),
    )


@program(graphs=1)
def del_things(x):
    a = [1, 2, 3, 4, 5]
    del a[0], a[1:3]
    d = {"a": 1}
    del d["a"]

    class C:
        pass

    c = C()
    c.v = 1
    del c.v
    y = x
    del y
    try:
        y
    except UnboundLocalError as e:
        return x + 1, a, d, vars(c), str(e)


G = 1


@program(steady=False, graphs=1)
def global_write(x):
    global G, G2
    G += 1
    G2 = x * G
    return G2
