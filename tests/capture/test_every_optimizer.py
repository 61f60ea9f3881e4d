"""Every optimizer of torch.optim with the settings PyTorch's own tests try: the same losses and parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift
from tests.capture import pytorch_tests

optimizers = pytorch_tests.part("common_optimizers")


def settings() -> list[Any]:
    found = []
    for info in optimizers.optim_db:
        for number, given in enumerate(info.optim_inputs_func(device="cpu")):
            found.append(pytest.param(info, given.kwargs, id=f"{info.optim_cls.__name__}-{number}"))
    return found


def model_for(kind: type) -> torch.nn.Module:
    torch.manual_seed(0)
    if kind is torch.optim.SparseAdam:
        return torch.nn.Embedding(5, 3, sparse=True)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))


def train(info: Any, given: dict[str, Any], wrap: Callable[[Any], Any]) -> tuple[list[float], list[torch.Tensor]]:
    model = model_for(info.optim_cls)
    chosen = [p for p in model.parameters() if info.optim_cls.__name__ != "Muon" or p.ndim == 2]
    optimizer = info.optim_cls(chosen, **copy.deepcopy(given))
    inputs = torch.tensor([0, 1, 3]) if isinstance(model, torch.nn.Embedding) else torch.randn(6, 3)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss: torch.Tensor = model(inputs).pow(2).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    step = wrap(optimizer.step)
    losses = []
    for _ in range(4):
        if info.step_requires_closure:
            losses.append(float(step(closure)))
        else:
            losses.append(float(closure().detach()))
            step()
    return losses, [p.detach() for p in model.parameters()]


@pytest.mark.parametrize(("info", "given"), settings())
def test_optimizer(info: Any, given: dict[str, Any]) -> None:
    expected = train(info, given, lambda step: step)
    found = train(info, given, lambda step: framelift.compile(step, backend="eager"))
    torch.testing.assert_close(found, expected)
    assert expected[0][0] != expected[0][-1], "nothing was learnt"
