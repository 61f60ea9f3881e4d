"""Numbers that change from call to call: zeros have a sign, and one may be True."""

import math

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)
NAN = float("nan")
VALS = [2.0, 3.0, 0.0, -0.0, 0.0, -0.0, NAN, NAN, 5.0, -0.0, math.inf, -math.inf]


@program(X, 1.0, steady=False, changed=[(X, v) for v in VALS])
def float_symbol_shown(x, f):
    return x + f, repr(f)


@program(X, 1.0, steady=False, changed=[(X, v) for v in VALS])
def float_symbol_sign(x, f):
    return x + f, math.copysign(1, f)


@program(X, 1.0, steady=False, changed=[(X, v) for v in VALS])
def float_symbol_key(x, f):
    d = {f: 1}
    return x + 1, list(d), d.get(0.0)


@program(X, 1.0, steady=False, changed=[(X, v) for v in VALS])
def float_symbol_compared(x, f):
    return x + 1, f == 0, f < 0, f != f, f >= 0, bool(f), [f] == [0.0], f in (0.0, 1.0)


@program(X, 1.0, steady=False, changed=[(X, v) for v in VALS])
def float_symbol_branch(x, f):
    if f == 0:
        return x + 1, math.copysign(1, f), str(f)
    return x * f, f + 0.0, f * 0, -f, abs(f), f - f, 0 - f


@program(X, [1.0], steady=False, changed=[(X, [v]) for v in VALS])
def float_in_list(x, l):
    return x + 1, str(l), l[0], math.atan2(0.0, l[0])


@program(X, {1.0: 1}, steady=False, changed=[(X, {v: 1}) for v in VALS])
def float_as_key(x, l):
    return x + 1, str(l), list(l)


@program(X, {(1.0,): 1}, steady=False, changed=[(X, {(v,): 1}) for v in VALS])
def float_in_tuple_as_key(x, l):
    return x + 1, str(l), list(l)


@program(X, {1.0}, steady=False, changed=[(X, {v}) for v in VALS])
def float_in_set(x, l):
    return x + 1, str(l), list(l)


@program(X, frozenset([1.0]), steady=False, changed=[(X, frozenset([v])) for v in VALS])
def float_in_frozenset(x, l):
    return x + 1, str(l), list(l)


@program(X, frozenset([1.0, 2.0]), steady=False, changed=[(X, frozenset([v, 2.0])) for v in VALS[2:]])
def float_in_frozenset_of_two(x, l):
    return x + 1, str(sorted(map(repr, l)))


@program(X, 1 + 0j, steady=False, changed=[(X, complex(v, 0.0)) for v in VALS] + [(X, complex(0.0, v)) for v in VALS])
def complex_arg(x, c):
    return x + 1, repr(c), c.real, c.imag, abs(c)


@program(X, (1.0, 2), steady=False, changed=[(X, (v, 2)) for v in VALS] + [(X, (v, True)) for v in VALS])
def float_in_tuple(x, t):
    return x + 1, repr(t), t == (0.0, 2), t[0]


@program(X, slice(1.0), steady=False, changed=[(X, slice(v)) for v in VALS])
def float_in_slice(x, t):
    return x + 1, repr(t), t.stop


import decimal
import fractions


@program(X, 1, steady=False, changed=[(X, v) for v in (2, 3, True, False, 0, 1, 2**65, -1, 5, True, 1)])
def int_symbol(x, n):
    return (
        x + 1,
        repr(n),
        n is True,
        n * 2,
        str(n),
        type(n).__name__,
        n == 1,
        [n],
        {n: 1},
        bool(n),
        -n,
        n // 2,
        n % 3,
        isinstance(n, bool),
    )
