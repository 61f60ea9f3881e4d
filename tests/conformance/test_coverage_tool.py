"""`coverage` sees the same lines and branches of a small package with every frame rewritten as without the hook."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

PACKAGE = {
    "small/__init__.py": """
        from small.shapes import Circle, Square
    """,
    "small/shapes.py": """
        import contextlib
        from dataclasses import dataclass

        @dataclass
        class Square:
            side: float

            def area(self):
                return self.side ** 2

            def never(self):
                return "not called"

        class Circle:
            def __init__(self, radius):
                if radius < 0:
                    raise ValueError(radius)
                self.radius = radius

            @property
            def size(self):
                match self.radius:
                    case 0:
                        return "none"
                    case r if r > 10:
                        return "large"
                    case _:
                        return "small"

        @contextlib.contextmanager
        def held(log):
            log.append("in")
            try:
                yield log
            finally:
                log.append("out")
    """,
    "small/flow.py": """
        import asyncio
        from small.shapes import Circle, held

        def numbers(n):
            for i in range(n):
                if i == 3:
                    continue
                yield i
            else:
                yield -1

        def caught():
            try:
                Circle(-1)
            except ValueError as error:
                return [
                    str(error),
                    *(n for n in numbers(5)
                      if n > 1),
                ]
            finally:
                with held([]) as log:
                    log.append("between")
            return None

        async def wait():
            await asyncio.sleep(0)
            return {k: v for k, v in zip("ab", [1, 2])}

        def closure(n):
            def inner(m):
                nonlocal n
                n += m
                return n
            return inner if n else None
    """,
    "program.py": """
        import asyncio, sys
        if "--identity" in sys.argv:
            from framelift.runtime import identity
            identity.everywhere()
        import coverage
        measured = coverage.Coverage(source=["small"], branch=True, data_file=None)
        measured.start()
        import small
        from small import flow
        for _ in range(2):
            print(small.Square(2).area(), [small.Circle(r).size for r in (1, 20)], list(flow.numbers(5)))
            print(flow.caught(), asyncio.run(flow.wait()), flow.closure(1)(2))
        measured.stop()
        measured.json_report(outfile=sys.argv[1])
    """,
}


def measure(folder: Path, core: str, *flags: str) -> tuple[str, dict[str, Any]]:
    report = folder / f"report{''.join(flags)}.json"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COVERAGE_CORE": core}
    command = [sys.executable, "program.py", str(report), *flags]
    done = subprocess.run(command, cwd=folder, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(report.read_text())["files"]


CORES = ["pytrace", "ctrace", pytest.param("sysmon", marks=pytest.mark.skipif(
    not hasattr(sys, "monitoring"), reason="sys.monitoring came with Python 3.12"))]  # fmt: skip


@pytest.mark.parametrize("core", CORES)
def test_same_lines(core: str, tmp_path: Path) -> None:
    for name, text in PACKAGE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    plain_output, plain = measure(tmp_path, core)
    hooked_output, hooked = measure(tmp_path, core, "--identity")
    assert hooked_output == plain_output
    assert set(plain) == {str(Path("small", name)) for name in ("__init__.py", "flow.py", "shapes.py")}
    for name, seen in plain.items():
        assert hooked[name]["executed_lines"] == seen["executed_lines"], name
        assert hooked[name]["missing_lines"] == seen["missing_lines"], name
        # coverage measures no branches with sys.monitoring on some Pythons.
        assert hooked[name].get("executed_branches") == seen.get("executed_branches"), name
    # The measurement has to be able to tell a difference.
    assert plain[str(Path("small", "shapes.py"))]["missing_lines"]
