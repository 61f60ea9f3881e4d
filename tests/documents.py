"""Runs what the documentation shows.

In every page, blocks marked `python` run one after the other in one process, in one namespace. Blocks marked `sh` are
commands: they find the page's last Python block as `example.py`; those that need the checkout run in it. A block marked
`text` behind either is what it prints; a line `...` in it stands for any lines.

Two kinds of commands are not carried out in full: of `make` it is asked what it would do, and the benchmarks are asked
whether they take these options, as measuring takes minutes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.processes import ROOT

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_DRIVER = """
import contextlib, io, json, pathlib, sys
scope, printed = {"__name__": "__main__"}, []
for name in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        exec(compile(pathlib.Path(name).read_text(), name, "exec"), scope)
    printed.append(out.getvalue())
json.dump(printed, open(sys.argv[2], "w"))
"""


class Block(NamedTuple):
    """A block of code in a page, and what it should print, if the page says."""

    kind: str
    code: str
    expected: str | None
    line: int


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path) -> list[Block]:
    text = page.read_text()
    found = [(match[1], match[2], text[: match.start()].count("\n") + 2) for match in _BLOCK.finditer(text)]
    ends = [match.end() for match in _BLOCK.finditer(text)]
    starts = [match.start() for match in _BLOCK.finditer(text)]
    made = []
    for index, (kind, code, line) in enumerate(found):
        if kind in ("python", "sh"):
            follows = index + 1 < len(found) and found[index + 1][0] == "text"
            is_next = follows and not text[ends[index] : starts[index + 1]].strip()
            made.append(Block(kind, code, found[index + 1][1] if is_next else None, line))
    return made


def run(page: Path, folder: Path) -> list[tuple[Block, str]]:
    """Every block of a page with what it prints."""
    found = blocks(page)
    python = [(index, block) for index, block in enumerate(found) if block.kind == "python"]
    names = []
    for index, block in python:
        place = folder / f"block{index}"
        place.mkdir()
        (place / "example.py").write_text(block.code)
        names.append(str(place / "example.py"))
    printed = dict(zip([index for index, _ in python], _run_python(names, folder), strict=True))
    for index, block in enumerate(found):
        if block.kind == "sh":
            place = folder / f"block{max([before for before, _ in python if before < index], default=0)}"
            printed[index] = "".join(_run_command(command, place) for command in _commands(block.code))
    return [(block, _neutral(printed[index], folder)) for index, block in enumerate(found)]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "FRAMELIFT_STRICT": "1", "OMP_NUM_THREADS": "1"}


def _run_python(names: list[str], folder: Path) -> list[str]:
    if not names:
        return []
    out = folder / "printed.json"
    command = [sys.executable, "-c", _DRIVER, json.dumps(names), str(out)]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(out.read_text()))


def _commands(code: str) -> list[str]:
    return [line for line in code.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


def _run_command(command: str, folder: Path) -> str:
    command = command.split("  #", maxsplit=1)[0].strip()
    cwd = folder
    environment = _environment()
    if command.startswith("make"):
        command, cwd = command.replace("make", "make --dry-run", 1), ROOT
        environment["PYTHON"] = sys.executable
    elif "benchmarks/" in command or "examples/" in command:
        cwd = ROOT
    if "benchmarks/" in command:
        command += " --help"
        environment.pop("FRAMELIFT_STRICT")
    command = re.sub(r"\bpython\b", sys.executable, command, count=1)
    done = subprocess.run(
        ["bash", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def _neutral(text: str, folder: Path) -> str:
    return re.sub(rf"{re.escape(str(folder))}/block\d+/|{re.escape(str(ROOT))}/", "", text)


def agrees(expected: str, printed: str) -> bool:
    """Whether a text is as expected, where a line of dots stands for any lines."""
    parts = re.split(r"^\s*\.\.\.\n", _stripped(expected), flags=re.MULTILINE)
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, _stripped(printed)) is not None


def _stripped(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").split("\n"))
