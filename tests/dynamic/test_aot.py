"""Training with sizes that vary behind AOTAutograd, by name or in a backend of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._functorch.aot_autograd import aot_module_simplified
from torch.nn import functional

import framelift
from tests.dynamic.counting import same


def own() -> Callable[..., Any]:
    """As people write one. Each is a new one, of which nothing is known."""

    def traced(module: torch.fx.GraphModule, examples: list[Any]) -> Any:
        return aot_module_simplified(module, examples, fw_compiler=lambda graph, _: graph.forward)

    return traced


BACKENDS = [own, lambda: "aot_eager", pytest.param(lambda: "inductor", marks=pytest.mark.slow)]
LOSSES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "mse": lambda x: functional.mse_loss(x, x.detach() * 0.5 + 1),
    "huber": lambda x: functional.huber_loss(x, torch.ones_like(x)),
    "normalized": lambda x: (x / x.shape[0] + x.mean(0)).square().mean(),
    "cross_entropy": lambda x: functional.cross_entropy(x, torch.arange(x.shape[0]) % 4, label_smoothing=0.1),
    "batch_norm": lambda x: functional.batch_norm(x, None, None, training=True).pow(3).sum() / x.numel(),
    "kl": lambda x: functional.kl_div(x.log_softmax(-1), x.detach().softmax(-1), reduction="batchmean"),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name: str, backend: Callable[[], Any]) -> None:
    framelift.reset()
    compiled = framelift.compile(LOSSES[name], backend=backend(), fullgraph=True)
    for size in (4, 6, 7, 9):
        mine = torch.randn(size, 4, requires_grad=True)
        theirs = mine.detach().clone().requires_grad_()
        losses = compiled(mine), LOSSES[name](theirs)
        same(*losses)
        for loss in losses:
            loss.backward()
        same(mine.grad, theirs.grad)
    assert framelift.counters()["graphs"] == {"compiled": 2}


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_tensors_made_to_require_gradients(backend: Callable[[], Any]) -> None:
    """AOTAutograd would make them part of the graph, and nothing to ask for a gradient."""

    def changed(x: torch.Tensor) -> Any:
        offset = torch.zeros_like(x, requires_grad=True)
        ((x + offset) ** 2).sum().backward()
        return offset.grad

    framelift.reset()
    compiled = framelift.compile(changed, backend=backend())
    for size in (4, 6):
        x = torch.randn(size)
        same(compiled(x), changed(x))


def test_one_call_of_a_backend_for_each_graph() -> None:
    """Also of one that turns out to use AOTAutograd, where that makes no difference."""
    graphs = []

    def counted(module: torch.fx.GraphModule, examples: list[Any]) -> Any:
        graphs.append(module)
        return aot_module_simplified(module, examples, fw_compiler=lambda graph, _: graph.forward)

    compiled = framelift.compile(lambda x: x.sin() + 1, backend=counted)
    for size in (3, 3, 4, 5):
        compiled(torch.randn(size))
    assert len(graphs) == 2
