"""The report of a graph break: file, line, the expression underlined, the inlined calls, the reason and a hint."""

from __future__ import annotations

import gc
import sys

import pytest
import torch

import framelift
from framelift import settings
from framelift.errors import FullGraphError
from framelift.values.reasons import REASONS
from tests.report import programs
from tests.report.texts import golden, neutral

X = torch.ones(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()


def only_break(function, *args):
    explanation = framelift.explain(function)(*args)
    assert explanation.error is None
    (record,) = explanation.breaks
    return record


def test_call_without_a_model():
    assert neutral(only_break(programs.shows, X, 1)) == golden("""
        graph break: unknown callable: gc.isenabled
          at FILE:14 in shows
              14 |     gc.isenabled()
                 |     ^^^^^^^^^^^^^^
          why: The program calls something that has no Python code and of which framelift has no model.
          hint: Call it outside of the compiled region, or leave it to the graph break.
    """)


def test_inlined_calls_are_shown():
    assert neutral(only_break(programs.outer, X)) == golden("""
        graph break: value of a tensor needed: a branch on a tensor
          at FILE:27 in innermost
              27 |     if x.sum() > 0:
                 |        ^^^^^^^^^^^
          called from FILE:23 in middle
              23 |     return innermost(x * 2) - 1
                 |            ^^^^^^^^^^^^^^^^
          called from FILE:19 in outer
              19 |     return middle(x) + 1
                 |            ^^^^^^^^^
          why: Python needs to know the value inside a tensor, which is only there when the graph has run.
          hint: Use torch.where or torch.cond, or leave it to the graph break.
    """)


def test_break_that_was_asked_for():
    assert neutral(only_break(programs.asks, X)) == golden("""
        graph break: asked for: for the sake of it
          at FILE:34 in asks
              34 |     framelift.graph_break("for the sake of it")
                 |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          why: The program calls `framelift.graph_break()` here, or a marker like it.
          hint: Take the call away if the graph need not end here.
    """)


def test_expression_of_many_lines():
    assert neutral(only_break(programs.spreads, X)) == golden("""
        graph break: value of a tensor needed: float() of a tensor
          at FILE:40 in spreads
              40 |     return x + float(
                 |                ^^^^^^
              41 |         x.sum()
                 |         ^^^^^^^
              42 |         + 1
                 |         ^^^
              43 |         + 2
                 |         ^^^
                 | ...
          why: Python needs to know the value inside a tensor, which is only there when the graph has run.
          hint: Use torch.where or torch.cond, or leave it to the graph break.
    """)


def test_code_of_framelifts_own_is_not_shown():
    first = framelift.explain(programs.breaks_in_a_polyfill)(X).breaks[0]
    assert neutral(first.where) == "FILE:50 in breaks_in_a_polyfill"
    assert "framelift/models" not in str(first)


def test_columns_count_characters():
    shown = neutral(only_break(programs.umlauts, X)).split("\n")
    assert shown[2:4] == [
        '      54 |     text = "äöü" * gc.isenabled()',
        "         |                    ^^^^^^^^^^^^^^",
    ]


def test_disabled_functions():
    assert neutral(only_break(programs.calls_hopeless, X)) == golden("""
        graph break: call of a disabled function: hopeless (it is hopeless)
          at FILE:64 in calls_hopeless
              64 |     return x + hopeless(x)
                 |                ^^^^^^^^^^^
          why: The function is marked with `framelift.disable` or `torch.compiler.disable`: it runs as
               ordinary Python.
          hint: Take the mark away, or call the function outside of the compiled region.
    """)
    theirs = only_break(programs.calls_theirs, X)
    assert theirs.summary == "call of a disabled function: tests.report.programs.theirs (they say so)"


def test_error_of_a_full_graph_is_the_same_text():
    record = only_break(programs.outer, X)
    with pytest.raises(FullGraphError) as caught:
        framelift.compile(programs.outer, backend="eager", fullgraph=True)(X)
    assert str(caught.value) == str(record)


def test_counters_have_one_line_each():
    framelift.compile(programs.outer, backend="eager")(X)
    (key,) = framelift.counters()["graph_break"]
    assert neutral(key) == "value of a tensor needed: a branch on a tensor @ FILE:27 in innermost"


def test_objects_of_the_user_are_named_without_running_their_code():
    class Loud:
        def __repr__(self):
            raise AssertionError

        __str__ = __repr__

        def __getattr__(self, name):
            raise AssertionError

    from framelift.values.reasons import UNKNOWN_CALL, Break

    assert str(Break(UNKNOWN_CALL, Loud())).startswith("unknown callable: a test_objects_of")
    assert str(Break(UNKNOWN_CALL, len)) == "unknown callable: len"
    assert str(Break(UNKNOWN_CALL, torch.nn.functional.relu)) == "unknown callable: torch.nn.functional.relu"
    assert str(Break(UNKNOWN_CALL, "two\n  lines")) == "unknown callable: two lines"


def test_source_that_is_gone():
    names = {"gc": gc}
    exec(compile("def f(x):\n    gc.isenabled()\n    return x + 1\n", "<no file>", "exec"), names)
    record = only_break(names["f"], X)
    assert str(record).split("\n")[1:3] == [
        "  at <no file>:2 in f",
        "  why: " + REASONS["unknown callable"].explanation,
    ]


def test_frame_that_runs_untouched():
    def looks(x):
        y = x + 1
        return sorted(sys._getframe().f_locals), y

    record = only_break(looks, X)
    assert record.untouched
    assert "so: The whole frame runs as ordinary Python." in str(record)


def test_forced_break_is_told_where_it_is():
    settings.change(break_at=3)
    try:
        framelift.compile(programs.plain, backend="eager")(X, 1)
    finally:
        settings.change(break_at=0)
    (key,) = framelift.counters()["graph_break"]
    assert neutral(key) == "forced by a test @ FILE:77 in plain"


def test_every_reason_says_something():
    for name, reason in REASONS.items():
        assert name == reason.name == name.strip() and "\n" not in name
        assert reason.explanation.endswith(".") and reason.hint.endswith(".")
