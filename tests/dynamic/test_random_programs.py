"""Random programs with branches on sizes and numbers, called with many of them in random order: each as Python does."""

from __future__ import annotations

import linecache
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift
from framelift import settings
from tests.dynamic.counting import same

CALLS = 10


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ints = ["n", "m", "k", "a", "b"]
        self.reals = ["f", "g"]

    def one_of(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def whole(self, depth: int = 0) -> str:
        if depth > 2 or self.random.random() < 0.3:
            return str(self.one_of(*self.ints, *self.ints, self.random.randint(-3, 9)))
        x, y, f = self.whole(depth + 1), self.whole(depth + 1), self.real(depth + 1)
        divisor = self.one_of(2, 3, 4, -3)
        return str(
            self.one_of(
                f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"({x} // {divisor})", f"({x} % {divisor})",
                f"max({x}, {y})", f"min({x}, {y}, 7)", f"abs({x})", f"int({f})", f"round({f})", f"math.floor({f})",
                f"({x} if {self.truth(depth + 1)} else {y})", f"({x} & {y})", f"math.gcd({x}, {y})", f"({x} >> 1)",
                f"sum([{x}, {y}])", f"sorted([{x}, {y}, 3])[1]", f"divmod({x}, {divisor})[1]", f"(abs({x}) % 4) ** 2",
            )
        )  # fmt: skip

    def real(self, depth: int = 0) -> str:
        if depth > 2 or self.random.random() < 0.3:
            return str(self.one_of(*self.reals, *self.reals, self.random.randint(-20, 40) / 8))
        x, y, n = self.real(depth + 1), self.real(depth + 1), self.whole(depth + 1)
        return str(
            self.one_of(
                f"({x} + {y})", f"({x} * {n})", f"({n} - {x})", f"({n} / {self.one_of(2, 3, 0.5)})", f"float({n})",
                f"abs({x})", f"math.sqrt(abs({x}))", f"max({x}, {y})", f"round({x}, 1)", f"({x} // 0.1)",
                f"({x} % 0.7)", f"math.cos({x})", f"math.exp(-abs({x}))",
                f"(abs({x}) + 0.5) ** {self.one_of(0.5, 2, -1)}",
                f"math.log(1 + abs({x}))", f"({x} if {self.truth(depth + 1)} else {y})",
            )
        )  # fmt: skip

    def truth(self, depth: int = 0) -> str:
        x, y, f = self.whole(depth + 1), self.whole(depth + 1), self.real(depth + 1)
        sign = self.one_of("<", "<=", ">", ">=", "==", "!=")
        return str(
            self.one_of(
                f"{x} {sign} {y}", f"{x} {sign} {y}", f"{f} {sign} {x}", f"{x} < {y} <= {self.whole(depth + 1)}",
                f"bool({x})", f"{x} in (1, 2, {y})", f"({f}).is_integer()", f"not {x}",
            )
        )  # fmt: skip

    def tensor(self) -> str:
        n, f = self.whole(), self.real()
        return str(
            self.one_of(
                f"x * {n}", f"x + {f}", "x.sum(0)", f"y * {f}", f"x.reshape(-1)[: max(0, {n})]", "x.t() @ x",
                f"torch.arange(abs({n}) % 17)", f"x.new_zeros(abs({n}) % 9, m)", f"x[max(0, {n}) :]", f"x[:, : {n}]",
                "x.unsqueeze(0).expand(2, n, m)", "torch.cat([x, x])", f"y.repeat(abs({n}) % 4)", "x.reshape(m, n)",
                f"torch.where(x > 0, x, {f})", "(x + y) if k == m else x", f"torch.zeros(n, m).add_({f})",
                "x.mean() if n * m else y", f"torch.tensor([{n}, 3])", f"x.clamp(-2.0, {f})", "x.chunk(2)[0]",
            )
        )  # fmt: skip

    def program(self) -> str:
        lines = ["def program(x, y, a, b, f, g):", "    n, m = x.shape", "    k = len(y)", "    out = [x + 1]"]
        for number in range(self.random.randint(3, 7)):
            kind = self.random.randint(0, 9)
            if kind < 2:
                lines.append(f"    i{number} = {self.whole()}")
                self.ints.append(f"i{number}")
            elif kind < 4:
                lines.append(f"    f{number} = {self.real()}")
                self.reals.append(f"f{number}")
            elif kind < 7:
                lines += [f"    if {self.truth()}:", f"        out.append({self.one_of(self.tensor, self.whole)()})"]
            else:
                lines.append(f"    out.append({self.one_of(self.tensor, self.tensor, self.real, self.truth)()})")
        return "\n".join([*lines, "    return out", ""])


def _made(source: str, name: str) -> Any:
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"torch": torch, "math": math}
    exec(compile(source, name, "exec"), names)
    return names["program"]


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return function(*(arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("seed", range(40))
def test_random_program(seed: int) -> None:
    source = Writer(seed).program()
    program = _made(source, f"<random program {seed}>")
    draw = random.Random(seed)
    before = settings.change(specialize_zero_one=seed % 3 != 0)
    try:
        compiled = framelift.compile(program, backend="eager", dynamic=draw.choice([None, None, True]))
        fixed = [draw.random() < 0.3 for _ in range(7)]
        first = _drawn(draw)
        for _ in range(CALLS):
            numbers = [old if stays else new for old, stays, new in zip(first, fixed, _drawn(draw), strict=True)]
            args = (torch.randn(*numbers[:2]), torch.randn(numbers[2]), *numbers[3:])  # type: ignore[call-overload]
            same(_outcome(compiled, args), _outcome(program, args))
    finally:
        settings.change(specialize_zero_one=before.specialize_zero_one)


def _drawn(draw: random.Random) -> list[float]:
    sizes = [draw.randint(0, 9) for _ in range(3)]
    return [
        *sizes,
        draw.randint(-4, 9),
        draw.randint(-4, 9),
        draw.randint(-20, 40) / 8,
        draw.choice([0.0, 1.0, 0.3, 2.7]),
    ]
