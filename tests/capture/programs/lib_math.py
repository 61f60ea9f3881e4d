"""math and cmath."""

import cmath
import math

from tests.capture.harness import program, tensor


class Four:
    def __float__(self):
        return 4.0

    def __index__(self):
        return 4

    def __ceil__(self):
        return "ceil"

    def __trunc__(self):
        return "trunc"


@program(tensor(2), 2.0, 3, graphs=1, changed=[(tensor(2), 0.5, 4)])
def folded(x, a, n):
    return (
        x * math.sqrt(a) + math.factorial(n) + math.floor(a) - math.log(a),
        math.exp(a),
        math.atan2(a, n),
        math.hypot(a, n),
    )


@program(graphs=1)
def constants(x):
    return x * math.pi + math.e, math.inf, math.isnan(math.nan), math.tau


@program(graphs=1)
def integers(x):
    return x + 1, math.gcd(12, 18), math.lcm(4, 6), math.comb(5, 2), math.perm(5, 2), math.isqrt(17), math.prod([2, 3])


@program(graphs=1)
def sums(x):
    return x + 1, math.fsum([0.1] * 10), math.dist([0, 0], [3, 4]), math.prod([x, x], start=2)


@program(graphs=1)
def pairs(x):
    return (
        x + 1,
        math.frexp(8.0),
        math.modf(2.5),
        math.copysign(1, -0.0),
        math.isclose(1.0, 1.0 + 1e-12),
        math.ldexp(1.0, 3),
    )


@program(graphs=1)
def errors(x):
    messages = []
    for function, argument in (
        (math.sqrt, -1.0),
        (math.log, 0),
        (math.factorial, -1),
        (math.exp, 1e6),
        (math.sqrt, "a"),
    ):
        try:
            function(argument)
        except (ValueError, OverflowError, TypeError) as error:
            messages.append((type(error).__name__, str(error)))
    return x + 1, messages


@program(graphs=1)
def objects(x):
    o = Four()
    return x + math.sqrt(o), math.factorial(o), math.ceil(o), math.trunc(o), math.floor(o), math.gcd(o, 6)


@program(broken="value of a tensor")
def of_a_tensor(x):
    return math.sqrt(x.sum())


@program(graphs=1)
def complex_numbers(x):
    return x + 1, cmath.sqrt(-1), cmath.phase(1j), cmath.polar(1 + 1j), cmath.isnan(complex("nan"))


@program(tensor(4, 6), graphs=1)
def on_shapes(x):
    return x.reshape(math.prod(x.shape)) / math.sqrt(x.size(-1)), math.ceil(x.shape[0] / 3)
