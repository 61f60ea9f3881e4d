"""What gives no graph is left alone after some time, and said so once if it was for graph breaks."""

from __future__ import annotations

import gc
import logging

import pytest
import torch

import framelift
from framelift import _core, settings

X = torch.ones(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    before = settings.change(fruitless_limit=4)
    yield
    settings.change(fruitless_limit=before.fruitless_limit)
    framelift.reset()


def breaks():
    return sum(framelift.counters()["graph_break"].values())


def unknown(flag=None):
    """Breaks the graph: a function without Python code, which nobody would model."""
    return gc.isenabled()


def loops(n):
    total = 0
    for i in range(n):
        gc.isenabled()
        total += i * len("x" * i)
    return total


def empty(text):
    return text + "."


def test_frame_without_tensors_is_looked_at_a_few_times():
    compiled = framelift.compile(empty, backend="eager")
    for number in range(10):
        assert compiled(str(number)) == f"{number}."
    (entry,) = _core.entries(empty.__code__)
    assert entry.guards is None
    assert entry.payload.left_alone


def test_function_that_only_breaks_is_given_up_with_one_message(caplog):
    compiled = framelift.compile(loops, backend="eager")
    with caplog.at_level(logging.WARNING):
        for n in (50, 60, 70):
            assert compiled(n) == loops(n)
    (record,) = caplog.records
    assert "loops (" in record.getMessage()
    assert "runs as ordinary Python from now on: it was captured 4 times" in record.getMessage()
    assert "unknown callable: gc.isenabled" in record.getMessage()
    assert breaks() == 4


def test_it_is_no_longer_asked_for():
    compiled = framelift.compile(loops, backend="eager")
    compiled(50)
    before = breaks()
    compiled(60)
    assert breaks() == before
    (entry,) = _core.entries(loops.__code__)
    assert entry.payload.left_alone and entry.guards is None


def test_one_graph_is_gain_enough(caplog):
    def run(x, n):
        x = x + 1
        for i in range(n):
            gc.isenabled()
        return x

    compiled = framelift.compile(run, backend="eager")
    with caplog.at_level(logging.WARNING):
        for n in range(8):
            assert torch.equal(compiled(X, n), X + 1)
    assert not caplog.records
    assert not any(entry.payload.left_alone for entry in _core.entries(run.__code__))


def test_graph_that_comes_late_still_comes():
    def run(x, key):
        return x + 1 if key == "now" else key

    compiled = framelift.compile(run, backend="eager")
    for key in ("a", "b", "c"):
        assert compiled(X, key) == key
    assert torch.equal(compiled(X, "now"), X + 1)
    assert framelift.counters()["graphs"] == {"compiled": 1}
    for key in ("d", "e", "f", "g", "h"):
        assert compiled(X, key) == key
    assert not any(entry.payload.left_alone for entry in _core.entries(run.__code__))


def test_code_that_is_shared_is_never_given_up():
    class Model(torch.nn.Module):
        def __init__(self, works):
            super().__init__()
            self.works = works

        def forward(self, x):
            return x + 1 if self.works else None

    for _ in range(6):
        assert framelift.compile(Model(False), backend="eager")(X) is None
    assert torch.equal(framelift.compile(Model(True), backend="eager")(X), X + 1)
    assert framelift.counters()["graphs"] == {"compiled": 1}

    def wrapped(function):
        return lambda x: function(x)

    for number in range(6):
        assert framelift.compile(wrapped(lambda x, number=number: number), backend="eager")(X) == number
    assert torch.equal(framelift.compile(wrapped(lambda x: x + 2), backend="eager")(X), X + 2)
    assert framelift.counters()["graphs"] == {"compiled": 2}


def test_full_graph_is_never_given_up():
    compiled = framelift.compile(empty, backend="eager", fullgraph=True)
    for number in range(10):
        compiled(str(number))
    assert not any(entry.payload.left_alone for entry in _core.entries(empty.__code__))


def test_no_limit():
    settings.change(fruitless_limit=0)
    compiled = framelift.compile(empty, backend="eager")
    for number in range(10):
        compiled(str(number))
    assert not any(entry.payload.left_alone for entry in _core.entries(empty.__code__))


def test_reset_gives_another_chance():
    compiled = framelift.compile(empty, backend="eager")
    for number in range(10):
        compiled(str(number))
    framelift.reset()
    compiled("a")
    (entry,) = _core.entries(empty.__code__)
    assert not entry.payload.left_alone


def test_explanation_says_so():
    compiled = framelift.compile(loops, backend="eager")
    compiled(50)
    explanation = framelift.explain(compiled)(50)
    assert explanation.parts[0].left_alone
    assert "is left alone: captures of it gave no graph" in str(explanation)
