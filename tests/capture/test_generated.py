"""Random programs do under capture what they do in plain Python.

A seeded sample: 840 programs, of which 740 are left out of `make test-fast`. `FRAMELIFT_FULL=1` runs four times as
many, `FRAMELIFT_SEED=n` others. A failure prints the shrunk program.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis import strategies as st

from tests.capture.generation import programs
from tests.capture.harness import check_source, tensor

FULL = os.environ.get("FRAMELIFT_FULL") == "1"
SEED = int(os.environ.get("FRAMELIFT_SEED", "20240"))
NUMBERS = st.lists(st.integers(-3, 6), max_size=4)
TABLES = st.dictionaries(st.sampled_from("abc"), st.integers(-3, 6), max_size=3)


@st.composite
def inputs(draw: Any) -> tuple[Any, ...]:
    items = draw(NUMBERS)
    other = items if draw(st.booleans()) else draw(NUMBERS)
    numbers = draw(st.integers(-3, 6)), draw(st.sampled_from([0.5, -1.0, 2.0, float("inf")]))
    return (tensor(3), tensor(3, start=-1), *numbers, items, other, draw(TABLES))


def sample(examples: int, offset: int = 0) -> Any:
    """How many examples are tried, and that they are the same ones every time."""

    def apply(test: Any) -> Any:
        return seed(SEED + offset)(
            settings(
                max_examples=examples * 4 if FULL else examples,
                deadline=None,
                database=None,
                derandomize=False,
                suppress_health_check=list(HealthCheck),
                print_blob=False,
            )(test)
        )

    return apply


def compare(source: str, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    note(source)
    check_source(source, "program", *first, changed=[second, first], broken=None, fails=None)


@sample(80)
@given(source=programs(), first=inputs(), second=inputs())
def test_programs(source: str, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    compare(source, first, second)


@sample(20)
@given(source=programs(breaks=True), first=inputs(), second=inputs())
def test_programs_with_breaks(source: str, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    compare(source, first, second)


@pytest.mark.slow
@sample(560, offset=1)
@given(source=programs(), first=inputs(), second=inputs())
def test_many_programs(source: str, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    compare(source, first, second)


@pytest.mark.slow
@sample(180, offset=1)
@given(source=programs(breaks=True), first=inputs(), second=inputs())
def test_many_programs_with_breaks(source: str, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    compare(source, first, second)
