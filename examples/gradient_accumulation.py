"""A training loop with gradient accumulation, clipping, and a learning rate that changes with every step.

    python examples/gradient_accumulation.py [BACKEND]

What is compiled is one micro-batch, forward and backward, as a plain function with a scale among its arguments that
changes with every step: it becomes a symbol and does not compile again and again. The same loop runs uncompiled next to
it.
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

import framelift

STEPS, MICRO_BATCHES = 8, 4


def micro_batch(model: nn.Module, x: torch.Tensor, y: torch.Tensor, scale: float) -> torch.Tensor:
    loss = nn.functional.mse_loss(model(x), y) * scale
    loss.backward()
    return loss.detach()


def train(model: nn.Module, one: Callable[..., Any]) -> list[float]:
    torch.manual_seed(1)
    weights = torch.randn(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), momentum=0.9)
    losses = []
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = 0.05 * (1 + math.cos(math.pi * step / STEPS))
        total = 0.0
        for _ in range(MICRO_BATCHES):
            x = torch.randn(16, 8)
            total += one(model, x, (x @ weights).tanh(), 1 / (MICRO_BATCHES + step)).item()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(total)
    return losses


def main(backend: str = "aot_eager") -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
    twin = copy.deepcopy(model)
    losses = train(model, framelift.compile(micro_batch, backend=backend))
    expected = train(twin, micro_batch)
    print("loss per step:", *(f"{loss:.4f}" for loss in losses))
    print(f"graphs compiled: {framelift.counters()['graphs']['compiled']}, in {STEPS * MICRO_BATCHES} calls")
    torch.testing.assert_close(losses, expected)
    torch.testing.assert_close(model.state_dict(), twin.state_dict())
    print("Losses and weights are those of the uncompiled loop.")


if __name__ == "__main__":
    main(*sys.argv[1:])
