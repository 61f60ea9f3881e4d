"""What a warm call costs beyond its graphs, as a share of what it costs under torch.compile.

    python benchmarks/bench_warm.py [--rounds N]

Graphs give back outputs recorded before, so that binding, guards, residual code and the way there and back are left.
Both engines compile the same function, with the same arguments, in one process, and are timed in turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch

from benchmarks import side_by_side
from benchmarks.side_by_side import ENGINES, OURS, THEIRS, Engine, Row

CALLS = 100  # in one measurement: a millisecond or so


class Case(NamedTuple):
    """A function to call, and the most a call may cost as a share of torch.compile's."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    target: float
    options: dict[str, Any] = {}  # noqa: RUF012  (not changed)


def plus_one(x):
    return x + 1


def twenty_arguments(a, b, c, d, e, f, g, h, i, j, list1, list2, dict1, dict2, tuple1, tuple2, text1, text2, real, x):
    y = x * a + b + list1[0] + dict1["k"] + tuple1[1] + len(text1) + c + d + e + f + g + h + i + j
    return y + list2[1] + dict2["z"] + tuple2[0] + len(text2) + real


class Nested:
    """An object with a number and another such object."""

    def __init__(self, depth: int) -> None:
        self.value = 1.5
        self.child = Nested(depth - 1) if depth else None


def nested_objects(found, x):
    while found is not None:
        x = x + found.value
        found = found.child
    return x


def graph_break() -> None:
    """Stands for the engine's own, which `compiled` puts in its place."""


def ten_breaks(x):
    for _ in range(10):
        x = x + 1
        graph_break()
    return x + 1


def ten_breaks_in_line(x):
    x = x + 1
    graph_break()
    x = x + 2
    graph_break()
    x = x + 3
    graph_break()
    x = x + 4
    graph_break()
    x = x + 5
    graph_break()
    x = x + 6
    graph_break()
    x = x + 7
    graph_break()
    x = x + 8
    graph_break()
    x = x + 9
    graph_break()
    x = x + 10
    graph_break()
    return x + 11


def ten_sizes(a, b, c, d, e):
    return a.sum() + b.sum() * a.shape[0] + c.sum() * b.shape[1] + d.reshape(-1).sum() + e.t().sum()


def cases() -> list[Case]:
    x = torch.randn(4)
    many = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, [1, 2], [3, 4], {"k": 1}, {"z": 2}, (1, 2), (3, 4), "abc", "de", 5.0, x)
    sized = tuple(torch.randn(3 + 2 * index, 4 + 2 * index) for index in range(5))
    return [
        Case("x + 1", plus_one, (x,), 1 / 8),
        Case("20 scalar and container arguments", twenty_arguments, many, 1 / 8),
        Case("10 nested objects", nested_objects, (Nested(9), x), 1 / 8),
        Case("10 graph breaks, one after the other", ten_breaks_in_line, (x,), 1 / 5),
        Case("10 graph breaks, in a loop", ten_breaks, (x,), 1 / 5),
        Case("10 symbolic dimensions", ten_sizes, sized, 1 / 8, {"dynamic": True}),
    ]


def compiled(engine: Engine, case: Case) -> Callable[..., Any]:
    """The function, compiled and warm. It is a copy: its globals are the engine's, its code has caches of its own."""
    scope = {**globals(), "graph_break": engine.graph_break}
    function = FunctionType(case.function.__code__.replace(), scope, case.function.__name__)
    made: Callable[..., Any] = engine.compile(function, backend=side_by_side.recorded, **case.options)
    for _ in range(50):
        made(*case.args)
    return made


def measure(case: Case, rounds: int) -> Row:
    ways = {engine.name: side_by_side.loop_of(compiled(engine, case), case.args, CALLS) for engine in ENGINES}
    times = side_by_side.least_times(ways, rounds)
    return Row(case.name, times[OURS.name] / times[THEIRS.name], case.target)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=200)
    given = options.parse_args()
    side_by_side.set_up()
    rows = [measure(case, given.rounds) for case in cases()]
    return 0 if side_by_side.report("Overhead of a warm call", rows) else 1


if __name__ == "__main__":
    sys.exit(main())
