"""Run CPython's own tests twice, plain and with every frame rewritten, and compare how each test ended.

    python compare.py [--fast | --only test_dict --only test_re] [--python python3.12] [--keep FOLDER]

Every module runs in processes of its own. Where the two runs differ, the plain one is made again: a test that does not
end the same way twice without the hook is reported as unstable; any other difference is a failure, unless it stands in
`known_differences.py` with its reason. A further run, hooked but with every frame left as it is, tells what comes from
rewriting and what from CPython behaving differently under any hook.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cpython_modules
import known_differences
import outcomes
from outcomes import Run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Plan:
    """How to run: with which Python, for how long at most, and where to leave the records."""

    python: str
    version: str
    timeout: float
    keep: Path


@dataclass(frozen=True)
class Verdict:
    """What the comparison of one module found."""

    module: str
    plain: Run
    identity: Run
    different: list[str]
    unstable: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    by_any_hook: frozenset[str] = frozenset()

    @property
    def rewrote_nothing(self) -> bool:
        return self.identity.rewritten == 0

    @property
    def same(self) -> bool:
        return not self.different and not self.rewrote_nothing


def run(plan: Plan, module: str, label: str, *flags: str) -> Run:
    """Run one module in a process of its own, in an empty folder."""
    out = plan.keep / f"{module}.{label}.jsonl"
    command = [plan.python, str(HERE / "run_module.py"), module, "--out", str(out), *flags]
    with tempfile.TemporaryDirectory(prefix="framelift-", ignore_cleanup_errors=True) as folder:
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0", "TMPDIR": folder}
        started = time.monotonic()
        # Files rather than pipes: a grandchild that outlives the run must not hold it up.
        with out.with_suffix(".stdout").open("wb") as stdout, out.with_suffix(".stderr").open("wb") as stderr:
            streams = {"stdin": subprocess.DEVNULL, "stdout": stdout, "stderr": stderr}
            process = subprocess.Popen(command, cwd=folder, env=env, start_new_session=True, **streams)
            ending = wait(process, plan.timeout)
        seconds = time.monotonic() - started
    text = out.with_suffix(".stderr").read_text(encoding="utf-8", errors="replace")
    return outcomes.read(out, ending, text, seconds)


def wait(process: subprocess.Popen[bytes], timeout: float) -> str:
    """Wait for the end of the process, or end it and all that it started; say how it ended."""
    try:
        code = process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"stopped after {timeout:.0f} s"
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def compare(plan: Plan, module: str) -> Verdict:
    plain = run(plan, module, "plain")
    identity = run(plan, module, "identity", "--identity")
    different = outcomes.differences(plain, identity)
    if not different:
        return Verdict(module, plain, identity, different)
    again = run(plan, module, "again")
    untouched = run(plan, module, "untouched", "--untouched")
    unstable = sorted({*different} & {*outcomes.differences(plain, again)})
    by_any_hook = frozenset({*different} - {*outcomes.differences(untouched, identity)})
    known = known_differences.among(different, by_any_hook, plan.version)
    return Verdict(
        module,
        plain,
        identity,
        different=[test for test in different if test not in unstable and test not in known],
        unstable=unstable,
        known=known,
        by_any_hook=by_any_hook,
    )


def table_row(verdict: Verdict) -> str:
    plain, identity = verdict.plain, verdict.identity
    if verdict.rewrote_nothing:
        result = "NOTHING WAS REWRITTEN"
    else:
        result = f"{len(verdict.different)} DIFFERENT" if verdict.different else "same"
    if verdict.known:
        result += f", {len(verdict.known)} known"
    if verdict.unstable:
        result += f", {len(verdict.unstable)} unstable"
    tests = len(plain.outcomes) - 1
    counts = f"{tests:6,} {plain.count('ok'):6,} {plain.count('skip'):5,} {identity.rewritten:12,}"
    return f"{verdict.module:28} {counts} {plain.seconds:8.1f} {identity.seconds:9.1f}  {result}"


def explain(verdict: Verdict, lines: int) -> Iterator[str]:
    """Code that could not be rewritten, and each test that differs with the end of what it said."""
    yield from (f"left as it is: {verdict.module}: {refused}" for refused in verdict.identity.refused)
    for kind, tests in (("known", verdict.known), ("unstable", verdict.unstable), ("DIFFERENT", verdict.different)):
        for test in tests:
            was, now = (r.outcomes.get(test, "did not run") for r in (verdict.plain, verdict.identity))
            cause = " (under any hook)" if test in verdict.by_any_hook else ""
            yield f"{kind}: {verdict.module}: {test}: {was} -> {now}{cause}"
            if test in verdict.known:
                yield f"    {verdict.known[test]}"
            else:
                told = verdict.identity.details.get(test) or verdict.plain.details.get(test, "")
                yield from (f"    {line}" for line in told.strip().splitlines()[-lines:] if lines)


def choose(options: argparse.Namespace) -> tuple[str, list[str], list[str]]:
    """The version of the Python, the modules to run, and those asked for that it does not have."""
    command = [options.python, str(HERE / "cpython_modules.py")]
    listing = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    present = listing["modules"]
    wanted = options.only or (cpython_modules.FAST if options.fast else cpython_modules.ALL)
    absent = [name for name in wanted if name not in present]
    return listing["version"], [name for name in wanted if name in present], absent


def report(verdicts: list[Verdict], seconds: float) -> str:
    """The closing line."""
    tests = sum(len(v.plain.outcomes) - 1 for v in verdicts)
    rewritten = sum(v.identity.rewritten for v in verdicts)
    failed = [v.module for v in verdicts if not v.same]
    known = [v.module for v in verdicts if v.same and v.known]
    unstable = sum(len(v.unstable) for v in verdicts)
    return (
        f"{len(verdicts)} modules, {tests:,} tests, {rewritten:,} code objects rewritten, {seconds:.0f} s: "
        f"{len(verdicts) - len(failed) - len(known)} modules end exactly as without the hook, "
        f"{len(known)} but for {sum(len(v.known) for v in verdicts)} known differences, "
        f"{len(failed)} DIFFERENTLY{''.join(f' {name}' for name in failed)}; {unstable} unstable tests"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true", help="a small set that reaches every group")
    parser.add_argument("--only", action="append", metavar="NAME", help="this module; may be given again")
    parser.add_argument("--python", default=sys.executable, help="the Python to run them with")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one run of one module")
    parser.add_argument("--jobs", type=int, default=2, help="modules at the same time")
    parser.add_argument("--lines", type=int, default=6, help="lines of explanation for each difference")
    parser.add_argument("--keep", type=Path, help="leave the records of all runs in this folder")
    return parser.parse_args()


def main() -> int:
    options = parse()
    version, modules, absent = choose(options)
    if not modules:
        print("This Python came without the `test` package, or without the modules asked for.")
        return 2
    started = time.monotonic()
    print(f"{'module':28} {'tests':>6} {'ok':>6} {'skip':>5} {'rewritten':>12} {'plain s':>8} {'hooked s':>9}  result")
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="framelift-") as scratch, ThreadPoolExecutor(options.jobs) as pool:
        keep = options.keep.resolve() if options.keep else Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        plan = Plan(options.python, version, options.timeout, keep)
        for verdict in pool.map(lambda module: compare(plan, module), modules):
            verdicts.append(verdict)
            print(table_row(verdict), flush=True)
    for verdict in verdicts:
        for line in explain(verdict, options.lines):
            print(line)
    if absent:
        print("not in this Python:", " ".join(absent))
    print(report(verdicts, time.monotonic() - started))
    return 0 if all(verdict.same for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
