"""Compile a small function, see that it gives what it gave before, and look at the graph that was captured.

python examples/hello.py
"""

from __future__ import annotations

import sys

import torch

import framelift


@framelift.compile(backend="eager")
def gelu_ish(x: torch.Tensor, *, slope: float = 1.702) -> torch.Tensor:
    """A cheap approximation of GELU."""
    gate = torch.sigmoid(slope * x)
    return x * gate if x.ndim else x


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(4, 3)
    expected = gelu_ish.__wrapped__(x)
    result = gelu_ish(x)
    again = gelu_ish(x, slope=1.702)

    print(f"Python {sys.version.split()[0]}, torch {torch.__version__}")
    print(f"{gelu_ish.__name__}: {gelu_ish.__doc__}")
    print(framelift.explain(gelu_ish)(x).graphs[0])
    if not (torch.equal(result, expected) and torch.equal(again, expected)):
        raise SystemExit("the compiled function and the plain one differ")
    print("The compiled function gives what the plain one gives, bit for bit.")


if __name__ == "__main__":
    main()
