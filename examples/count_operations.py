"""A backend of your own: it counts the operations of every graph and lets it run as it is.

    python examples/count_operations.py

A backend is any callable that takes a `torch.fx.GraphModule` and example inputs, and gives back something to call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

import framelift


class CountOperations:
    """Counts by name, graph by graph."""

    def __init__(self) -> None:
        self.graphs: list[Counter[str]] = []

    def __call__(self, module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
        calls = (node for node in module.graph.nodes if node.op in ("call_function", "call_method", "call_module"))
        self.graphs.append(Counter(getattr(node.target, "__name__", str(node.target)) for node in calls))
        return module.forward


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(72, 4)).eval()
    counting = CountOperations()
    compiled = framelift.compile(model, backend=counting)
    x = torch.randn(2, 3, 5, 5)
    torch.testing.assert_close(compiled(x), model(x))
    for number, counts in enumerate(counting.graphs, 1):
        print(f"graph {number}: {counts.total()} operations")
        for name, count in counts.most_common():
            print(f"  {count:3} {name}")
    compiled(x + 1)
    print(f"after another call with the same shapes: {len(counting.graphs)} graph(s)")


if __name__ == "__main__":
    main()
