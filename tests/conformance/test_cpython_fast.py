"""A fast part of CPython's own tests with every frame rewritten; `make conformance` runs all of them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

COMPARE = Path(__file__).parent / "compare.py"


@pytest.mark.skipif(importlib.util.find_spec("test.test_grammar") is None, reason="this Python has no `test` package")
def test_cpython_modules_end_as_without_the_hook() -> None:
    command = [sys.executable, str(COMPARE), "--fast", "--timeout", "240", "--jobs", "2"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
