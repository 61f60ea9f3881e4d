"""The harness itself: it must notice every way in which two runs can differ."""

from __future__ import annotations

import types

import pytest
import torch

from tests.capture.describe import Description
from tests.capture.harness import call, check, check_source, tensor


def described(obj):
    about = Description(__name__)
    about.add("result", obj)
    about.drain()
    return about.lines


def cycle():
    items = [1]
    items.append(items)
    return items


SHARED = [1]

DIFFERENT = [
    (1, True),
    (1, 1.0),
    (0.0, -0.0),
    ([1], (1,)),
    ([SHARED, SHARED], [[1], [1]]),
    (cycle(), [1, [1]]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (torch.ones(2), torch.ones(2, dtype=torch.float64)),
    (torch.ones(2), torch.ones(2, requires_grad=True)),
    (torch.ones(2), torch.ones(1, 2)),
    (ValueError(1), ValueError(2)),
    (iter([1, 2]), iter([1])),
    (types.SimpleNamespace(a=1), types.SimpleNamespace(a=2)),
    (lambda a=1: a, lambda a=2: a),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=range(len(DIFFERENT)))
def test_differences_show(one, other):
    assert described(one) != described(other)


def test_nothing_else_shows():
    assert described([object(), torch.ones(2), {"a": (1, None)}]) == described(
        [object(), torch.ones(2), {"a": (1, None)}]
    )


def adds(x, k=1):
    return x + k


def test_functions_can_be_checked_in_place():
    check(adds, tensor(2), graphs=1, changed=[call(tensor(3)), call(tensor(2), k=2)])


def test_sources_can_be_checked():
    check_source("def f(x):\n    return x + 1\n", "f", tensor(2), graphs=1)


def test_wrong_count_is_noticed():
    with pytest.raises(AssertionError, match="compiled 1 graphs instead of 2"):
        check(adds, tensor(2), graphs=2)


def test_mark_left_behind_is_noticed():
    with pytest.raises(AssertionError, match="take the mark away"):
        check(adds, tensor(2), broken=True)


def test_break_is_noticed():
    with pytest.raises(AssertionError, match="was not captured"):
        check_source("def f(x):\n    return x.tolist()\n", "f", tensor(2))


def test_state_that_only_one_run_sees_is_noticed():
    source = "import tests.capture.harness as h\n\ndef f(x):\n    return x + 1, h.RUNS.append(1) or len(h.RUNS)\n"
    import tests.capture.harness as harness

    harness.RUNS = []
    try:
        with pytest.raises(AssertionError, match="ends differently"):
            check_source(source, "f", tensor(2), steady=False)
    finally:
        del harness.RUNS
