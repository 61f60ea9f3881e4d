"""The comparison itself: it has to see a difference when there is one."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conformance import known_differences, outcomes

START = {"start": "t.a"}
OK = {"test": "t.a", "event": "ok", "detail": ""}
DONE = {"done": True, "rewritten": 7}


def run_of(path: Path, *records: dict[str, object], ending: str = "exit code 0") -> outcomes.Run:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return outcomes.read(path, ending, "said on stderr", 1.0)


def test_same(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", START, OK, DONE)
    assert run.outcomes == {"t.a": "ok", outcomes.PROCESS: "exit code 0"}
    assert run.rewritten == 7
    assert outcomes.differences(run, run) == []


def test_another_outcome_a_missing_test_and_a_skip_for_another_reason_differ(tmp_path: Path) -> None:
    one = run_of(tmp_path / "one", OK, {**OK, "test": "t.b"}, {**OK, "test": "t.c", "event": "skip: no tty"}, DONE)
    two = run_of(tmp_path / "two", {**OK, "event": "fail"}, {**OK, "test": "t.c", "event": "skip: no net"}, DONE)
    assert outcomes.differences(one, two) == ["t.a", "t.b", "t.c"]


def test_failing_subtests_are_counted(tmp_path: Path) -> None:
    fail = {**OK, "event": "subtest fail"}
    one = run_of(tmp_path / "one", fail, DONE)
    two = run_of(tmp_path / "two", fail, fail, DONE)
    assert outcomes.differences(one, two) == ["t.a"]


def test_a_crash_names_the_test(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", START, ending="signal SIGSEGV")
    assert run.outcomes == {outcomes.PROCESS: "signal SIGSEGV in t.a"}
    assert run.details[outcomes.PROCESS] == "said on stderr"


def test_a_run_that_wrote_nothing(tmp_path: Path) -> None:
    run = outcomes.read(tmp_path / "absent", "exit code 1", "", 1.0)
    assert run.outcomes == {outcomes.PROCESS: "exit code 1 in no test"}


def test_code_that_could_not_be_rewritten_is_named(tmp_path: Path) -> None:
    stderr = (
        'noise\nException ignored in: <code object foo at 0x7f, file "x.py", line 1>\n'
        "Traceback (most recent call last):\\n"
        '  File "identity.py", line 23, in entry_for\n    assemble(read(code))\nCodeError: no\nnoise\n'
    )
    assert outcomes.read(tmp_path / "absent", "exit code 0", stderr, 1.0).refused == ["foo: CodeError: no"]


def test_known_differences_hold_only_while_any_hook_shows_them() -> None:
    test = "test.test_sys_settrace.TraceTestCase.test_20_async_for_loop"
    assert known_differences.among([test], [test], "3.12.1")
    assert not known_differences.among([test], [], "3.12.1")
    assert not known_differences.among([test], [test], "3.11.7")
