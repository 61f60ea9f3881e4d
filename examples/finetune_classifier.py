"""Fine-tune a classifier: a frozen backbone, a new head, forward and backward compiled.

    python examples/finetune_classifier.py [BACKEND]        default: aot_eager; inductor needs a C++ compiler

The model is compiled once. Switching between `train()` and `eval()` compiles a second form, and a last batch that is
smaller than the others makes the batch size a symbol; after that nothing is compiled again.
"""

from __future__ import annotations

import sys

import torch
from torch import nn

import framelift

CLASSES, FEATURES = 3, 12


class Classifier(nn.Module):
    """A backbone that somebody trained before, and a head."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(FEATURES, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 32))
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(32, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            features = self.backbone(x)
        return self.head(self.dropout(features))


def batches(count: int, size: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Three clouds of points; the last batch is a smaller one."""
    centres = torch.randn(CLASSES, FEATURES)
    found = []
    for index in range(count):
        labels = torch.randint(CLASSES, (size if index < count - 1 else size // 2,))
        found.append((centres[labels] + 0.3 * torch.randn(len(labels), FEATURES), labels))
    return found


def accuracy(model: nn.Module, data: list[tuple[torch.Tensor, torch.Tensor]]) -> float:
    model.eval()
    with torch.no_grad():
        right = sum(int((model(x).argmax(-1) == y).sum()) for x, y in data)
    return right / sum(len(y) for _, y in data)


def main(backend: str = "aot_eager") -> None:
    torch.manual_seed(0)
    model = Classifier()
    model.backbone.requires_grad_(False)
    data = batches(6, 16)
    compiled = framelift.compile(model, backend=backend)  # shares its parameters with `model`
    optimizer = torch.optim.AdamW(model.head.parameters(), lr=2e-2)

    print(f"before: {accuracy(compiled, data):.0%} right")
    for epoch in range(5):
        compiled.train()
        total = 0.0
        for x, y in data:
            loss = nn.functional.cross_entropy(compiled(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(data):.3f}")
    after = accuracy(compiled, data)
    print(f"after: {after:.0%} right")
    print(f"graphs compiled: {framelift.counters()['graphs']['compiled']}")
    if after < 0.9:
        raise SystemExit("it has not learnt anything")


if __name__ == "__main__":
    main(*sys.argv[1:])
