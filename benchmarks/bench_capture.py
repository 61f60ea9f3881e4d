"""What capturing costs, and what real models cost when warm, as a share of what they cost under torch.compile.

    python benchmarks/bench_capture.py [--rounds N]

- time to capture 500 operations through 200 inlined calls
- for a tiny 12-layer BERT and a tiny 16-layer Llama (left out where transformers is not installed): time to capture
  with a backend that does nothing, the second capture in a process; overhead of a warm call, with recorded outputs;
  how that grows with each layer; memory of capturing and held after it, in processes of their own

The engines are measured in turn, in one process but for the memory. Times of capturing are CPU times.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch

from benchmarks import side_by_side
from benchmarks.memory import forget_peak, memory_now, peak_memory
from benchmarks.models import libraries
from benchmarks.side_by_side import ENGINES, OURS, THEIRS, Engine, Row

CALLS = 4  # of a warm model in one measurement: a millisecond or so


def activate(x, index):
    return (x * index + 1).relu()


def shifted(x, index):
    return activate(x, index) - 0.5


def five_hundred(x):
    """500 operations, through 200 calls."""
    for index in range(100):
        x = shifted(x, index) + index
    return x


def capture_of(engine: Engine, function: Callable[..., Any], args: tuple[Any, ...]) -> Callable[[], None]:
    """Captures from nothing and makes the first call."""

    def capture() -> None:
        engine.reset()
        with torch.no_grad():
            engine.compile(function, backend=side_by_side.nothing)(*args)

    return capture


def capture_ratio(function: Callable[..., Any], args: tuple[Any, ...], rounds: int) -> float:
    """The first capture of each engine in the process is not counted."""
    ways = {engine.name: capture_of(engine, function, args) for engine in ENGINES}
    for capture in ways.values():
        capture()
    times = side_by_side.least_cpu_times(ways, rounds)
    return times[OURS.name] / times[THEIRS.name]


def warm_times(model: torch.nn.Module, rounds: int) -> dict[str, float]:
    """What a warm call costs beyond the graphs, in ns."""
    ids = libraries.tokens()
    ways = {}
    with torch.no_grad():
        for engine in ENGINES:
            engine.reset()
            compiled = engine.compile(model, backend=side_by_side.recorded)
            for _ in range(20):
                compiled(ids)
            ways[engine.name] = side_by_side.loop_of(compiled, (ids,), CALLS)
        times = side_by_side.least_times(ways, rounds)
    return {name: time / CALLS for name, time in times.items()}


def model_rows(name: str, rounds: int) -> list[Row]:
    make, layers = libraries.MODELS[name]
    model = make(layers)
    captured = capture_ratio(model, (libraries.tokens(),), max(2, rounds // 20))
    whole, half = warm_times(model, rounds), warm_times(make(layers // 2), rounds)
    growth = {engine.name: whole[engine.name] - half[engine.name] for engine in ENGINES}
    peak, held = memory(name)
    return [
        Row(f"{name}: time to capture, second in a process", captured, 1 / 3),
        Row(f"{name}: overhead of a warm call", whole[OURS.name] / whole[THEIRS.name], 1 / 8),
        Row(f"{name}: growth of that overhead per layer", growth[OURS.name] / growth[THEIRS.name], 1 / 8),
        Row(f"{name}: peak memory of capturing", peak, 1),
        Row(f"{name}: memory held after capture", held, 1),
    ]


def memory(name: str) -> tuple[float, float]:
    """The ratios of what capturing adds to a process: to its peak, and to what it holds afterwards."""
    grown = []
    for engine in ENGINES:
        command = [sys.executable, str(Path(__file__).resolve()), "--memory", name, "--engine", engine.name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        grown.append([float(word) for word in done.stdout.split()])
    (our_peak, our_held), (their_peak, their_held) = grown
    return our_peak / their_peak, our_held / their_held


def print_memory(name: str, engine: Engine) -> None:
    """By how many KiB a process grows with a capture: at its peak, and after it. The engine itself is loaded before."""
    make, layers = libraries.MODELS[name]
    model, ids = make(layers), libraries.tokens()
    with torch.no_grad():
        model(ids)
        engine.compile(five_hundred, backend=side_by_side.nothing)(torch.randn(4))
        engine.reset()
        gc.collect()
        forget_peak()
        before = memory_now()
        engine.compile(model, backend=side_by_side.nothing)(ids)
        peak = peak_memory()
        gc.collect()
    print(peak - before, memory_now() - before)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=100)
    options.add_argument(
        "--memory", help="print what capturing this model adds to the process (what the script starts)"
    )
    options.add_argument("--engine", default=OURS.name, help="with which engine")
    given = options.parse_args()
    side_by_side.set_up()
    if given.memory:
        print_memory(given.memory, next(engine for engine in ENGINES if engine.name == given.engine))
        return 0
    ratio = capture_ratio(five_hundred, (torch.randn(4),), max(3, given.rounds // 10))
    rows = [Row("500 operations through 200 inlined calls: time to capture", ratio, 1 / 2)]
    if libraries.library("transformers") is None:
        print("transformers is not installed: the models are left out")
    else:
        for name in libraries.MODELS:
            rows += model_rows(name, given.rounds)
    return 0 if side_by_side.report("Capturing, and models when warm", rows) else 1


if __name__ == "__main__":
    sys.exit(main())
