"""What a call costs with framelift in between, as a ratio to the same call without.

    python benchmarks/bench_calls.py                measure times
    python benchmarks/bench_calls.py --callgrind    count instructions instead (needs valgrind, takes minutes)

Four ways to call an empty function, measured in turn, many times over: each round times every way, in an order that
rotates, and the least time of each counts. So whatever else the machine does hits all ways alike, and is left out by
the minimum. What the loop itself costs is measured the same way and subtracted.
"""

from __future__ import annotations

import argparse
import itertools
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import framelift
from framelift import _core
from framelift.runtime import identity

TARGET = 1.60  # a call through the native callable, to a plain call

Loop = Callable[[], None]


def empty():
    pass


def loops(count: int) -> dict[str, Loop]:
    """For each way of calling a loop of `count` calls. Every loop is code of its own, with inline caches of its own."""

    def make(call: str, **names: object) -> Callable[[], None]:
        # Ten calls for each turn of the loop; functions are local names so that no global look-up is measured.
        body = "; ".join([call] * 10)
        source = f"def loop(times={count // 10}, {', '.join(f'{n}={n}' for n in names)}):\n for _ in times: {body}\n"
        scope = dict(names)
        exec(source.replace(f"times={count // 10}", "times=times"), {**scope, "times": [None] * (count // 10)}, scope)
        return scope["loop"]

    def copy_of_empty() -> Callable[[], None]:
        return type(empty)(empty.__code__.replace(), {}, "empty")

    def hooked(loop: Loop, action: str) -> Loop:
        scope = _core.Scope(action, identity.entry_for)

        def run() -> None:
            with scope:
                loop()

        return run

    compiled = framelift.compile(copy_of_empty())
    compiled()
    found, skipped = copy_of_empty(), copy_of_empty()
    _core.set_actions(skipped.__code__, here="skip")
    ways = {
        "the loop alone": make("function", function=empty),
        "plain call": make("function()", function=copy_of_empty()),
        "native callable": make("function()", function=compiled),
        "hooked, entry found": hooked(make("function()", function=found), "compile"),
        "hooked, skipped": hooked(make("function()", function=skipped), "compile"),
    }
    for loop in ways.values():
        loop()  # compiles, and lets CPython specialize
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


def instructions(rounds: int = 3) -> dict[str, float]:
    """Instructions of each way, as the difference between two runs under valgrind that differ in the number of calls."""
    counts = {}
    for name in loops(10):
        few, many = (_instructions_of(name, calls) for calls in (rounds * 1000, rounds * 2000))
        counts[name] = (many - few) / (rounds * 1000)
    return counts


def _instructions_of(way: str, calls: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable, __file__]
        subprocess.run([*command, "--only", way, "--calls", str(calls)], check=True, capture_output=True)
        total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if total is None:
        raise SystemExit("callgrind wrote no total")
    return int(total[1])


def report(costs: dict[str, float], unit: str) -> bool:
    """Print the table; whether the native callable is within its target."""
    loop = costs.pop("the loop alone")
    plain = costs["plain call"] - loop
    print(f"Python {platform.python_version()}: an empty function, per call")
    for name, cost in costs.items():
        print(f"  {name:<20} {cost - loop:8.1f} {unit}   x {(cost - loop) / plain:.2f}")
    ratio = (costs["native callable"] - loop) / plain
    print(f"  native callable to plain call: {ratio:.2f} (target: at most {TARGET:.2f})")
    return ratio <= TARGET


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--callgrind", action="store_true", help="count instructions under valgrind")
    options.add_argument("--rounds", type=int, default=300)
    options.add_argument("--calls", type=int, default=10_000, help="calls in each measurement")
    options.add_argument("--only", help="run one way once and print nothing (what --callgrind starts)")
    given = options.parse_args()
    if given.only:
        loops(given.calls)[given.only]()
        return 0
    if given.callgrind:
        return 0 if report(instructions(), "instructions") else 1
    times = least_times(loops(given.calls), given.rounds)
    return 0 if report({name: time / given.calls for name, time in times.items()}, "ns") else 1


if __name__ == "__main__":
    sys.exit(main())
