"""Named tuples: collections.namedtuple, typing.NamedTuple."""
# ruff: noqa: PYI024, RUF005

from collections import namedtuple
from typing import NamedTuple

from tests.capture.harness import program, tensor

Point = namedtuple("Point", "x y")
Default = namedtuple("Default", ["a", "b", "c"], defaults=[2, 3])


class Typed(NamedTuple):
    a: int
    b: str = "b"

    def total(self):
        return self.a + 1

    @property
    def twice(self):
        return self.a * 2


class Sub(Point):
    def norm(self):
        return self.x + self.y


class Slotted(Point):
    __slots__ = ()

    def __new__(cls, x, y=5):
        return super().__new__(cls, x * 2, y)


@program(tensor(2), Point(1, 2), graphs=1, changed=[(tensor(2), Point(3, 2))])
def existing(t, p):
    a, b = p
    return t + p.x, p.y, p[0], a, b, len(p), p, p._fields, list(p), p == (1, 2)


@program(tensor(2), graphs=1)
def made_here(t):
    p = Point(t, y=2)
    q = p._replace(y=3)
    return (
        p.x + q.y,
        p._asdict()["y"],
        p[1:],
        Point._make([1, 2]),
        Point(1, 2) == Point(1, 2),
        Point(1, 2) < Point(1, 3),
        hash(Point(1, 2)) == hash((1, 2)),
        {Point(1, 2): 1}[(1, 2)],
        isinstance(p, tuple),
    )


@program(tensor(2), graphs=1)
def defaults(t):
    return (
        t + 1,
        Default(1),
        Default(1, c=5),
        Default._field_defaults,
        Default(1)._asdict(),
        repr(Default(1)),
        str(Point(1, "a")),
        f"{Point(1, 2)}",
    )


@program(tensor(2), Typed(1), graphs=1)
def typed(t, p):
    return (
        t + p.total(),
        p.twice,
        p.b,
        Typed(5),
        Typed(a=1, b="z")._replace(a=2),
        Typed.__annotations__["a"] if False else None,
    )


@program(tensor(2), graphs=1)
def subclasses(t):
    s = Sub(1, 2)
    s.extra = 5
    return t + s.norm(), s.extra, s, Slotted(1), Slotted(1)._replace(y=7), type(s._replace(x=4)), s == (1, 2), s + (3,)


@program(tensor(2), Sub(1, 2), graphs=1)
def existing_subclass(t, s):
    s.extra = t
    return t + s.norm(), s.x


@program(tensor(2), graphs=1)
def errors(t):
    p = Point(1, 2)
    said = []
    for attempt in (
        lambda: Point(1),
        lambda: Point(1, 2, 3),
        lambda: Point(1, z=2),
        lambda: p.z,
        lambda: setattr(p, "x", 5),
        lambda: setattr(p, "new", 5),
        lambda: p._replace(q=1),
        lambda: Point._make([1]),
        lambda: p[5],
        lambda: hash(Point([], 1)),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return t + 1, said


@program(tensor(2), Point(tensor(2), [1]), graphs=1)
def with_tensors(t, p):
    p.y.append(2)
    return t + p.x, p._replace(x=t)


@program(tensor(2), graphs=1)
def matched(t):
    match Point(1, 2):
        case Point(x=1, y=b):
            return t + b


@program(tensor(2), graphs=1)
def class_made_here(t):
    q = namedtuple("Q", "a b")
    return t + q(1, 2).a
