"""dataclasses: made in the call and existing before it."""
# ruff: noqa: FURB171

import dataclasses
from dataclasses import InitVar, dataclass, field

from tests.capture.harness import program, tensor


@dataclass
class Point:
    x: float
    y: float = 2.0


@dataclass(frozen=True)
class Frozen:
    a: int
    b: tuple = ()


@dataclass(order=True)
class Ordered:
    a: int
    b: str = field(default="z", compare=False)


@dataclass(slots=True)
class Slotted:
    a: int
    b: list = field(default_factory=list)


@dataclass
class Full:
    a: int
    items: list = field(default_factory=list)
    hidden: int = field(default=0, repr=False)
    derived: int = field(init=False)
    scale: InitVar[int] = 3

    def __post_init__(self, scale):
        self.derived = self.a * scale


@dataclass
class Base:
    a: int = 1


@dataclass
class Child(Base):
    b: int = 2

    def total(self):
        return self.a + self.b


@dataclass(kw_only=True)
class Keyword:
    a: int
    b: int = 5


@dataclass(eq=False)
class NoEq:
    a: int


@dataclass(unsafe_hash=True)
class Hashed:
    a: int


@dataclass
class Nested:
    point: Point
    points: list
    table: dict


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    a: int


@program(tensor(2), Point(1.0), graphs=1, changed=[(tensor(2), Point(3.0, 4.0))])
def existing(t, p):
    p.y = p.y + 1
    return t + p.x, p.y


@program(tensor(2), graphs=1)
def made_here(t):
    p = Point(t)
    q = Point(1.0, y=5.0)
    q.x += 2
    return p.x + q.x, p, q, repr(q), q == Point(3.0, 5.0), q != Point(0), q == 5


@program(tensor(2), Frozen(1, (2,)), graphs=1)
def frozen(t, f):
    made = Frozen(5)
    try:
        made.a = 6
    except dataclasses.FrozenInstanceError as error:
        said = str(error)
    return (
        t + f.a,
        made,
        said,
        hash(Frozen(1)) == hash(Frozen(1)),
        {Frozen(1): "x"}[Frozen(1)],
        Frozen(1) in {Frozen(1)},
    )


@program(tensor(2), graphs=1)
def ordered(t):
    a, b = Ordered(1), Ordered(2)
    return (
        t + 1,
        a < b,
        a <= b,
        a > b,
        a >= a,
        a == Ordered(1, "q"),
        sorted([b, a]),
        max(a, b),
        sorted([Ordered(n % 3) for n in range(6)]),
    )


@program(tensor(2), Slotted(1), graphs=1)
def slotted(t, s):
    s.b.append(1)
    s.a = 7
    made = Slotted(2)
    made.b.append(t)
    return t + s.a, made, Slotted(1) == Slotted(1), repr(Slotted(3))


@program(tensor(2), graphs=1)
def full(t):
    f = Full(2)
    g = Full(2, scale=10)
    f.items.append(1)
    return t + f.derived, f, g, g.derived, g.items, repr(f)


@program(tensor(2), graphs=1)
def inherited(t):
    c = Child(b=5)
    return t + c.total(), c, isinstance(c, Base), c == Child(1, 5), c == Base(1)


@program(tensor(2), graphs=1)
def keyword_only(t):
    k = Keyword(a=1)
    try:
        Keyword(1)
    except TypeError as error:
        return t + k.b, k, str(error)


@program(tensor(2), graphs=1)
def without_eq(t):
    a, b = NoEq(1), NoEq(1)
    return t + 1, a == b, a == a, {a: 1}[a], len({a, b})


@program(tensor(2), graphs=1)
def with_hash(t):
    return t + 1, hash(Hashed(1)) == hash(Hashed(1)), {Hashed(1): 2}[Hashed(1)], len({Hashed(1), Hashed(1), Hashed(2)})


@program(tensor(2), Point(1.0), graphs=1)
def replaced(t, p):
    q = dataclasses.replace(p, y=9.0)
    r = dataclasses.replace(Frozen(1), a=2)
    return t + q.y, q, r, p


@program(tensor(2), Point(1.0), graphs=1)
def fields(t, p):
    names = [f.name for f in dataclasses.fields(p)]
    return (
        t + 1,
        names,
        [f.name for f in dataclasses.fields(Child)],
        dataclasses.is_dataclass(p),
        dataclasses.is_dataclass(5),
        [getattr(p, f.name) for f in dataclasses.fields(p)],
        dataclasses.fields(Point)[1].default,
    )


@program(tensor(2), graphs=1)
def as_dict(t):
    return (
        t + 1,
        dataclasses.asdict(Point(1.0)),
        dataclasses.astuple(Point(1.0)),
        dataclasses.asdict(Child()),
        dataclasses.astuple(Frozen(1, (1, 2))),
    )


@program(tensor(2), graphs=1)
def as_dict_nested(t):
    n = Nested(Point(1.0), [Point(2.0)], {"a": Point(3.0)})
    return t + 1, dataclasses.asdict(n), dataclasses.astuple(n)


@program(tensor(2), Nested(Point(1.0), [Point(2.0)], {"a": Point(3.0)}), graphs=1)
def nested(t, n):
    n.point.x = t
    n.points.append(Point(5.0))
    n.table["b"] = n.point
    return t + n.points[0].x, n.table["a"].x


@program(tensor(2), graphs=1)
def errors(t):
    said = []
    for attempt in (
        lambda: Point(),
        lambda: Point(1, 2, 3),
        lambda: Point(1, z=2),
        lambda: Point(1).z,
        lambda: dataclasses.fields(5),
        lambda: dataclasses.asdict(5),
        lambda: dataclasses.replace(Point(1), z=5),
        lambda: dataclasses.replace(Full(1), derived=5),
        lambda: hash(Point(1)),
        lambda: Point(1) < Point(2),
        lambda: Ordered(1) < 5,
        lambda: setattr(Frozen(1), "a", 2),
        lambda: delattr(Frozen(1), "a"),
        lambda: setattr(Slotted(1), "zz", 2),
        lambda: Slotted(1).zz,
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return t + 1, said


@program(tensor(2), graphs=1)
def match_args(t):
    match Point(1.0, 2.0):
        case Point(a, b):
            return t + a + b, Point.__match_args__


@program(tensor(2), FrozenSlots(3), graphs=1)
def frozen_slots(t, f):
    return (
        t + f.a,
        FrozenSlots(4),
        FrozenSlots(1) == FrozenSlots(1),
        {FrozenSlots(1): 2}[FrozenSlots(1)],
        f == FrozenSlots(3),
    )


@program(tensor(2), graphs=1)
def returned_and_shared(t):
    p = Point(t)
    return [p, p], {"p": p}, p.x + 1


@program(tensor(2), graphs=1)
def class_made_here(t):
    return t + dataclasses.make_dataclass("Q", ["a"])(1).a
