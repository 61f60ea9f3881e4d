"""`framelift.explain` and `framelift.guards`: objects to look into, that print as a person reads."""

from __future__ import annotations

import pytest
import torch

import framelift
from framelift import _core
from tests.report import programs
from tests.report.texts import neutral

X = torch.ones(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()


def test_graphs_with_their_operations():
    explanation = framelift.explain(programs.asks)(X)
    assert torch.equal(explanation.result, (X + 1) * 2)
    assert [dict(graph.operations) for graph in explanation.graphs] == [{"add": 1}, {"mul": 1}]
    assert dict(explanation.operations) == {"add": 1, "mul": 1}
    assert explanation.graphs[0].code.split("\n") == [
        "class GraphModule(torch.nn.Module):",
        '    def forward(self, argument_0: "f32[2, 3]"):',
        '        add: "f32[2, 3]" = argument_0 + 1;  argument_0 = None',
        "        return (add,)",
    ]
    assert explanation.summary.startswith("2 graphs, 2 operations, 1 graph break, ")
    assert explanation.summary.endswith(", 0 recompiles")


def test_text_has_everything_in_order():
    explanation = framelift.explain(programs.asks)(X)
    text = neutral(explanation)
    wanted = [
        "2 graphs, 2 operations, 1 graph break",
        "1. asks (FILE:32)\n",
        "  graph:\n    1 operation: 1 add\n    class GraphModule",
        "  ends with a graph break:\n    asked for: for the sake of it\n      at FILE:34 in asks",
        "  guards (",
        "  residual:\n    asks: 0 x (argument)",
        "2. asks (FILE:32), from line 34 on\n",
        "1 operation: 1 mul",
        "RETURN_VALUE",
    ]
    position = 0
    for part in wanted:
        assert part in text[position:], f"{part!r} is missing in\n{text}"
        position = text.index(part, position)
    assert repr(explanation) == str(explanation)


def test_guards_are_sentences():
    (guards,) = framelift.explain(programs.reads)(X, programs.Box(3), {"double": False}).guards
    text = "\n".join(map(neutral, guards))
    for line in (
        "type(x) is Tensor    # FILE:89 in reads",
        "x is like <framelift tensor meta: torch.float32, (2, 3), cpu>    # FILE:89 in reads",
        "type(box) is Box    # FILE:89 in reads",
        "box.size == 3    # FILE:89 in reads",
        "len(box.items) == 2    # FILE:89 in reads",
        "type(flags) is dict    # FILE:87 in reads",
        "'double' in flags    # FILE:87 in reads",
        "flags['double'] == False    # FILE:87 in reads",
        "Box has no class attribute 'size'    # FILE:89 in reads",
    ):
        assert line in text.split("\n"), f"{line!r} is missing in\n{text}"


def test_what_is_compiled_stays_as_it_is():
    compiled = framelift.compile(programs.plain, backend="eager")
    compiled(X, 1)
    before = _core.entries(programs.plain.__code__)
    explanation = framelift.explain(compiled)(X, 2)
    assert torch.equal(explanation.result, X + 2)
    assert len(explanation.graphs) == 1
    assert _core.entries(programs.plain.__code__) == before
    assert [entry.valid for entry in before] == [True]


def test_explaining_twice_gives_the_same():
    explain = framelift.explain(programs.asks)
    assert neutral(explain(X)) == neutral(explain(X))


def test_an_exception_is_told():
    explanation = framelift.explain(programs.raises)(X)
    assert isinstance(explanation.error, ValueError)
    assert explanation.breaks == []
    assert "the call raised ValueError: torch.Size([2, 3])" in str(explanation)


class Doubled(torch.nn.Module):
    def forward(self, x):
        return x * 2


def test_modules_methods_and_other_callables():
    module = Doubled()
    assert len(framelift.explain(module)(X).graphs) == 1
    assert len(framelift.explain(framelift.compile(module, backend="eager"))(X).graphs) == 1
    assert len(framelift.explain(module.forward)(X).graphs) == 1
    assert len(framelift.explain(torch.relu)(X).graphs) == 1
    with pytest.raises(TypeError, match="explain\\(\\) takes a function or another callable, got 3"):
        framelift.explain(3)


def test_backend_of_an_explanation():
    seen = []

    def backend(graph, inputs):
        seen.append(graph)
        return graph.forward

    (graph,) = framelift.explain(programs.plain, backend=backend)(X, 1).graphs
    assert seen == [graph.module]


def test_installed_guards():
    compiled = framelift.compile(programs.plain, backend="eager")
    assert framelift.guards(compiled) == []
    assert str(framelift.guards(compiled)) == "nothing compiled"
    compiled(X, 1)
    compiled(X, 1)
    (entry,) = framelift.guards(compiled)
    assert entry.hits == 1
    text = neutral(framelift.guards(compiled))
    assert text.split("\n")[0] == "plain (FILE:76), used 1 time"
    assert "  n == 1    # FILE:77 in plain" in text.split("\n")
    compiled(X, "a" and 2)
    assert len(framelift.guards(compiled)) == 2
    framelift.reset()
    assert framelift.guards(compiled) == []


def test_guards_of_one_use_of_compile():
    first = framelift.compile(programs.plain, backend="eager")
    other = framelift.compile(programs.plain, backend="aot_eager")
    first(X, 1)
    assert len(framelift.guards(first)) == 1
    assert framelift.guards(other) == []
    assert len(framelift.guards(programs.plain)) == 1


def test_guards_behind_a_break():
    compiled = framelift.compile(programs.asks, backend="eager")
    compiled(X)
    titles = [neutral(entry.title) for entry in framelift.guards(compiled)]
    assert titles == ["asks (FILE:32)", "asks (FILE:32), from line 34 on"]


def test_guards_of_a_module():
    module = framelift.compile(Doubled(), backend="eager")
    module(X)
    (entry,) = framelift.guards(module)
    assert any("type(self) is Doubled" in guard for guard in entry.guards)


def test_an_explanation_keeps_nothing_compiled():
    framelift.explain(programs.plain)(X, 1)
    assert _core.entries(programs.plain.__code__) == []
