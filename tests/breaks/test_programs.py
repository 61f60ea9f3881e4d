"""Breaks in loops, handlers, managers, comprehensions and inlined calls cost exactly what they must."""

from __future__ import annotations

import pytest

import framelift
from tests.breaks.programs import PROGRAMS
from tests.capture.harness import check, tensor


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()


def test_there_are_forty():
    assert len(PROGRAMS) >= 40


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_given_up(name):
    program = PROGRAMS[name]
    explanation = framelift.explain(program.function)(tensor(2, 3))
    assert explanation.error is None
    assert [record.summary for record in explanation.breaks if record.untouched] == []
    found = [graph.operations.total() for graph in explanation.graphs], len(explanation.breaks)
    assert found == (program.graphs, program.breaks)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_shows(name):
    program = PROGRAMS[name]
    check(program.function, tensor(2, 3), graphs=len(program.graphs), broken=True)
