"""Every program in examples/ runs, in a process of its own, and says what it should."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.processes import ROOT

EXAMPLES = ROOT / "examples"

# What each prints, among the rest. A program whose results differ from plain Python's ends with an error by itself.
SAID = {
    "hello": ["2 mul, 1 sigmoid", "gives what the plain one gives, bit for bit"],
    "finetune_classifier": ["after: 100% right", r"graphs compiled: [1-4]$"],
    "kv_cache": ["^48 steps, graphs compiled: 1$"],
    "gradient_accumulation": [r"graphs compiled: [1-4], in 32 calls", "those of the uncompiled loop"],
    "prints_and_items": ["^largest residual at 3$", "The same as without framelift", r"matrix.norm\(\).item\(\)"],
    "count_operations": ["^graph 1: 5 operations$", "same shapes: 1 graph"],
}


def test_all_are_known():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_example(name):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT), "FRAMELIFT_STRICT": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    for said in SAID[name]:
        assert re.search(said, done.stdout, re.MULTILINE), f"{said!r} is missing in\n{done.stdout}"
