"""Run tests of CPython's own captured: every test method is inlined between two tensor operations.

    python captured.py test_dict test_set        which of their tests end differently, and why
    python captured.py test_dict --match setdefault

`compare.py` runs every frame rewritten but not captured; here a test is one call of a compiled function, whose breaks
and continuations it goes through. Each test runs in a process of its own, plain first; only tests that pass plainly are
tried. It reports and judges nothing: what differs is often what CPython's tests know of its inside (reference counts,
when an object is freed, `sys.settrace`), and else a bug to mend.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import select
import signal
import sys
import time
import traceback
import unittest
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

import framelift

X = torch.ones(2)
PLAIN_LIMIT, CAPTURED_LIMIT = 20, 60  # seconds

Outcome = tuple[str, str]


def tests_of(suite: Any) -> Iterator[Any]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        elif isinstance(test, unittest.TestCase):
            yield test


def between_operations(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def run(test: Any) -> Any:
        before = X + 1
        result = function(test)
        after = before * 2
        return result

    return run


def outcome(test: Any, captured: bool) -> Outcome:
    """How a test ends, in this process."""
    if captured:
        method = getattr(getattr(test, test._testMethodName), "__func__", None)
        if method is None:
            return "no function", ""
        compiled = framelift.compile(between_operations(method), backend="eager")
        stand_in = lambda: compiled(test)
        vars(stand_in).update(vars(method))
        setattr(test, test._testMethodName, stand_in)
    result = unittest.TestResult()
    test.run(result)
    for kind, found in (("error", result.errors), ("fail", result.failures)):
        if found:
            return kind, found[0][1]
    return ("skip" if result.skipped else "ok"), ""


def in_a_process(test: Any, captured: bool, limit: float) -> Outcome:
    reading, writing = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        _be_the_process(test, captured, writing)
    os.close(writing)
    said, end = b"", time.monotonic() + limit
    while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            break
        said += part
    else:
        said = json.dumps(("timeout", "")).encode()
    os.close(reading)
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
    _, status = os.waitpid(process, 0)
    kind, text = json.loads(said) if said else (f"crash {status}", "")
    return kind, text


def _be_the_process(test: Any, captured: bool, writing: int) -> None:
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        found = outcome(test, captured)
    except BaseException:
        found = ("exception", traceback.format_exc())
    with os.fdopen(writing, "w") as out:
        json.dump((found[0], found[1][-4000:]), out)
    os._exit(0)


def run_module(name: str, match: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    module = importlib.import_module(f"test.{name}")
    for test in tests_of(unittest.TestLoader().loadTestsFromModule(module)):
        if match not in test.id():
            continue
        plain = in_a_process(test, captured=False, limit=PLAIN_LIMIT)
        if plain[0] != "ok":
            counts[f"not ok plainly: {plain[0]}"] += 1
            continue
        captured = in_a_process(test, captured=True, limit=CAPTURED_LIMIT)
        counts["same" if captured[0] == "ok" else captured[0]] += 1
        if captured[0] != "ok":
            print(f"### {test.id()}: {captured[0]}\n{captured[1]}", flush=True)
    return counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("modules", nargs="+", help="modules of CPython's `test` package")
    options.add_argument("--match", default="", help="only tests whose id contains this")
    given = options.parse_args()
    framelift.compile(lambda x: x + 1, backend="eager")(X)  # what the first capture of a process imports
    for name in given.modules:
        print(f"=== {name}: {dict(run_module(name, given.match))}", flush=True)


if __name__ == "__main__":
    main()
