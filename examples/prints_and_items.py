"""A program full of prints and `.item()`, compiled as it is.

    python examples/prints_and_items.py

Nothing has to be taken out: graphs end where a value is needed, Python does that, and capture goes on behind it. What
is printed is the same, in the same order. The report at the end says where the graphs ended and why.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import torch

import framelift


def solve(matrix: torch.Tensor, target: torch.Tensor, steps: int) -> torch.Tensor:
    print("solving for", tuple(target.shape))
    x = torch.zeros_like(target)
    rate = 1.0 / matrix.norm().item() ** 2
    for step in range(steps):
        residual = matrix @ x - target
        error = residual.square().mean()
        if step % 2 == 0:
            print(f"step {step}: error {error.item():.4f}")
        if error < 1e-6:
            print("close enough")
            break
        try:
            x = x - rate * (matrix.T @ residual)
        finally:
            print("moved by", round(rate, 4))
    worst = residual.abs().argmax().item()
    print("largest residual at", worst)
    return x


def with_output(call: Callable[..., Any], *args: Any) -> tuple[Any, str]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = call(*args)
    return result, printed.getvalue()


def main() -> None:
    torch.manual_seed(0)
    args = torch.randn(6, 6), torch.randn(6), 5
    result, printed = with_output(framelift.compile(solve, backend="eager"), *args)
    expected, plainly = with_output(solve, *args)
    print(printed)
    if printed != plainly or not torch.equal(result, expected):
        raise SystemExit("plain Python prints something else")
    explanation, _ = with_output(framelift.explain(solve), *args)
    print(f"The same as without framelift. {explanation.summary}. The first graph ends here:\n")
    print(explanation.breaks[0])


if __name__ == "__main__":
    main()
