"""What a user writes to say where capture ends: graph_break, disable, error_on_graph_break, and PyTorch's own marks."""

from __future__ import annotations

import threading

import pytest
import torch

import framelift
from framelift import controls
from framelift.errors import FullGraphError
from tests.capture.harness import check, tensor

X = tensor(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    yield
    framelift.reset()
    assert controls._here.regions == []


def figures(function, *args):
    """Graphs, operations and breaks of a call, whose result must be eager's."""
    explanation = framelift.explain(function)(*args)
    if explanation.error is not None:
        raise explanation.error
    torch.testing.assert_close(explanation.result, function(*args))
    return len(explanation.graphs), explanation.operations.total(), len(explanation.breaks)


# graph_break


def breaks_twice(x):
    x = x + 1
    framelift.graph_break()
    x = x * 2
    framelift.graph_break("again")
    return x - 1


def test_graph_break():
    assert breaks_twice(X) is not None
    assert figures(breaks_twice, X) == (3, 3, 2)
    check(breaks_twice, X, graphs=3, broken="asked for")


def test_graph_break_does_nothing_in_plain_python():
    assert framelift.graph_break() is None
    assert framelift.graph_break("message") is None


# disable


@framelift.disable
def disabled(x):
    return helper(x) + 1


@framelift.disable(recursive=False)
def shallow(x):
    return helper(x) + 1


def helper(x):
    return x * 2 + 1


def calls(function):
    def run(x):
        return function(x + 1) * 3

    return run


def test_disabled_functions_run_as_ordinary_python():
    assert figures(calls(disabled), X) == (2, 2, 1)


def test_what_they_call_is_captured_if_not_recursive():
    assert figures(calls(shallow), X) == (3, 4, 1)


def test_not_recursive_and_not_below_a_compiled_call():
    assert torch.equal(shallow(X), X * 2 + 2)
    framelift.explain(calls(shallow))(X)
    assert torch.equal(shallow(X), X * 2 + 2)


def test_disable_as_a_call():
    run = calls(framelift.disable(helper, reason="no"))
    assert figures(run, X) == (2, 2, 1)
    assert framelift.explain(run)(X).breaks[0].summary == "call of a disabled function: helper (no)"


def test_disabled_function_looks_like_the_function():
    wrapped = framelift.disable(helper)
    assert wrapped.__name__ == "helper" and wrapped.__wrapped__ is helper and wrapped.__module__ == __name__
    assert "framelift.disable of <function helper" in repr(wrapped)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(3, 3)
        self.second = framelift.disable(torch.nn.Linear(3, 3))

    @framelift.disable
    def disabled(self, x):
        return x + 1

    def forward(self, x):
        return self.second(self.disabled(self.first(x))) * 2


def test_disabled_methods_and_modules():
    model = Model()
    assert isinstance(model.second, torch.nn.Linear)
    assert sorted(model.state_dict()) == ["first.bias", "first.weight", "second.bias", "second.weight"]
    explanation = framelift.explain(model)(X)
    torch.testing.assert_close(explanation.result, model(X))
    assert [graph.operations.total() for graph in explanation.graphs] == [1, 1]
    assert len(explanation.breaks) == 2


@pytest.mark.parametrize("wrong", [3, None, "text"])
def test_what_cannot_be_disabled(wrong):
    with pytest.raises(TypeError) as caught:
        framelift.disable(wrong)
    assert str(caught.value) == f"disable() takes a function or another callable, got {wrong!r}"


@pytest.mark.parametrize(("name", "wrong"), [("recursive", 1), ("reason", 3)])
def test_wrong_options_of_disable(name, wrong):
    with pytest.raises(TypeError, match=f"{name} must be a"):
        framelift.disable(**{name: wrong})


# error_on_graph_break


def fine_inside(x):
    x = x + 1
    framelift.graph_break()
    with framelift.error_on_graph_break(True):
        x = helper(x)
    framelift.graph_break()
    return x - 1


def wrong_inside(x):
    x = x + 1
    framelift.graph_break()
    with framelift.error_on_graph_break(True):
        x = x * 2
        framelift.graph_break("inside")
    return x


def lifted_inside(x):
    with framelift.error_on_graph_break(True):
        x = x + 1
        with framelift.error_on_graph_break(False):
            framelift.graph_break()
            x = x * 2
        return x - 1


@framelift.error_on_graph_break()
def decorated(x):
    framelift.graph_break()
    return x


def test_region_without_a_break():
    assert figures(fine_inside, X) == (3, 4, 2)
    check(fine_inside, X, graphs=3, broken="asked for")


@pytest.mark.parametrize("function", [wrong_inside, decorated])
def test_break_in_a_region_is_an_error(function):
    assert function(X) is not None
    with pytest.raises(FullGraphError) as caught:
        framelift.compile(function, backend="eager")(X)
    assert str(caught.value).startswith("graph break: asked for")
    assert "test_controls.py" in str(caught.value)


def test_region_in_which_breaks_are_allowed_again():
    assert figures(lifted_inside, X) == (2, 3, 1)
    with pytest.raises(FullGraphError):
        framelift.compile(lifted_inside, backend="eager", fullgraph=True)(X)


def test_region_around_a_compiled_call():
    compiled = framelift.compile(breaks_twice, backend="eager")
    with framelift.error_on_graph_break(True), pytest.raises(FullGraphError):
        compiled(X)
    assert torch.equal(compiled(X), breaks_twice(X))


def test_region_left_by_an_exception():
    def leaves(x):
        try:
            with framelift.error_on_graph_break(True):
                x = x + 1
                raise ValueError
        except ValueError:
            framelift.graph_break()
            return x * 2

    assert figures(leaves, X) == (2, 2, 1)


def test_region_holds_for_one_thread():
    compiled = framelift.compile(breaks_twice, backend="eager")
    results = []
    with framelift.error_on_graph_break(True):
        thread = threading.Thread(target=lambda: results.append(compiled(X)))
        thread.start()
        thread.join()
    assert torch.equal(results[0], breaks_twice(X))


def test_region_takes_a_bool():
    with pytest.raises(TypeError, match=r"error_on_graph_break\(\) takes a bool, got 1"):
        framelift.error_on_graph_break(1)


# PyTorch's own marks


@torch.compiler.disable
def theirs(x):
    return helper(x)


@torch.compiler.disable(recursive=False)
def theirs_shallow(x):
    return helper(x)


def test_functions_that_pytorch_marked():
    assert figures(calls(theirs), X) == (2, 2, 1)


def test_functions_that_pytorch_marked_but_not_what_they_call():
    assert figures(calls(theirs_shallow), X) == (3, 4, 1)


def test_disabled_in_the_function_itself():
    def run(x):
        @framelift.disable(recursive=False)
        def middle(x):
            return helper(x) + 1

        return middle(x + 1) * 3

    assert figures(run, X) == (3, 4, 1)


def test_function_marked_by_hand():
    def marked(x):
        return x * 5

    marked._torchdynamo_disable = True
    run = calls(marked)
    compiled = framelift.compile(run, backend="eager")
    torch.testing.assert_close(compiled(X), run(X))
    assert len(framelift.counters()["graph_break"]) == 1
    del marked._torchdynamo_disable
    framelift.counters()["graph_break"].clear()
    assert figures(run, X) == (1, 3, 0)
    torch.testing.assert_close(compiled(X), run(X))


def test_marker_of_pytorch():
    def run(x):
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    assert figures(run, X) == (2, 2, 1)


def test_functions_that_pytorch_marks_lazily():
    def run(x):
        return lazily(x + 1) * 2

    assert figures(run, X) == (2, 2, 1)


lazily = torch._disable_dynamo(helper)
