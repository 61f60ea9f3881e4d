"""enum: Enum, IntEnum, StrEnum, Flag, IntFlag."""

import enum
from enum import Enum, Flag, IntEnum, IntFlag, auto

from tests.capture.harness import program, tensor


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    def shout(self):
        return self.name + "!"

    @property
    def doubled(self):
        return self.value * 2

    @classmethod
    def default(cls):
        return cls.GREEN


class Size(IntEnum):
    SMALL = 1
    LARGE = 10


class Word(str, Enum):
    A = "a"
    B = "b"


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


class Bits(IntFlag):
    A = 1
    B = 2


class Planet(Enum):
    EARTH = (5.9, [1])

    def __init__(self, mass, things):
        self.mass = mass
        self.things = things


class Auto(Enum):
    A = auto()
    B = auto()


class Missing(Enum):
    A = 1

    @classmethod
    def _missing_(cls, value):
        return cls.A


@program(tensor(2), Color.RED, graphs=1, changed=[(tensor(2), Color.GREEN)])
def members(x, c):
    return (
        x + c.value,
        c.name,
        c is Color.RED,
        c == Color.GREEN,
        c != Color.RED,
        c,
        Color.CRIMSON is Color.RED,
        c.shout(),
        c.doubled,
        Color.default(),
        type(c),
        isinstance(c, Color),
    )


@program(tensor(2), 2, "RED", graphs=1)
def look_ups(x, value, name):
    return (
        x + Color(value).value,
        Color[name],
        Color(Color.RED),
        getattr(Color, name),
        Color(1),
        Auto(2),
        Auto.B.value,
        Word("a"),
    )


@program(tensor(2), graphs=1)
def iteration(x):
    return (
        x + len(Color),
        list(Color),
        [c.name for c in Color],
        list(reversed(Color)),
        {c: c.value for c in Color},
        Color.RED in Color,
        list(Color.__members__),
        [c for c in Perm],
        sorted(Size),
        max(Size),
    )


@program(tensor(2), graphs=1)
def texts(x):
    return (
        x + 1,
        str(Color.RED),
        repr(Color.RED),
        f"{Color.RED}",
        f"{Size.LARGE}",
        repr(Perm.R | Perm.W),
        str(Size.SMALL),
        f"{Word.A}",
        repr(Word.A),
        "%s" % Color.RED,
        str(Color),
    )


@program(tensor(2), Size.LARGE, graphs=1)
def integers(x, s):
    return (
        x + s,
        s + 1,
        s > Size.SMALL,
        s == 10,
        [0] * Size.SMALL,
        Size(10),
        s.value,
        int(s),
        {Size.SMALL: 1}[1],
        range(s)[0],
        s * 2,
        -s,
        bool(s),
        s in (10, 11),
        hash(s) == hash(10),
        max(Size.SMALL, s),
        f"{s:03d}",
        [7, 8][Size.SMALL],
    )


@program(tensor(2), Word.A, graphs=1)
def strings(x, w):
    return (
        x + 1,
        w == "a",
        w.upper(),
        w + "z",
        {"a": 1}[w],
        w.value,
        "cab".find(w),
        w in "cab",
        len(w),
        w.startswith("a"),
        Word("b") is Word.B,
    )


@program(tensor(2), Perm.R, graphs=1)
def flags(x, p):
    both = p | Perm.W
    return (
        x + both.value,
        both,
        both & Perm.W,
        both ^ Perm.R,
        ~p,
        Perm.R in both,
        bool(both & Perm.X),
        both is Perm.RW,
        Perm(3),
        Perm(0),
        list(both),
        not Perm(0),
        both == Perm.RW,
        (both & Perm.W) == Perm.W,
        both.name,
    )


@program(tensor(2), Bits.A, graphs=1)
def integer_flags(x, b):
    return x + (b | Bits.B), b | 4, b & 1, Bits(3), b + 1, Bits.A | Bits.B == 3, bool(b & Bits.B), b == 1


@program(tensor(2), graphs=1)
def with_attributes(x):
    return (
        x + Planet.EARTH.mass,
        Planet.EARTH.value[0],
        Planet.EARTH.things,
        Planet.EARTH.value[1] is Planet.EARTH.things,
    )


@program(tensor(2), graphs=1, steady=False)
def changing_a_value(x):
    Planet.EARTH.things.append(2)
    return x + len(Planet.EARTH.things)


@program(tensor(2), graphs=1)
def as_keys(x):
    d = {Color.RED: 1, Color.GREEN: x}
    d[Color.RED] += 1
    s = {Color.RED, Color.GREEN}
    return x + d[Color.CRIMSON], Color.RED in s, len(s), d


@program(tensor(2), {Color.RED: 1, Color.GREEN: 2}, graphs=1)
def existing_keys(x, d):
    return x + d[Color.RED], Color.GREEN in d, [k.name for k in d]


@program(tensor(2), graphs=1)
def errors(x):
    said = []
    for attempt in (
        lambda: Color(9),
        lambda: Color["PINK"],
        lambda: Color.PINK,
        lambda: setattr(Color.RED, "value", 5),
        lambda: Color.RED < Color.GREEN,
        lambda: Color.RED + 1,
        lambda: Color([]),
        lambda: Size("a"),
        lambda: Perm.R | 5,
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), Color.GREEN, graphs=1, changed=[(tensor(2), Color.RED)])
def matched(x, c):
    match c:
        case Color.RED:
            return x + 1
        case Color.GREEN:
            return x + 2


@program(tensor(2), graphs=1)
def own_missing(x):
    return x + Missing(5).value


@program(tensor(2), graphs=1)
def functional(x):
    return x + enum.Enum("Q", "A B").A.value


class Spoken(str, enum.Enum):
    ONE = "one"
    TWO = "two"


class Counted(enum.IntEnum):
    ONE = 1
    TWO = 2


class Bare(enum.Enum):
    ONE = 1
    TWO = 2


SPOKEN = {Spoken.ONE: 1, Spoken.TWO: 2}
TEXTS = {"one": 10, "three": 30}
COUNTED = {Counted.ONE: 1, 2: 2}
BARE = {Bare.ONE: 1, "x": 5}
MIXED = {Spoken.ONE: 1, Counted.TWO: 2, Bare.ONE: 3, None: 4}


@program(graphs=1)
def dicts_with_members_for_keys(x):
    found = [SPOKEN[Spoken.TWO], SPOKEN["one"], TEXTS[Spoken.ONE], COUNTED[1], COUNTED[Counted.TWO], BARE[Bare.ONE]]
    found += [MIXED[key] for key in ("one", 2, Bare.ONE, None)]
    missing = [Spoken.TWO in TEXTS, 3 in COUNTED, Bare.TWO in BARE, Bare.TWO in MIXED, Spoken.TWO in MIXED, 1 in MIXED]
    return x + sum(found), found, missing, MIXED.get(Bare.TWO), TEXTS.get(Spoken.TWO, 7)


@program(make=True, graphs=1, steady=False)
def dict_that_gets_a_member_as_key():
    table = {"one": 1}

    def run(x):
        known = Bare.TWO in table
        table[Bare.TWO] = 3
        return x + len(table), known

    return run, (tensor(2),)
