"""framelift in the place of PyTorch's own compiler, the backends it takes by name, and the stance."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest
import torch
from torch import nn

import framelift
from framelift import errors
from framelift.runtime.backends import registry


@pytest.fixture(autouse=True)
def as_before():
    framelift.reset()
    yield
    framelift.set_stance("default")
    framelift.uninstall()


def graphs():
    return sum(framelift.counters().get("graphs", {}).values())


def test_install_and_uninstall():
    before = torch.compile, torch.compiler.set_stance, torch.compiler.reset
    framelift.install()
    framelift.install()
    assert torch.compile is not before[0]
    framelift.uninstall()
    framelift.uninstall()
    assert (torch.compile, torch.compiler.set_stance, torch.compiler.reset) == before


def test_the_manager_leaves_what_was():
    before = torch.compile
    with framelift.installed():
        inside = torch.compile
        with framelift.installed():
            assert torch.compile is inside
        assert torch.compile is inside
    assert torch.compile is before


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"backend": "eager"},
        {"mode": "default"},
        {"mode": "reduce-overhead", "backend": "eager"},
        {"dynamic": True},
        {"dynamic": False, "fullgraph": True},
        {"options": {"guard_filter_fn": None}},
        {"options": {"epilogue_fusion": True}, "backend": "inductor"},
        {"backend": "aot_eager", "name": "part", "recompile_limit": 3},
        {"backend": None},
    ],
)
def test_what_libraries_pass(options):
    options = {"backend": "eager", **options}
    with framelift.installed():
        compiled = torch.compile(lambda x: x.sin() + 1, **options)
        decorated = torch.compile(**options)(lambda x: x.cos())
    x = torch.arange(3.0)
    torch.testing.assert_close(compiled(x), x.sin() + 1)
    torch.testing.assert_close(decorated(x), x.cos())
    assert graphs() == 2


def test_disabled():
    model = nn.Linear(2, 2)
    with framelift.installed():
        assert torch.compile(model, disable=True) is model


def test_modules_compiled_in_place():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    x = torch.ones(2, 3)
    expected = model(x)
    with framelift.installed():
        model.compile(backend="eager", fullgraph=True)
        model[0].compile(backend="eager")
    torch.testing.assert_close(model(x), expected)
    assert graphs() == 1
    assert list(model.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    torch.testing.assert_close(copy.deepcopy(model)(x), expected)
    torch.testing.assert_close(pickle.loads(pickle.dumps(model))(x), expected)


def test_importing_does_not_import_the_other_front_end():
    code = (
        "import sys, torch, framelift\n"
        "framelift.install()\n"
        "torch.compile(lambda x: x + 1, backend='eager')\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_backends_registered_with_pytorch():
    from torch._dynamo import register_backend

    told = []

    @register_backend(name="framelift_test_backend")
    def backend(module, examples, **options):
        told.append(options)
        return module.forward

    assert "framelift_test_backend" in framelift.list_backends()
    compiled = framelift.compile(lambda x: x + 1, backend="framelift_test_backend", options={"level": 3})
    assert compiled(torch.ones(2)).tolist() == [2, 2]
    assert told == [{"options": {"level": 3}}]
    quick = framelift.compile(lambda x: x + 2, backend="framelift_test_backend", mode="max-autotune")
    assert quick(torch.ones(2)).tolist() == [3, 3]
    assert told[1:] == [{"mode": "max-autotune"}]


def test_backends_of_pytorch_itself():
    assert {"eager", "aot_eager", "inductor", "cudagraphs", "aot_eager_decomp_partition"} <= set(
        framelift.list_backends()
    )
    compiled = framelift.compile(lambda x: x + 1, backend="aot_eager_decomp_partition")
    assert compiled(torch.ones(2)).tolist() == [2, 2]
    assert graphs() == 1


def test_backends_announced_by_others(monkeypatch):
    class Point:
        name = "announced_for_a_test"
        loads = 0

        def load(self):
            Point.loads += 1
            return lambda module, examples: module.forward

    def announced(group, name=None):
        assert group == "torch_dynamo_backends"
        return [Point()] if name in (None, Point.name) else []

    monkeypatch.setattr(registry, "entry_points", announced)
    registry._own_names.cache_clear()
    try:
        compiled = framelift.compile(lambda x: x + 1, backend=Point.name)
        assert Point.loads == 0
        assert compiled(torch.ones(2)).tolist() == [2, 2]
        assert Point.loads == 1
    finally:
        registry._own_names.cache_clear()


def failing(module, examples):
    raise ValueError("no such thing")


def test_a_backend_that_raises_leaves_the_call_to_python():
    compiled = framelift.compile(lambda x: x + 1, backend=failing)
    assert compiled(torch.ones(2)).tolist() == [2, 2]
    (reason,) = framelift.counters()["graph_break"]
    assert "backend failing failed on a graph: ValueError: no such thing" in reason


def test_a_backend_that_raises_is_named_and_the_graph_kept():
    compiled = framelift.compile(lambda x: x.sin() + 1, backend=failing, fullgraph=True)
    with pytest.raises(errors.BackendError, match=r"backend failing failed .* no such thing") as caught:
        compiled(torch.ones(2))
    assert isinstance(caught.value.__cause__, ValueError)
    (result,) = caught.value.graph(torch.zeros(2))
    assert result.tolist() == [1, 1]


def test_force_eager():
    calls = []

    def function(x):
        calls.append(torch.compiler.is_compiling())
        return x + 1

    compiled = framelift.compile(function, backend="eager")
    with framelift.set_stance("force_eager"):
        compiled(torch.ones(2))
    assert graphs() == 0
    assert calls == [False]


def test_eager_on_recompile():
    compiled = framelift.compile(lambda x: x + 1, backend="eager", dynamic=False)
    compiled(torch.ones(2))
    with framelift.set_stance("eager_on_recompile"):
        assert compiled(torch.ones(2)).tolist() == [2, 2]
        assert compiled(torch.ones(3)).tolist() == [2, 2, 2]
    assert graphs() == 1
    compiled(torch.ones(3))
    assert graphs() == 2


def test_fail_on_recompile():
    compiled = framelift.compile(lambda x: x + 1, backend="eager", dynamic=False)
    compiled(torch.ones(2))
    with framelift.set_stance("fail_on_recompile"):
        compiled(torch.ones(2))
        with pytest.raises(errors.CompileError, match="fail_on_recompile"):
            compiled(torch.ones(3))
    assert compiled(torch.ones(3)).tolist() == [2, 2, 2]


def test_stance_as_a_decorator_and_through_torch():
    compiled = framelift.compile(lambda x: x + 1, backend="eager")

    @framelift.set_stance("force_eager")
    def quietly(x):
        return compiled(x)

    assert quietly(torch.ones(2)).tolist() == [2, 2]
    assert graphs() == 0
    with framelift.installed():
        torch.compiler.set_stance("force_eager")
        compiled(torch.ones(2))
        assert graphs() == 0
        torch.compiler.set_stance("default")
    compiled(torch.ones(2))
    assert graphs() == 1


def test_unknown_stances_are_refused():
    with pytest.raises(ValueError, match="unknown stance 'lazy'; expected one of default, force_eager"):
        framelift.set_stance("lazy")


def test_reset_through_torch():
    with framelift.installed():
        compiled = torch.compile(lambda x: x + 1, backend="eager")
        compiled(torch.ones(2))
        torch.compiler.reset()
        compiled(torch.ones(2))
    assert graphs() == 1
