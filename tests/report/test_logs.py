"""The log: quiet by default, one stream per artifact, switched on by name."""

from __future__ import annotations

import logging

import pytest
import torch

import framelift
from framelift import logs
from tests.processes import run_python
from tests.report import programs
from tests.report.texts import neutral

X = torch.ones(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.set_logs()
    framelift.reset()


def logged(caplog, *artifacts, calls=((X, 1),), function=programs.plain):
    framelift.set_logs(*artifacts)
    compiled = framelift.compile(function, backend="eager")
    with caplog.at_level(logging.INFO, logger="framelift"):
        for call in calls:
            compiled(*call)
    return [(record.name, neutral(record.getMessage())) for record in caplog.records]


def test_quiet_by_default(caplog):
    assert logged(caplog) == []


def test_graph_code(caplog):
    ((name, text),) = logged(caplog, "graph_code")
    assert name == "framelift.graph_code"
    assert text.split("\n") == [
        "graph of plain (FILE:76)",
        "  class GraphModule(torch.nn.Module):",
        '      def forward(self, argument_0: "f32[2, 3]"):',
        '          add: "f32[2, 3]" = argument_0 + 1;  argument_0 = None',
        "          return (add,)",
    ]


def test_graph_sizes(caplog):
    assert logged(caplog, "graph_sizes") == [
        (
            "framelift.graph_sizes",
            "sizes in the graph of plain (FILE:76)\n  argument_0: float32(2, 3)\n  add: float32(2, 3)",
        )
    ]


def test_guards(caplog):
    ((name, text),) = logged(caplog, "guards")
    assert name == "framelift.guards"
    assert text.startswith("guards of plain (FILE:76)\n  ")
    assert "\n  n == 1    # FILE:77 in plain" in text


def test_bytecode(caplog):
    (_, before), (_, after) = logged(caplog, "bytecode")
    assert before.startswith("code of plain (FILE:76)\n  plain: 0 x (argument), 1 n (argument)\n")
    assert "BINARY_OP" in before and "BINARY_OP" not in after
    assert after.startswith("residual of plain (FILE:76)\n  plain: 0 x (argument), 1 n (argument), 2 seen0")


def test_recompiles(caplog):
    ((name, text),) = logged(caplog, "recompiles", calls=[(X, True), (X, 2.5)])
    assert name == "framelift.recompiles"
    assert text.startswith("recompiling plain (FILE:76), compiled once before\n  n was True, now 2.5\n")


def test_graph_breaks(caplog):
    ((name, text),) = logged(caplog, "graph_breaks", calls=[(X,)], function=programs.asks)
    assert name == "framelift.graph_breaks"
    assert text.startswith("graph break: asked for: for the sake of it\n  at FILE:34 in asks\n")


def test_trace(caplog):
    found = [text for _, text in logged(caplog, "trace", calls=[(X,)], function=programs.outer)]
    assert found[:4] == [
        "FILE:18 in outer: def outer(x):",
        "FILE:19 in outer: return middle(x) + 1",
        "  FILE:22 in middle: def middle(x):",
        "  FILE:23 in middle: return innermost(x * 2) - 1",
    ]
    assert "    FILE:27 in innermost: if x.sum() > 0:" in found


def test_dynamic(caplog):
    found = [text for _, text in logged(caplog, "dynamic", calls=[(X, 1), (torch.ones(4, 3), 1)])]
    (text,) = found
    rows = text.split("\n")
    assert rows[0] == "symbolic numbers of plain (FILE:76)"
    assert any(row.startswith("  x.size(0) is s") for row in rows)
    assert "  x.size(0) >= 2" in rows


def test_several_at_once(caplog):
    names = {name for name, _ in logged(caplog, "graph_code", "guards", "bytecode")}
    assert names == {"framelift.graph_code", "framelift.guards", "framelift.bytecode"}


@pytest.mark.parametrize("wrong", ["graphs", "", "Guards", "graph_code,guards"])
def test_unknown_artifacts_are_refused(wrong):
    with pytest.raises(ValueError) as caught:
        framelift.set_logs("guards", wrong)
    expected = "graph_code, graph_sizes, graph_breaks, guards, recompiles, bytecode, trace, dynamic"
    assert str(caught.value) == f"unknown log artifact {wrong!r}; expected one of {expected}"
    assert not logs.wanted("guards")


SCRIPT = """
import torch, framelift

def f(x):
    framelift.graph_break()
    return x + 1

framelift.compile(f, backend="eager")(torch.ones(2))
"""


def test_environment_variable():
    done = run_python(SCRIPT, FRAMELIFT_LOGS="graph_breaks, graph_sizes")
    assert done.returncode == 0
    assert "[framelift.graph_breaks] graph break: asked for" in done.stderr
    assert "[framelift.graph_sizes] sizes in the graph of f" in done.stderr
    assert "guards" not in done.stderr
    assert run_python(SCRIPT).stderr == ""


def test_environment_variable_with_a_mistake():
    done = run_python(SCRIPT, FRAMELIFT_LOGS="graph_brakes")
    assert done.returncode == 1
    assert "ValueError: unknown log artifact 'graph_brakes'; expected one of graph_code, " in done.stderr
