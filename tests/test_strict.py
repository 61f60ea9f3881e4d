"""Strict mode: native guards and Python's own measurements must agree, call by call."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch

import framelift
from framelift import _core
from framelift.errors import StrictError
from framelift.guards import facts, strict
from framelift.paths.path import ACCESSORS, STARTS
from framelift.runtime import strict as strict_mode

X = torch.ones(2, 3)

# What the native side can do that nobody asks of it at present.
SPARE_ACCESSORS = {"dispatch_mode", "range_part"}
SPARE_CHECKS = {"is_not", "lookup_absent", "lookup_is"}
RELATIONS = {"same_as", "not_same_as", "shares_memory", "shares_no_memory"}


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()


def test_facts_and_native_checks_agree():
    asked = {name for fact in facts.FACTS.values() for name in fact.checks}
    assert asked | RELATIONS == _core.check_names() - SPARE_CHECKS


def test_paths_and_native_accessors_agree():
    assert {*STARTS, *ACCESSORS} == _core.accessor_names() - SPARE_ACCESSORS


def test_unknown_names_are_refused_at_the_start(monkeypatch):
    monkeypatch.setitem(ACCESSORS, "no such step", ACCESSORS["item"])
    with pytest.raises(AssertionError, match=r"without a native counterpart: \['no such step'\]"):
        strict_mode.switch(True)


class Box:
    def __init__(self, value):
        self.value = value


def reads(x, box, names):
    return x + box.value + len(names)


def test_every_evaluation_is_measured(monkeypatch):
    seen = []
    first_failure = strict.Measurements.first_failure

    def counted(self, *args):
        seen.append(first_failure(self, *args))
        return seen[-1]

    monkeypatch.setattr(strict.Measurements, "first_failure", counted)
    compiled = framelift.compile(reads, backend="eager")
    compiled(X, Box(1), ["a"])
    assert seen == [None]
    compiled(X, Box(1), ["a"])
    assert seen == [None, None]
    compiled(X, Box(1), ["a", "b"])
    assert seen[2] is not None and seen[3:] == [None]


def test_a_difference_is_an_error(monkeypatch):
    compiled = framelift.compile(reads, backend="eager")
    compiled(X, Box(1), ["a"])
    (entry,) = _core.entries(reads.__code__)
    node = next(node for node in entry.payload.measurements.nodes if any("length" in g.text for g in node.guards))
    node.guards[-1] = node.guards[-1]._replace(holds=lambda obj, objects: False)
    with pytest.raises(StrictError) as caught:
        compiled(X, Box(1), ["a"])
    text = str(caught.value)
    assert text.startswith(f"strict mode: the guards of reads ({__file__}:")
    assert "differ: natively, every guard holds; in Python, node " in text
    assert text.endswith("does not hold: length of argument 2")


def test_a_guard_that_python_finds_to_hold(monkeypatch):
    compiled = framelift.compile(reads, backend="eager")
    compiled(X, Box(1), ["a"])
    (entry,) = _core.entries(reads.__code__)
    for node in entry.payload.measurements.nodes:
        node.guards[:] = [guard._replace(holds=lambda obj, objects: True) for guard in node.guards]
    with pytest.raises(StrictError, match=r"natively, .* does not hold: length of argument 2; in Python, every guard"):
        compiled(X, Box(1), ["a", "b"])


def test_state_is_measured_too():
    compiled = framelift.compile(reads, backend="eager")
    compiled(X, Box(1), [])
    with torch.no_grad():
        compiled(X, Box(1), [])
    assert len(_core.entries(reads.__code__)) == 2
    (entry, _) = _core.entries(reads.__code__)
    entry.payload.measurements.state = None
    with torch.no_grad(), pytest.raises(StrictError, match="let a call pass in another global state"):
        compiled(X, Box(1), [])


def test_objects_of_the_user_are_not_kept_alive():
    class Local:
        factor = 3

    def run(x, box):
        return x * box.factor

    box = Local()
    references = [weakref.ref(box), weakref.ref(Local)]
    compiled = framelift.compile(run, backend="eager")
    compiled(X, box)
    compiled(X, box)
    del box, Local
    gc.collect()
    assert [reference() for reference in references] == [None, None]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (1, 1, True),
        (1, True, False),
        (1, 1.0, False),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        (complex(0, -0.0), complex(0, 0.0), False),
        ("a", "a", True),
        ((1, (2.0, "a")), (1, (2.0, "a")), True),
        ((1,), (True,), False),
        (frozenset({1}), frozenset({1.0}), False),
        (frozenset({1, "a"}), frozenset({"a", 1}), True),
        (torch.device("cpu"), torch.device("cpu"), True),
        (Box(1), Box(1), False),
        ([1], [1], False),
    ],
)
def test_sameness_of_constants(old, new, expected):
    assert strict.same(old, new) is expected


@pytest.mark.parametrize(
    "other",
    [
        torch.ones(2, 3, dtype=torch.float64),
        torch.ones(3, 2),
        torch.ones(3, 2).T,
        torch.ones(2, 3, requires_grad=True),
        torch.nn.Parameter(torch.ones(2, 3)),
        torch.ones(2, 3, device="meta"),
        torch.ones(2, 3).to_sparse(),
        torch.ones(2, 3, dtype=torch.complex64).conj(),
    ],
    ids=range(8),
)
def test_tensors_are_measured_by_their_properties(other):
    compiled = framelift.compile(lambda x: x.detach(), backend="eager")
    compiled(X)
    compiled(other)
    compiled(X.clone())


def test_conditions_on_numbers_are_measured_too():
    def run(x, n):
        return x * 2 if x.shape[0] * n > 10 else x + n

    compiled = framelift.compile(run, backend="eager")
    calls = [(torch.ones(size, 3), n) for size in (2, 3, 4, 5, 9) for n in (2, 3, 4)]
    for call in calls:
        torch.testing.assert_close(compiled(*call), run(*call))
    entries = [entry for entry in _core.entries(run.__code__) if entry.payload.measurements.numbers is not None]
    found = {entry.payload.measurements.first_failure(call, run) for entry in entries for call in calls}
    assert any(where is not None and where[0] == -2 for where in found)
    for entry in entries:
        entry.payload.measurements.numbers = ((), ((("constant", 0),),))
    with pytest.raises(StrictError, match="in Python, a condition on numbers does not hold"):
        for call in calls:
            compiled(*call)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ((("constant", 7), ("constant", 2), ("floordiv", None), ("constant", 3), ("eq", None)), True),
        ((("constant", -7), ("constant", 2), ("floordiv", None), ("constant", -4), ("eq", None)), True),
        ((("constant", -7), ("constant", 2), ("mod", None), ("constant", 1), ("eq", None)), True),
        ((("constant", 7.5), ("constant", 2), ("floordiv", None), ("constant", 3), ("eq", None)), True),
        ((("constant", 1), ("constant", 0), ("truediv", None)), False),
        ((("constant", 2**62), ("constant", 4), ("mul", None)), False),
        ((("constant", 2), ("constant", 10), ("pow", None), ("constant", 1024), ("eq", None)), True),
        ((("constant", 2), ("constant", -1), ("pow", None), ("constant", 0.5), ("eq", None)), True),
        ((("constant", 2), ("constant", 80), ("pow", None)), False),
        ((("constant", 2.7), ("trunc", None), ("constant", 2), ("eq", None)), True),
        ((("constant", -2.5), ("floor", None), ("constant", -3), ("eq", None)), True),
        ((("constant", -4.0), ("sqrt", None)), False),
        ((("constant", 0), ("constant", 3), ("constant", 5), ("where", None), ("constant", 5), ("eq", None)), True),
        ((("constant", float("nan")), ("constant", 1), ("ne", None)), True),
        ((("constant", 1), ("not", None)), False),
        ((("constant", 1e300), ("floor", None)), False),
    ],
    ids=range(16),
)
def test_programs_over_numbers_mean_the_same_on_both_sides(condition, expected):
    from framelift.guards.strict_numbers import first_failure

    specification = ((), (condition,))
    assert (first_failure(specification, {}) is None) is expected
    guards = _core.build_guards((None, (), specification))
    assert (guards.check((), None) is not None) is expected
