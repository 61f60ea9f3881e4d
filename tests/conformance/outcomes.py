"""How the tests of one module ended in one run, read from what `run_module.py` wrote, and how two runs differ."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

PROCESS = "(the process)"

# What CPython prints for code that the identity call-back could not rewrite: the code, and the error in the last line.
REFUSAL = re.compile(r"^Exception ignored in: <code object (\S+) .*\n(?:Traceback.*\n)?(?:  .*\n)*(\S.*)", re.MULTILINE)


@dataclass
class Run:
    """One run of one module."""

    seconds: float
    rewritten: int = 0
    outcomes: dict[str, str] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def count(self, kind: str) -> int:
        return sum(outcome.startswith(kind) for outcome in self.outcomes.values())


def read(path: Path, ending: str, stderr: str, seconds: float) -> Run:
    """The run that left `path` behind; `ending` says how its process ended."""
    run = Run(seconds)
    events: defaultdict[str, Counter[str]] = defaultdict(Counter)
    last, done = "no test", False
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        record = json.loads(line)
        if "start" in record:
            last = record["start"]
        elif "test" in record:
            events[record["test"]][record["event"]] += 1
            run.details[record["test"]] = run.details.get(record["test"], "") + record["detail"]
        else:
            done, run.rewritten = True, record["rewritten"]
    for test, counts in events.items():
        run.outcomes[test] = ", ".join(event if n == 1 else f"{event} x{n}" for event, n in sorted(counts.items()))
    run.outcomes[PROCESS] = ending if done else f"{ending} in {last}"
    run.details[PROCESS] = stderr
    run.refused = [": ".join(match.groups()) for match in REFUSAL.finditer(stderr)]
    return run


def differences(one: Run, other: Run) -> list[str]:
    """The ids of the tests that ended differently."""
    every = {*one.outcomes, *other.outcomes}
    return sorted(test for test in every if one.outcomes.get(test) != other.outcomes.get(test))
