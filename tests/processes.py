"""Running a piece of Python in a process of its own, for what must not happen in the one that runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import framelift

ROOT = Path(framelift.__file__).parent.parent


def run_python(
    source: str, *arguments: str, timeout: float = 120, **environment: str
) -> subprocess.CompletedProcess[str]:
    """How the process ended, what it wrote. `source` is dedented and finds framelift and the tests."""
    return subprocess.run(
        [sys.executable, *arguments, "-c", textwrap.dedent(source)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONFAULTHANDLER": "1", **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def output_of(source: str, *arguments: str, timeout: float = 120) -> str:
    """What the process wrote; it must end well and write nothing to the standard error."""
    done = run_python(source, *arguments, timeout=timeout)
    assert (done.returncode, done.stderr) == (0, ""), f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
