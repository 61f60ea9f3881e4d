"""Where the time of a capture, and of a warm call, goes: the profiles in docs/performance.md.

    python benchmarks/where_time_goes.py capture     by layer and by function
    python benchmarks/where_time_goes.py warm        by native function (needs perf)

The model is a tiny 12-layer BERT, or, without transformers, 12 layers of PyTorch's own transformer. Shares are given,
not times. Python's own profiler does not see into a capture, which runs unseen by tracers; so a thread looks every
millisecond at what the main one is doing.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from torch import nn  # noqa: E402

import framelift  # noqa: E402
from benchmarks import side_by_side  # noqa: E402
from benchmarks.models import libraries  # noqa: E402

MOST = 14
SECONDS = 5


def model_and_input() -> tuple[nn.Module, torch.Tensor]:
    if libraries.library("transformers") is not None:
        return libraries.bert(12), libraries.tokens()
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    return nn.TransformerEncoder(layer, 12, enable_nested_tensor=False), torch.randn(2, 16, 64)


def capture() -> None:
    """Look at captures, the first in the process left out. Native code counts as the Python function that calls it."""
    model, x = model_and_input()

    def once() -> None:
        framelift.reset()
        framelift.compile(model, backend=side_by_side.nothing)(x)

    once()
    looked_at = samples_of(once, SECONDS)
    table("by layer", collections.Counter(layer_of(code.co_filename) for code in looked_at))
    named = (f"`{code.co_qualname}` in {layer_of(code.co_filename)}" for code in looked_at)
    table("by function", collections.Counter(named))


def samples_of(once: Callable[[], None], seconds: float) -> list[CodeType]:
    """What a thread finds the main one at while that does something over and over."""
    main, found, done = threading.get_ident(), list[CodeType](), threading.Event()

    def look() -> None:
        while not done.wait(0.001):
            found.append(sys._current_frames()[main].f_code)

    sys.setswitchinterval(1e-4)
    looker = threading.Thread(target=look)
    looker.start()
    end = monotonic() + seconds
    while monotonic() < end:
        once()
    done.set()
    looker.join()
    return found


def layer_of(file: str) -> str:
    """Whose function it is: a layer of framelift, a part of torch, or Python's own."""
    ours = re.search(r"/framelift/(\w+?)(?:/|\.py)", file)
    theirs = re.search(r"/site-packages/(torch/\w+|\w+)", file)
    if ours and "site-packages" not in file:
        return f"framelift.{ours[1]}"
    return theirs[1].replace("/", ".") if theirs else "Python and native code"


def warm() -> None:
    """Have perf look at this process while it makes warm calls."""
    if shutil.which("perf") is None:
        raise SystemExit("perf is not installed")
    model, x = model_and_input()
    compiled = framelift.compile(model, backend=side_by_side.recorded)
    for _ in range(20):
        compiled(x)
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "perf.data")
        command = [
            "perf",
            "record",
            "-q",
            "-F",
            "2999",
            "-o",
            data,
            "-p",
            str(os.getpid()),
            "--",
            "sleep",
            str(SECONDS),
        ]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL):
            call_for(compiled, x, SECONDS + 2)
        report = ["perf", "report", "-i", data, "--stdio", "--no-children", "-F", "overhead,symbol"]
        lines = subprocess.run(report, check=True, capture_output=True, text=True).stdout.splitlines()
    shares: collections.Counter[str] = collections.Counter()
    for line in lines:
        row = re.match(r"\s+([\d.]+)%\s+\[.\]\s+(.*)", line)
        if row:
            shares[re.sub(r"\(anonymous namespace\)::|<.*", "", row[2])] += float(row[1])
    print(f"guards of the entry: {sum(len(entry.guards) for entry in framelift.guards(compiled))}\n")
    table("by native function", shares)


def call_for(compiled: Callable[..., Any], x: torch.Tensor, seconds: float) -> None:
    end = monotonic() + seconds
    while monotonic() < end:
        for _ in range(100):
            compiled(x)


def table(title: str, shares: collections.Counter[str]) -> None:
    whole = shares.total()
    print(f"| {title} | share |\n|---|---|")
    for name, own in shares.most_common(MOST):
        print(f"| {name} | {own / whole:.1%} |")
    print()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=["capture", "warm"])
    given = options.parse_args()
    side_by_side.set_up()
    with torch.no_grad():
        capture() if given.what == "capture" else warm()


if __name__ == "__main__":
    main()
