"""Why something is compiled again: the guard that failed, its old and new value, the line that needed it."""

from __future__ import annotations

import pytest
import torch

import framelift
from tests.report import programs
from tests.report.texts import golden, neutral

X = torch.ones(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()


def recompiles(function, *calls):
    compiled = framelift.compile(function, backend="eager")
    for call in calls:
        compiled(*call)
    return framelift.explain(compiled)(*calls[-1]).recompiles


def reason(function, *calls):
    (recompile,) = recompiles(function, *calls)
    (failure,) = recompile.failures
    return failure.text


def test_text():
    (recompile,) = recompiles(programs.uses_late, (X, "a" == "b"), (X, 2.5))
    assert neutral(recompile) == golden("""
        recompiling uses_late (FILE:108), compiled once before
          n was False, now 2.5
            needed at FILE:109 in uses_late
                109 |     return x * 2 + n
                    |                    ^
    """)
    assert neutral(recompile.summary) == "uses_late (FILE:108): n was False, now 2.5"


def test_every_entry_says_why_not():
    first, second = recompiles(programs.plain, (X, True), (X, None or 1.5), (X.double(), True))
    assert [failure.text for failure in second.failures] == [
        "x: dtype was torch.float32, now torch.float64",
        "x: dtype was torch.float32, now torch.float64",
    ]
    assert neutral(second).startswith("recompiling plain (FILE:76), compiled 2 times before")


BOX = programs.Box


def longer(size):
    box = BOX(size)
    box.items.append(1)
    return box


def other_box():
    class Box(programs.Box):
        pass

    return Box(3)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ((X, BOX(3), {}), (X.double(), BOX(3), {}), "x: dtype was torch.float32, now torch.float64"),
        ((X, BOX(3), {}), (X.requires_grad_(False).clone().requires_grad_(), BOX(3), {}), None),
        ((X, BOX(3), {}), (X[0], BOX(3), {}), "x: shape was (2, 3), now (3)"),
        ((X, BOX(3), {}), (X, BOX("a" == "b"), {}), "box.size was 3, now False"),
        ((X, BOX(3), {}), (X, longer(3), {}), "box.items had 2 items, now 3"),
        ((X, BOX(3), {}), (X, BOX(3), {"double": True}), "whether flags has the key 'double' was False, now True"),
        ((X, BOX(3), {"double": 0}), (X, BOX(3), {}), "whether flags has the key 'double' was True, now False"),
        ((X, BOX(3), {"double": 0}), (X, BOX(3), {"double": None}), "flags['double'] was 0, now None"),
        ((X, BOX(3), {}), (X, other_box(), {}), "box was a Box, now a other_box.<locals>.Box"),
    ],
    ids=range(9),
)
def test_old_and_new_values(first, then, expected):
    found = reason(programs.reads, first, then)
    assert found == expected if expected is not None else "requires_grad" in found or "key set" in found


def test_global_state():
    compiled = framelift.compile(programs.plain, backend="eager")
    compiled(X, 1)
    with torch.no_grad():
        compiled(X, 1)
    (recompile,) = framelift.explain(compiled)(X, 1).recompiles
    assert recompile.failures[0].text.startswith("global state: grad mode")
    assert recompile.failures[0].place is None


def test_changed_global():
    compiled = framelift.compile(programs.shows, backend="eager")
    compiled(X, 1)
    programs.SCALE = 5
    try:
        compiled(X, 1)
    finally:
        programs.SCALE = 2
    (recompile,) = framelift.explain(compiled)(X, 1).recompiles
    assert recompile.failures[0].text == "SCALE was 2, now 5"


def test_counted_by_function():
    recompiles(programs.plain, (X, True), (X, 2.5))
    assert {neutral(name): count for name, count in framelift.counters()["recompiles"].items()} == {
        "plain (FILE:76)": 1
    }


def test_new_values_are_named_without_running_code():
    class Loud:
        def __repr__(self):
            raise AssertionError

        def __add__(self, other):
            return other

        __radd__ = __add__

    assert reason(programs.plain, (X, True), (X, Loud())).startswith("n was True, now <")
