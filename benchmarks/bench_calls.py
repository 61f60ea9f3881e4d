"""What a call costs with framelift in between, as a ratio to the same call without.

    python benchmarks/bench_calls.py                measure times
    python benchmarks/bench_calls.py --callgrind    count instructions instead (needs valgrind, takes minutes)

Four ways to call an empty function, measured in turn, many times over: each round times every way, in an order that
rotates, and the least time of each counts. So whatever else the machine does hits all ways alike, and is left out by
the minimum. A call is timed as `timeit` does, in a loop of one call; what the loop alone costs is measured too, and the
last column has it taken away.
"""

from __future__ import annotations

import argparse
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from types import FunctionType

sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from framelift import _core
from framelift.runtime import identity

TARGET = 1.60  # a call through the native callable, to a plain call
LOOP, PLAIN, NATIVE = "the loop alone", "plain call", "native callable"

Loop = Callable[..., None]


def empty() -> None:
    """What is called."""


def loop_of(statement: str, function: object, count: int) -> Loop:
    """A loop that runs `statement` `count` times: code of its own for each, with inline caches of its own."""
    scope = {"function": function, "times": [None] * count}
    exec(f"def loop(times=times, function=function):\n for _ in times: {statement}", scope)
    return scope["loop"]


def hooked(loop: Loop) -> Loop:
    scope = _core.Scope("compile", identity.entry_for)

    def run(*times: list[None]) -> None:
        with scope:
            loop(*times)

    return run


def loops(count: int) -> dict[str, Loop]:
    """For each way of calling a loop of `count` calls, which has run a little, so that CPython has specialized it."""
    plain, wrapped, found, skipped = (FunctionType(empty.__code__.replace(), {}, "empty") for _ in range(4))
    native = _core.Callable(wrapped, identity.entry_for, None)
    _core.set_actions(skipped.__code__, here="skip")
    ways = {
        LOOP: loop_of("pass", None, count),
        PLAIN: loop_of("function()", plain, count),
        NATIVE: loop_of("function()", native, count),
        "hooked, entry found": hooked(loop_of("function()", found, count)),
        "hooked, skipped": hooked(loop_of("function()", skipped, count)),
    }
    for loop in ways.values():
        loop([None] * 100)
    return ways


def least_times(ways: dict[str, Loop], rounds: int) -> dict[str, float]:
    least = dict.fromkeys(ways, float("inf"))
    order = list(ways)
    for turn in range(rounds):
        for name in order[turn % len(order) :] + order[: turn % len(order)]:
            start = perf_counter_ns()
            ways[name]()
            least[name] = min(least[name], perf_counter_ns() - start)
    return least


def instructions(calls: int) -> dict[str, float]:
    """Instructions per call, as the difference between two runs under valgrind that differ in the number of calls."""
    return {way: (_instructions_of(way, 21 * calls) - _instructions_of(way, calls)) / (20 * calls) for way in loops(10)}


def _instructions_of(way: str, calls: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        mine = [sys.executable, str(Path(__file__).resolve()), "--only", way, "--calls", str(calls)]
        subprocess.run([*valgrind, *mine], check=True, capture_output=True)
        total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if total is None:
        raise SystemExit("callgrind wrote no total")
    return int(total[1])


def report(costs: dict[str, float], unit: str) -> bool:
    """Print the table; whether the native callable is within its target."""
    loop, plain = costs[LOOP], costs[PLAIN]
    print(f"Python {platform.python_version()}, an empty function, {unit} per call:")
    print(f"  {'':<20} {unit:>8} {'ratio':>8} {'without the loop':>18}")
    for name, cost in costs.items():
        net = "" if name == LOOP else f"{(cost - loop) / (plain - loop):18.2f}"
        print(f"  {name:<20} {cost:8.1f} {cost / plain:8.2f} {net}")
    ratio = costs[NATIVE] / plain
    print(f"  native callable to plain call: {ratio:.2f} (target: at most {TARGET:.2f})")
    return ratio <= TARGET


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--callgrind", action="store_true", help="count instructions under valgrind")
    options.add_argument("--rounds", type=int, default=2000)
    options.add_argument("--calls", type=int, default=2000, help="calls in each measurement")
    options.add_argument("--only", help="run one way once and print nothing (what --callgrind starts)")
    given = options.parse_args()
    if given.only:
        loops(given.calls)[given.only]()
        return 0
    if given.callgrind:
        return 0 if report(instructions(given.calls), "instr.") else 1
    times = least_times(loops(given.calls), given.rounds)
    return 0 if report({name: time / given.calls for name, time in times.items()}, "ns") else 1


if __name__ == "__main__":
    sys.exit(main())
