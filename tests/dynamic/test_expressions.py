"""Sizes used as the Python numbers they are, in one expression at a time: two compilations, whatever the sizes."""

from __future__ import annotations

import functools
import itertools
import math
import numbers
import operator
from typing import Any

import pytest
import torch
from torch.nn import functional

from tests.dynamic.counting import compiles

NAMES: dict[str, Any] = {
    "F": functional, "functools": functools, "itertools": itertools, "math": math, "numbers": numbers,
    "operator": operator, "torch": torch,
}  # fmt: skip

ARITHMETIC = """
n**2, n**0.5, n**-1, 2**n, 2.0**n, pow(n, 3, 7), 0.9**n, (n / 3) ** 0.5
n // 3, -n // 3, n // -4, n % 3, -n % 4, n % -4, 100 // n, 100 % n, n // 2.5, n % 2.5, (n + 7) // 8 * 8, -(-n // 8)
divmod(n, 4), divmod(n, -4), divmod(-n, 4), divmod(n, 2.5)
n / 3, 1 / n, n * 0.1 * 3, 0.1 + n * 0.2 - 0.3, (n - 0.1) * 3 / 7, float(n) / 2, n * 1.0
round(n), round(n / 3), round(n / 7, 1), round(n, -1), round(n * 1.5, 2), int(n / 3), int(n * 0.7), int(float(n))
abs(n - 10), abs(n / 3 - 10), bool(n), bool(n > 1), not n, n and 3, n or 3, int(n > 1), (n > 1) * 2.5
max(n, 10, 20), min([n, 5, 7]), max((n, n + 1)), max(n / 2, 3.5), max(x.shape), min(*x.shape, 100), sum(x.shape)
sum([n, 1]), sum((n, n), 1), math.prod(x.shape), math.prod([n, 2], start=3), all(s > 1 for s in x.shape)
0 < n < 1000, n == n, n != n + 1, n == None, n != "a", n in (None, "a"), n is None, n is not None, n < math.inf
n << 1, n >> 1, n & 3, n | 1, n ^ 5, ~n, (n - 1) & n
n.__add__(1), n.__radd__(1), n.__rsub__(2), n.__lt__(1000), n.__floordiv__(2), int.__add__(n, 2), n.__add__(1.5)
n.real, n.imag, n.numerator, n.denominator, n.conjugate(), n.bit_length(), n.as_integer_ratio(), (n / 2).real
(n * 1.0).is_integer(), n.__index__(), n.__float__(), n.__neg__(), n.__divmod__(3), n.__round__(), n.__bool__()
"""

FUNCTIONS = """
math.sqrt(n), math.log(n), math.log(n, 2), math.log2(n), math.log10(n), math.log1p(n), math.exp(-n), math.expm1(1 / n)
math.cos(n), math.sin(n), math.tan(n), math.tanh(n), math.acos(1 / n), math.asin(1 / n), math.atan(n), math.atan2(n, 3)
math.sinh(1 / n), math.cosh(1 / n), math.asinh(n), math.acosh(n), math.atanh(1 / n), math.erf(1 / n), math.gamma(1 / n)
math.isqrt(n), math.gcd(n, 6), math.lcm(n, 4), math.comb(n, 2), math.perm(n, 2), math.factorial(n % 7)
math.pow(n, 0.3), math.hypot(n, 2), math.fabs(n), math.fmod(n, 3), math.modf(n / 3), math.frexp(n), math.copysign(1, -n)
math.degrees(n), math.radians(n), math.floor(n / 3), math.ceil(n / 3), math.trunc(n / 3), math.ceil(n)
math.isfinite(n), math.isnan(n / 3), math.isinf(n)
operator.index(n), operator.add(n, 1), operator.mul(n, n), operator.floordiv(n, 2), operator.mod(n, 3), operator.neg(n)
operator.truediv(n, 2), operator.pow(n, 2), operator.lt(0, n), operator.truth(n), operator.not_(n)
operator.is_(n, None)
operator.itemgetter(0)(x.shape), operator.iadd(n, 1), functools.reduce(operator.mul, x.shape, 1)
isinstance(n, int), isinstance(n, numbers.Integral), isinstance(n / 2, numbers.Real), isinstance(n, (float, str))
type(n) is int, callable(n), hasattr(n, "bit_length"), hasattr(n, "nothing"), len(x), x.nbytes, x.numel()
"""

CONTAINERS = """
[n] * 2, (n,) * 3, [n, n + 1][0], (*x.shape[:-1], 2), [*x.shape, 7], {"n": n}, dict(a=n), list((n,)), tuple([n, 2])
list(enumerate("ab", n)), list(enumerate("ab", start=n)), list(zip((n, n + 1), (1, 2))), list(map(float, x.shape))
sorted([n, 1000, 1]), sorted((n, -1), reverse=True), sorted([n, n + 1, -n], key=lambda v: -v), list(reversed(x.shape))
list(itertools.accumulate(x.shape)), list(itertools.product([n], [1, 2])), list(itertools.repeat(n, 3))
x.shape == (n, 5), (n, 5) == x.shape, x.shape != (1, 2), [n, 5] == list(x.shape), (n, 1) < (1000, 2), x.shape[::-1]
torch.Size((n, 2)), torch.Size([n]) + (3,), x.shape.numel(), x.stride(), x.t().stride()
"""

TENSORS = """
x[n - 1], x[-n], x[n // 2], x[n - 1, 1], x[n - 1, ..., 1], x[..., n - n], x[None, n - 1], x[n - 1, 1:], x[[0, n - 1]]
x[slice(None, n // 2)], x[1 : n - 1], x[-n:], x[: -(n // 2)], x[:: n // n + 1], x[torch.arange(n)], x[n // 2 :, 1:]
torch.arange(n), torch.arange(n - 1, -1, -1), torch.arange(0, n, n // 2), torch.arange(0, n / 2, 0.5)
torch.linspace(0, 1, n), torch.linspace(-n, n, n), torch.eye(n, 3), torch.ones(n, n).tril(n // 2)
torch.full((n,), n / 3)
torch.tensor(n), torch.tensor([n, 2.5]), torch.as_tensor([n, 2]), torch.asarray(n), x.new_tensor([n, 1])
x.view(n, -1), x.unflatten(0, (n, -1)), x[None].expand(n, -1, -1), x.repeat(1, n), x.tile((2, n)), x.roll(n // 2, 0)
F.pad(x, (0, 0, 0, -n % 8)), F.pad(x, (1, 1, n // 2, 0)), x.split([n // 2, n - n // 2])
x.tensor_split((1, 2)), x.chunk(2)
F.interpolate(x[None, None], size=(n * 2, 10)), F.interpolate(x[None, None], scale_factor=1.5, mode="bilinear")
F.max_pool1d(x[None].transpose(1, 2), 2), F.avg_pool1d(x[None].transpose(1, 2), 2), x.unfold(0, 2, 1)
x.clamp(-n, n / 2), x.masked_fill(x > 0, n), torch.where(x > 0, x, n), x.topk(n // 2, 0), x.narrow(0, 1, n - 1)
torch.vmap(lambda row: row * n)(x), torch.add(x, x, alpha=n), n - x, n / (x + 9), x.lerp(x, 1 / n), n ** x.abs()
"""


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _function(expression: str) -> Any:
    names = dict(NAMES)
    exec(f"def function(x):\n    n = x.shape[0]\n    return x + 1, ({expression},)\n", names)
    return names["function"]


@pytest.mark.parametrize("expression", _lines(ARITHMETIC) + _lines(FUNCTIONS) + _lines(CONTAINERS) + _lines(TENSORS))
def test_expression(expression: str) -> None:
    calls = [(torch.randn(size, 5),) for size in (6, 4, 7, 10, 16, 23)]
    assert compiles(_function(expression), calls) == 2
