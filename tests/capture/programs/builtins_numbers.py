"""int, float, complex, bool, range, slice: methods, operators, conversions, errors."""
# ruff: noqa: FURB171, PLE0303, PLE0304, PLE0305, PLE0309

import math

from tests.capture.harness import program, tensor


@program(tensor(2), 7, 3, graphs=1, changed=[(tensor(2), -7, 2)])
def integer_operators(x, a, b):
    return (
        x + a,
        [a + b, a - b, a * b, a / b, a // b, a % b, a**b, a << b, a >> 1, a & b, a | b, a ^ b, -a, +a, ~a],
        [a < b, a <= b, a == b, a != b, a > b, a >= b],
        divmod(a, b),
        pow(a, b),
        pow(a, 2, 5),
        abs(-a),
    )


@program(tensor(2), 7.5, -2.0, graphs=1, changed=[(tensor(2), 0.1, 2.5)])
def float_operators(x, a, b):
    return x * a, [
        a + b,
        a - b,
        a * b,
        a / b,
        a // b,
        a % b,
        abs(b),
        -a,
        a < b,
        a == 7.5,
        round(a),
        round(a, 1),
        divmod(a, b),
    ]


@program(tensor(2), graphs=1)
def special_floats(x):
    nan, inf = float("nan"), float("inf")
    return (
        x + 1,
        nan == nan,
        nan != nan,
        inf > 1,
        -0.0 == 0.0,
        math.copysign(1, -0.0),
        nan in [nan],
        inf - inf,
        str(nan),
    )


@program(tensor(2), -0.0, float("nan"), graphs=1, changed=[(tensor(2), 0.0, float("nan"))])
def special_float_inputs(x, zero, nan):
    return x + 1, math.copysign(1, zero), nan == nan, [nan].count(nan), nan


@program(tensor(2), graphs=1)
def number_methods(x):
    return (
        x + 1,
        (5).bit_length(),
        (5).bit_count(),
        (5).real,
        (5).imag,
        (5).numerator,
        (5).denominator,
        (5).conjugate(),
        (1.5).is_integer(),
        (1.5).as_integer_ratio(),
        (255).to_bytes(1, "big"),
        (1.5).hex(),
        float.fromhex("0x1.8p+0"),
        (1 + 2j).conjugate(),
        (1 + 2j).real,
        (2.7).__trunc__(),
        (2).__index__(),
    )


@program(tensor(2), graphs=1)
def conversions(x):
    return (
        x + 1,
        int("12"),
        int("ff", 16),
        int("0b1", base=0),
        int(3.9),
        int(True),
        int(),
        float("1e3"),
        float(2),
        float(),
        complex(1, 2),
        complex("1+2j"),
        bool([]),
        bool("a"),
        bool(),
        bool(0.0),
        hex(255),
        oct(8),
        bin(5),
        int(b"7"),
    )


class Number:
    def __init__(self, n):
        self.n = n

    def __int__(self):
        return self.n

    def __float__(self):
        return self.n + 0.5

    def __complex__(self):
        return complex(self.n, 1)

    def __abs__(self):
        return "abs"

    def __round__(self, digits=None):
        return ("round", digits)

    def __divmod__(self, other):
        return ("divmod", other)

    def __rdivmod__(self, other):
        return ("rdivmod", other)

    def __pow__(self, other, modulo=None):
        return ("pow", other, modulo)

    def __index__(self):
        return self.n

    def __radd__(self, other):
        return ("radd", other)

    def __rmul__(self, other):
        return ("rmul", other)

    def __bool__(self):
        return self.n > 0

    def __neg__(self):
        return "neg"

    def __trunc__(self):
        return 1

    def __floor__(self):
        return 2

    def __ceil__(self):
        return 3


@program(tensor(2), graphs=1)
def conversions_of_objects(x):
    n = Number(5)
    return (
        x + 1,
        int(n),
        float(n),
        complex(n),
        abs(n),
        round(n),
        round(n, 2),
        divmod(n, 2),
        divmod(2, n),
        pow(n, 2),
        pow(n, 2, 3),
        n**4,
        bool(n),
        not n,
        -n,
        hex(n),
        bin(n),
        oct(n),
        chr(n),
        range(n),
        [1, 2] * n,
        1 + n,
        "a" * n,
        2 * n,
        math.trunc(n),
        math.floor(n),
        math.ceil(n),
    )


class Bad:
    def __int__(self):
        return "no"

    def __index__(self):
        return 1.5

    def __float__(self):
        return 1

    def __bool__(self):
        return 3

    def __len__(self):
        return -1

    def __hash__(self):
        return "h"


@program(tensor(2), graphs=1)
def errors(x):
    said = []
    for attempt in (
        lambda: 1 / 0,
        lambda: 1 // 0,
        lambda: 1 % 0,
        lambda: 1.0 / 0,
        lambda: 0**-1,
        lambda: 1 << -1,
        lambda: int("x"),
        lambda: int([]),
        lambda: int(None),
        lambda: float("x"),
        lambda: float([]),
        lambda: float(object),
        lambda: complex([]),
        lambda: complex("x"),
        lambda: int("1", 99),
        lambda: int(1, 2),
        lambda: 1 + [],
        lambda: 1 + None,
        lambda: [] + 1,
        lambda: 1 < "a",
        lambda: 1 < [],
        lambda: None < 1,
        lambda: 1j < 2j,
        lambda: -[],
        lambda: ~1.5,
        lambda: abs("a"),
        lambda: round("a"),
        lambda: divmod(1, 0),
        lambda: divmod(1, "a"),
        lambda: pow(2, -1, 4),
        lambda: pow(2, "a"),
        lambda: (1).foo,
        lambda: (5).bit_length(3),
        lambda: hex(1.5),
        lambda: chr("a"),
        lambda: int(Bad()),
        lambda: [1, 2][Bad()],
        lambda: float(Bad()),
        lambda: bool(Bad()),
        lambda: len(Bad()),
        lambda: hash(Bad()),
        lambda: float("inf").as_integer_ratio(),
        lambda: int(float("nan")),
        lambda: 2.0**10000,
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), 2, 10, 3, graphs=1, changed=[(tensor(2), 0, 4, 1)])
def ranges(x, a, b, c):
    r = range(a, b, c)
    return (
        x + len(r),
        r,
        list(r),
        r[0],
        r[-1],
        r[1:],
        5 in r,
        r.index(5) if 5 in r else None,
        r.count(5),
        r.start,
        r.stop,
        r.step,
        list(reversed(r)),
        r == range(2, 11, 3),
        bool(range(0)),
        list(range(3)),
        hash(r) == hash(range(a, b, c)),
        1.0 in range(3),
        "a" in range(3),
    )


@program(tensor(2), graphs=1)
def half_consumed_ranges(x):
    r = iter(range(5))
    next(r)
    s = reversed(range(5))
    next(s)
    t = iter(range(10**20, 10**20 + 3))
    next(t)
    d = iter(range(1))
    list(d)
    return x + 1, r, s, t, d


@program(tensor(2), graphs=1)
def range_errors(x):
    said = []
    for attempt in (
        lambda: range(1.5),
        lambda: range("a"),
        lambda: range(1, 2, 0),
        lambda: range(),
        lambda: range(1, 2, 3, 4),
        lambda: range(3)[5],
        lambda: range(3)["a"],
        lambda: range(3).index(7),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(6), graphs=1)
def slices(x):
    s = slice(1, 5, 2)
    t = slice(3)
    return (
        x[s] + 1,
        s,
        t,
        s.start,
        s.stop,
        s.step,
        s.indices(4),
        t.indices(2),
        s == slice(1, 5, 2),
        s != t,
        repr(s),
        [1, 2, 3][t],
    )


@program(tensor(2), graphs=1)
def slice_errors(x):
    said = []
    for attempt in (
        lambda: slice(),
        lambda: slice(1, 2, 3, 4),
        lambda: slice("a").indices(3),
        lambda: slice(1, 2, 0).indices(3),
        lambda: slice(1).indices(-1),
        lambda: slice(1).indices("a"),
        lambda: slice(1) < 3,
        lambda: slice(1, 2) < slice(1, 3),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), True, graphs=1, changed=[(tensor(2), False)])
def booleans(x, b):
    return x + b, b & False, b | True, b ^ b, not b, b + 1, isinstance(b, int), sum([b, b]), int(b), str(b), b.real, ~5


@program(tensor(2), 1 + 2j, graphs=1)
def complex_numbers(x, c):
    return x + c.real, c * 2, c + 1, c**2, abs(3 + 4j), c == 1 + 2j, -c, c / 2, c.conjugate(), complex(1.5)


@program(tensor(2), 10**30, graphs=1)
def big_integers(x, n):
    return x + 1, n + 1, n % 7, n.bit_length(), str(n), n == 10**30, int("9" * 40)
