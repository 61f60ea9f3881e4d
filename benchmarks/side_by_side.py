"""What the benchmarks share: two engines, backends that do next to nothing, and measuring in turn.

Times are only ever given as ratios of two measured in one run: the ways are measured one after the other, many times
over, in an order that rotates, and the least time of each counts. So whatever else the machine does hits both alike.
"""

from __future__ import annotations

import gc
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple

import torch
import torch._dynamo  # what framelift is measured against

import framelift
from framelift import settings


class Engine(NamedTuple):
    """A front end."""

    name: str
    compile: Callable[..., Any]
    reset: Callable[[], None]
    graph_break: Callable[[], None]


OURS = Engine("framelift", framelift.compile, framelift.reset, framelift.graph_break)
THEIRS = Engine("torch.compile", torch.compile, torch._dynamo.reset, torch._dynamo.graph_break)
ENGINES = (OURS, THEIRS)


def nothing(module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
    """The do-nothing backend: the graph as it is."""
    return module.forward


def recorded(module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
    """The recorded-output backend: a graph runs once and then gives that output again. What is left is overhead."""
    forward = module.forward
    outputs: list[Any] = []

    def run(*inputs: Any) -> Any:
        if not outputs:
            outputs.append(forward(*inputs))
        return outputs[0]

    return run


class Row(NamedTuple):
    """One figure: what it costs here as a share of what it costs there, and the most it may be."""

    name: str
    ratio: float
    target: float


def least_times(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least wall time of each way, in ns: for what takes a few milliseconds at most."""
    return _least(ways, rounds, perf_counter_ns)


def least_cpu_times(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least CPU time of each way, in ns: for what takes long enough to be interrupted."""
    return _least(ways, rounds, process_time_ns)


def _least(ways: dict[str, Callable[[], Any]], rounds: int, clock: Callable[[], int]) -> dict[str, float]:
    least = dict.fromkeys(ways, float("inf"))
    order = list(ways)
    for turn in range(rounds):
        for name in order[turn % len(order) :] + order[: turn % len(order)]:
            with collector_off():
                start = clock()
                ways[name]()
                least[name] = min(least[name], clock() - start)
    return least


@contextmanager
def collector_off() -> Iterator[None]:
    """No garbage collection inside, and none left over from before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def loop_of(function: Callable[..., Any], args: tuple[Any, ...], count: int) -> Callable[[], None]:
    """Calls a function so many times."""
    names = ", ".join(f"a{index}" for index in range(len(args)))
    scope: dict[str, Any] = {"function": function, "args": args, "times": [None] * count}
    unpack = f"{names}, = args" if args else "pass"
    exec(f"def loop(times=times, function=function):\n {unpack}\n for _ in times: function({names})", scope)
    loop: Callable[[], None] = scope["loop"]
    return loop


def report(title: str, rows: list[Row]) -> bool:
    """Print the ratios as a Markdown table; whether all are within their targets."""
    print(f"\n{title} (Python {platform.python_version()}, torch {torch.__version__})\n")
    print("| | framelift / torch.compile | target: at most | |")
    print("|---|---|---|---|")
    for row in rows:
        met = "met" if row.ratio <= row.target else "not met"
        print(f"| {row.name} | {row.ratio:.3f} | {row.target:.3f} | {met} |")
    return all(row.ratio <= row.target for row in rows)


def check_not_strict() -> None:
    """Strict mode measures every guard in Python: times taken in it say nothing."""
    if settings.current().measure_guards:
        raise SystemExit("FRAMELIFT_STRICT is set: unset it to measure")


def set_up() -> None:
    """One thread, as in the runs that the figures come from."""
    check_not_strict()
    torch.set_num_threads(1)
    torch.manual_seed(0)
