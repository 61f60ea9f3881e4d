"""Compile a small function and see that it still is the same function.

framelift does not capture graphs yet: today the compiled function runs its own bytecode, read, reassembled and taken
from the cache.
"""

from __future__ import annotations

import sys

import torch

import framelift


@framelift.compile
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
    print(result)
    if not (torch.equal(result, expected) and torch.equal(again, expected)):
        raise SystemExit("the compiled function and the plain one differ")
    print("The compiled function gives what the plain one gives, bit for bit.")


if __name__ == "__main__":
    main()
