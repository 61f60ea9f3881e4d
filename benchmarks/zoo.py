"""Runs models under framelift and under torch.compile, case by case, and writes a table and plots.

    python benchmarks/zoo.py                          the cases it has of its own, as far as their libraries are there
    python benchmarks/zoo.py bert llama               some of them
    python benchmarks/zoo.py --zoo FOLDER NAME ...    cases of a folder (a module `core` with `load_all()`) too
    python benchmarks/zoo.py --list [--zoo FOLDER]    their names
    python benchmarks/zoo.py --write                  put the table into docs/benchmarks.md and the plots beside it

Every case runs in a process of its own with each engine, one after the other, and is compared with eager. Times and
memory are given as ratios only. `--json FILE` keeps the results; what is there already is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(ROOT))

from benchmarks import side_by_side  # noqa: E402
from benchmarks.models import cases, measure, tables  # noqa: E402
from benchmarks.side_by_side import ENGINES, OURS, THEIRS  # noqa: E402

Results = dict[str, dict[str, Any]]


def child(name: str, engine: str, given: argparse.Namespace) -> dict[str, Any]:
    """One case with one engine, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, str(Path(__file__).resolve()), "--one", name, "--engine", engine, "--out", str(out)]
        command += ["--zoo", given.zoo] if given.zoo else []
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
        try:
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=given.timeout, env=environment
            )
            ending = {"error": done.stderr[-2000:]} if done.returncode else {}
        except subprocess.TimeoutExpired:
            ending = {"status": "timeout"}
        found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {"name": name, "status": "crash"}
    if found["status"] == "ok" and ending.get("error"):
        found["status"] = "error"
    return {**found, **ending}


def one(name: str, engine_name: str, out: Path, folder: str | None) -> None:
    """What the processes do."""
    warnings.simplefilter("ignore")
    engine = next(engine for engine in ENGINES if engine.name == engine_name)

    def report(found: dict[str, Any]) -> None:
        partly = out.with_suffix(".part")
        partly.write_text(json.dumps(found))
        partly.replace(out)

    measure.measure(cases.available(folder)[name], engine, report)


def run_all(names: list[str], given: argparse.Namespace) -> list[tables.Pair]:
    store = Path(given.json) if given.json else None
    known: dict[str, Results] = json.loads(store.read_text()) if store and store.exists() else {}
    for name in names:
        if name not in known:
            known[name] = {engine.name: child(name, engine.name, given) for engine in ENGINES}
            if store:
                store.write_text(json.dumps(known, indent=1))
        pair = tables.Pair(name, known[name][OURS.name], known[name][THEIRS.name])
        print(tables.table([pair])[2], flush=True)
        for result in pair[1:]:
            if result["status"] != "ok":
                print(f"    {result.get('engine', '')}: {result['status']} {result.get('error', '')[-600:]}")
    chosen = [name for name in known if name in names]
    return [tables.Pair(name, known[name][OURS.name], known[name][THEIRS.name]) for name in chosen]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", help="cases; default: all of its own, or with --zoo all of the folder's")
    options.add_argument("--zoo", help="a folder with more cases")
    options.add_argument("--list", action="store_true", help="print the names of the cases")
    options.add_argument("--write", action="store_true", help="write the table and the plots into docs/")
    options.add_argument("--json", help="a file that keeps results between runs")
    options.add_argument("--timeout", type=float, default=300, help="seconds for one case with one engine")
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("--engine", help=argparse.SUPPRESS)
    options.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    given = options.parse_intermixed_args()
    side_by_side.check_not_strict()
    if given.one:
        one(given.one, given.engine, given.out, given.zoo)
        return 0
    names = given.names or list(cases.available(given.zoo))
    if given.list:
        print("\n".join(names))
        return 0
    pairs = run_all(names, given)
    rows = tables.table(pairs)
    print("\n" + "\n".join(rows))
    if given.write:
        tables.put_into(ROOT / "docs" / "benchmarks.md", rows)
        tables.write_plots(pairs, ROOT / "docs" / "plots")
    return 0 if all(pair.ours["status"] == "ok" for pair in pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
