"""Run one module of CPython's `test` package in this process and write down how each test ended.

    python run_module.py test_grammar --out outcome.jsonl [--identity | --untouched]

framelift is imported in any case, so that two runs differ in the hook alone. With `--identity` the hook is switched on
before the test module is imported: every eligible frame is read, reassembled and run through the cache. With
`--untouched` the hook is there and runs every frame as it is, which shows what CPython does differently under any hook.

The output has one JSON object per line, written at once, so that it tells where a crash happened:
`{"start": id}`, then `{"test": id, "event": ..., "detail": ...}`, and `{"done": true, "rewritten": n}` at the end.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import json
import re
import sys
import unittest
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from test import support

import framelift  # noqa: F401 - see above
from framelift import _core
from framelift.runtime import identity

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


def steady(text: str) -> str:
    """`text` without the addresses that change from run to run."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x…", text)


class Recorder(unittest.TestResult):
    """A result that writes each event to a stream as it happens."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self.out = out

    def write(self, **record: object) -> None:
        self.out.write(json.dumps(record) + "\n")
        self.out.flush()

    def event(self, test: unittest.TestCase, event: str, error: ExcInfo | None = None) -> None:
        detail = "" if error is None else self._exc_info_to_string(error, test)  # type: ignore[attr-defined]
        self.write(test=steady(test.id()), event=event, detail=detail)

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.write(start=steady(test.id()))

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        clear_monitoring()

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.event(test, "ok")

    def addError(self, test: unittest.TestCase, err: ExcInfo) -> None:
        self.event(test, "error", err)

    def addFailure(self, test: unittest.TestCase, err: ExcInfo) -> None:
        self.event(test, "fail", err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        # A skipped subtest is told of its test: its parameters may differ from run to run.
        self.event(getattr(test, "test_case", test), f"skip: {steady(reason)}")

    def addExpectedFailure(self, test: unittest.TestCase, err: ExcInfo) -> None:
        self.event(test, "expected failure")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.event(test, "unexpected success")

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: ExcInfo | None) -> None:
        if err is not None:
            kind = "fail" if issubclass(err[0] or BaseException, test.failureException) else "error"
            self.event(test, f"subtest {kind}", err)


def clear_monitoring() -> None:
    """End what a test left on in `sys.monitoring` (3.12+), or one failure there makes all tests after it fail."""
    monitoring: Any = getattr(sys, "monitoring", None)
    for tool in range(6 if monitoring else 0):
        if monitoring.get_tool(tool) is None:
            monitoring.use_tool_id(tool, "left over")
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


def prepare_support() -> None:
    """What regrtest does by default: no optional resource, nothing printed by choice."""
    settings: Any = support
    settings.use_resources = ()
    settings.verbose = 0
    faulthandler.enable(all_threads=True)


def from_deep_down(frames: int, suite: unittest.TestSuite, recorder: Recorder) -> None:
    """Run the suite with more frames above it: under regrtest there are, and test_tracemalloc counts on them."""
    if frames:
        from_deep_down(frames - 1, suite, recorder)
    else:
        suite.run(recorder)


def keep_registered(module: str) -> None:
    """Keep the function alive that test_code registers with CPython and lets go of at exit.

    CPython calls it for every code object that has extra data, to the end of the process. Without framelift there is
    none but the test's own; with it, all code that ran has.
    """
    function = getattr(sys.modules.get(f"test.{module}"), "FREE_FUNC", None)
    if function is not None:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module")
    parser.add_argument("--out", type=Path, required=True)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--identity", action="store_true", help="rewrite every frame")
    mode.add_argument("--untouched", action="store_true", help="hook every frame and leave it as it is")
    parser.add_argument("--match", help="run only tests whose id contains this")
    options = parser.parse_args()
    # Tests that look at the command line see what regrtest would show them.
    sys.argv[1:] = []

    prepare_support()
    with options.out.open("w", encoding="utf-8") as out:
        recorder = Recorder(out)
        if options.identity:
            identity.everywhere()
        elif options.untouched:
            _core.hook_every_thread("skip")
        loader = unittest.TestLoader()
        if options.match:
            loader.testNamePatterns = [f"*{options.match}*"]
        suite = loader.loadTestsFromName(f"test.{options.module}")
        gc.collect()
        from_deep_down(10, suite, recorder)
        keep_registered(options.module)
        for message in loader.errors:
            recorder.write(test="load", event="error", detail=message)
        recorder.write(done=True, rewritten=identity.count())


if __name__ == "__main__":
    main()
