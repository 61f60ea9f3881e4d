"""The other built-in functions."""
# ruff: noqa: FURB168, RUF017

import math

from tests.capture.harness import program, tensor


@program(tensor(2), [3, 1, 2], graphs=1)
def extremes(x, items):
    return (
        x + max(items),
        min(items),
        max(1, 5, 3),
        min("b", "a"),
        max(items, key=lambda n: -n),
        min([], default=7),
        max([(1, "a"), (1, "b")]),
        max([1, 1.0]),
        min("hello", key=ord),
        max({"a": 1, "b": 2}),
        max(math.pi, 3),
    )


@program(tensor(2), [1, 2, 3], graphs=1)
def sums(x, items):
    return (
        x + sum(items),
        sum(items, 10),
        sum([[1], [2]], []),
        sum([0.1] * 10),
        sum([0.1] * 3, start=0.5),
        sum(()),
        sum([True, True]),
        sum([x, x]),
    )


@program(tensor(2), graphs=1)
def all_and_any(x):
    return (
        x + 1,
        all([]),
        any([]),
        all([1, "a"]),
        any([0, "", None]),
        all(n < 3 for n in range(3)),
        any(map(str.isdigit, "a1")),
    )


@program(tensor(2), graphs=1)
def short_circuits(x):
    it = iter([0, 1, 2])
    any_found = any(it)
    return x + 1, any_found, list(it)


class Thing:
    kind = "thing"

    def __init__(self):
        self.a = 1

    def method(self):
        return self.a


@program(tensor(2), graphs=1)
def attributes(x):
    t = Thing()
    setattr(t, "b", 2)
    out = [getattr(t, "a"), getattr(t, "b"), getattr(t, "z", 9), hasattr(t, "a"), hasattr(t, "z"), hasattr(t, "method")]
    delattr(t, "b")
    return x + 1, out, hasattr(t, "b"), vars(t), t.__dict__


@program(tensor(2), graphs=1)
def types_and_classes(x):
    t = Thing()
    return (
        x + 1,
        type(t),
        type(t) is Thing,
        type(1),
        isinstance(t, Thing),
        isinstance(1, (str, int)),
        isinstance(1, int | str),
        issubclass(bool, int),
        issubclass(Thing, (int, object)),
        callable(t),
        callable(len),
        callable(Thing),
        callable(t.method),
        t.__class__.__name__,
        isinstance(None, type(None)),
    )


@program(tensor(2), graphs=1)
def numbers(x):
    return (
        x + 1,
        abs(-3),
        abs(-1.5),
        abs(3 + 4j),
        round(2.5),
        round(3.14159, 2),
        round(15, -1),
        divmod(7, 3),
        pow(2, 5),
        pow(2, 5, 7),
        hex(10),
        bin(-5),
        oct(8),
    )


@program(tensor(2), graphs=1)
def hashes(x):
    return (
        x + 1,
        hash(1) == hash(1.0),
        hash("a") == hash("a"),
        hash((1, "a")) == hash((1, "a")),
        hash(None) == hash(None),
        hash(Hashed(3)),
        hash((Hashed(3), 1)) == hash((3, 1)),
    )


class Hashed:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return self.n


@program(tensor(2), graphs=1)
def texts(x):
    return (
        x + 1,
        repr("a"),
        ascii("é"),
        str(3),
        format(3, "04d"),
        repr(Thing),
        repr(int),
        repr(len),
        repr(None),
        chr(65),
        ord("A"),
        repr(int | str),
    )


@program(tensor(2), graphs=1)
def errors(x):
    t = Thing()
    said = []
    for attempt in (
        lambda: getattr(t, "zz"),
        lambda: t.zz,
        lambda: getattr(t, 5),
        lambda: setattr(t, 5, 1),
        lambda: delattr(t, "zz"),
        lambda: hasattr(t, 5),
        lambda: isinstance(1, 5),
        lambda: isinstance(1),
        lambda: issubclass(1, int),
        lambda: issubclass(int, 5),
        lambda: max(),
        lambda: max([]),
        lambda: max(1),
        lambda: max(1, "a"),
        lambda: max(1, 2, default=3),
        lambda: min([1], foo=2),
        lambda: sum(["a"]),
        lambda: sum(["a"], ""),
        lambda: sum([1], [2]),
        lambda: len(),
        lambda: len(1, 2),
        lambda: abs(),
        lambda: abs([]),
        lambda: all(5),
        lambda: any(1, 2),
        lambda: sorted([1, "a"]),
        lambda: sorted(),
        lambda: sorted([1], 2),
        lambda: callable(),
        lambda: chr(1 << 30),
        lambda: ord(5),
        lambda: ord([]),
        lambda: hash({}),
        lambda: hash(),
        lambda: round(),
        lambda: round([]),
        lambda: divmod([], 1),
        lambda: pow([], 2),
        lambda: type(),
        lambda: type(1, 2),
        lambda: format(1, 2),
        lambda: format([], "d"),
        lambda: vars(5),
        lambda: t(),
        lambda: (5)(),
        lambda: None.foo,
        lambda: object(1),
        lambda: object().foo,
        lambda: bool(1, 2),
        lambda: int(1, 2, 3),
        lambda: repr(),
        lambda: iter(t),
        lambda: t[0],
        lambda: t + 1,
        lambda: 1 + t,
        lambda: t < t,
        lambda: -t,
        lambda: len(t),
        lambda: 1 in t,
        lambda: t.method(1),
        lambda: Thing(5),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


COUNTER = 0
NAMES = ["a"]


@program(tensor(2), graphs=1, steady=False)
def globals_dict(x):
    g = globals()
    g["COUNTER"] = g["COUNTER"] + 1
    return x + COUNTER, "NAMES" in g, g.get("nothing"), globals()["NAMES"] is NAMES


@program(tensor(2), 5, graphs=1)
def locals_dict(x, n):
    m = 3

    def f():
        return m

    seen = locals()
    return x + 1, sorted(seen), seen["n"], seen["m"]


@program(tensor(2), graphs=1)
def vars_of_instance(x):
    t = Thing()
    v = vars(t)
    v["c"] = 3
    t.d = 4
    return x + t.c, v, v is t.__dict__, len(v), list(v)


@program(tensor(2), graphs=1)
def plain_objects(x):
    a, b = object(), object()
    return x + 1, a is a, a is b, a == b, {a: 1}[a], isinstance(a, object)


@program(tensor(2), graphs=1)
def prints(x):
    print("hello", x.shape)
    return x + 1


@program(tensor(2), graphs=1)
def identities(x):
    return x + 1, id(x) == id(x)


@program(tensor(2), [1, 2], graphs=1)
def memory_of_constants(x, items):
    return x + 1, bytes(memoryview(b"abc")[1:]) if False else b"bc"


@program(tensor(2), graphs=1)
def getattr_chain(x):
    return (
        getattr(x, "shape")[0] + x,
        getattr(getattr(x, "dtype"), "is_floating_point"),
        hasattr(x, "zzz"),
        getattr(x, "zzz", 1),
    )
