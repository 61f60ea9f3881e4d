"""Small functions that between them use most of the language, and what to call them with."""

import asyncio
import contextlib


def loops(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                continue
            if i == 7:
                break
            total += i * j
        else:
            total -= 1
    while total > 10:
        total //= 2
        if total % 7 == 5:
            return "odd", total
    return total


def handlers(items):
    log = []
    for item in items:
        try:
            try:
                log.append(10 // item)
            except ZeroDivisionError as error:
                log.append(str(error))
                raise KeyError(item) from error
            except TypeError:
                log.append("type")
                continue
            else:
                log.append("fine")
            finally:
                log.append("finally")
        except KeyError as error:
            log.append((type(error.__cause__), error.args))
    return log


def managers(fail):
    log = []

    @contextlib.contextmanager
    def manager(name):
        log.append(("enter", name))
        try:
            yield name
        except ValueError as error:
            log.append(("caught", str(error)))
        finally:
            log.append(("exit", name))

    with manager("a") as a, manager("b"):
        log.append(a)
        if fail:
            raise ValueError("no")
        log.append("body")
    return log


def closures(n):
    count = 0

    def step(by=1, *rest, scale=2, **more):
        nonlocal count
        count += by * scale + sum(rest) + len(more)
        return count

    return [step(), step(3), step(1, 2, 3, scale=n), step(*range(3), **{"scale": 1, "x": 0}), count]


def captured(n):
    x = "outer"
    makers = [lambda: (x, n) for x in range(n)]
    return [maker() for maker in makers], x, {k: v for k, v in zip("abc", range(n))}, {i % 2 for i in range(n)}


def generators(n):
    def inner():
        got = yield 1
        yield got
        return "done"

    def outer():
        result = yield from inner()
        yield result
        yield from (i * i for i in range(n))

    running = outer()
    out = [next(running), running.send("sent")]
    out.extend(running)
    return out


def coroutines(n):
    class Manager:
        async def __aenter__(self):
            await asyncio.sleep(0)
            return self

        async def __aexit__(self, *exc):
            return exc[0] is KeyError

    async def numbers():
        for i in range(n):
            yield i
            await asyncio.sleep(0)

    async def main():
        out = [i async for i in numbers() if i != 1]
        async with Manager():
            raise KeyError
        async for i in numbers():
            out.append(-i)
            if i > 2:
                break
        return out

    return asyncio.run(main())


def patterns(value):
    match value:
        case []:
            return "empty"
        case [first, *rest]:
            return first, rest
        case {"a": {"b": b}, **more}:
            return b, more
        case complex(real=r, imag=0.0):
            return r
        case str() | bytes() as text if len(text) > 2:
            return text[1:], text[::2]
        case None | True:
            return "single"
        case _:
            return f"other {value!r:>5} {value}"


def operators(a, b):
    out = [a + b, a - b, a * b, a < b <= 10, a is b, a is not b, a in [b, 3], a not in (b, 4), -a, +a, ~a, not a]
    out[1:3] = [a @ b] if hasattr(a, "__matmul__") else [a ^ b, a << 2, a >> 1, a | b, a & b, a**2]
    a += 1
    a -= b
    text = f"{a}{b!s:>4}{a!r}{b:{a}}" if a > 0 else ""
    x, (y, *z) = out[0], out[2:]
    del out[0], z[0]
    return out, text, x or y, y and z, x if b else y, {**{"k": a}, "l": b}, [*out, *z], (*z,)


def classes(name):
    class Base:
        kind = "base"

        def who(self, *, loud=False):
            return f"{self.kind} {name}".upper() if loud else name

    class Derived(Base):
        kind = "derived"
        names = [name + str(i) for i in range(2)]

        def who(self, *, loud=False):
            return super().who(loud=loud), super().kind

        @property
        def twice(self):
            return self.who(loud=True) * 2

    return Derived().who(), Derived().twice, Derived.names


def groups(n):
    log = []
    try:
        raise ExceptionGroup("many", [ValueError(n), TypeError(n), OSError(n)])
    except* ValueError as group:
        log.append(len(group.exceptions))
    except* (TypeError, OSError) as group:
        log.append([type(error).__name__ for error in group.exceptions])
    return log


def unbound(flag):
    if flag:
        x = 1
    try:
        return x
    except UnboundLocalError as error:
        return str(error)
    finally:
        del flag


def imports(n):
    import math
    from operator import add as p

    assert n, "some"
    return math.floor(n + 0.5), p("a", "b"), len([*range(n)]), None if n is None else n


CALLS = [
    (loops, [(3,), (9,), (30,)]),
    (handlers, [([1, 0, "x", 5],), ([],)]),
    (managers, [(False,), (True,)]),
    (closures, [(3,)]),
    (captured, [(3,)]),
    (generators, [(4,)]),
    (coroutines, [(6,)]),
    (patterns, [([],), ([1, 2],), ({"a": {"b": 1}, "c": 2},), (2 + 0j,), ("text",), (b"ab",), (True,), (1.5,)]),
    (operators, [(5, 2), (1, 7)]),
    (classes, [("n",)]),
    (groups, [(1,)]),
    (unbound, [(True,), (False,)]),
    (imports, [(3,)]),
]
"""Functions and the arguments to call them with, call by call."""
