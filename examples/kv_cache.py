"""Decode with a cache of keys and values: one graph for every position.

    python examples/kv_cache.py [BACKEND]

The position is a tensor. Slices with it as a bound, read and written, stay in the graph, so that a step compiles once
however far it moves. The tokens are those that plain Python gives.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

import framelift

VOCABULARY, WIDTH, LENGTH = 40, 16, 64


class Decoder(nn.Module):
    """One layer of attention over what came before."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, VOCABULARY)

    def step(self, token: torch.Tensor, position: torch.Tensor, cache: dict[str, torch.Tensor]) -> torch.Tensor:
        """The next token. Writes the cache at `position`, a tensor, and reads all up to there."""
        x = self.embedding(token)
        cache["keys"][:, position : position + 1] = self.key(x)
        cache["values"][:, position : position + 1] = self.value(x)
        keys, values = cache["keys"][:, : position + 1], cache["values"][:, : position + 1]
        weights = (self.query(x) @ keys.transpose(1, 2) / WIDTH**0.5).softmax(-1)
        return self.out(weights @ values).argmax(-1)


def decode(step: Callable[..., Any], start: torch.Tensor, count: int) -> list[int]:
    cache = {name: torch.zeros(len(start), LENGTH, WIDTH) for name in ("keys", "values")}
    token, found = start, []
    with torch.no_grad():
        for position in range(count):
            token = step(token, torch.tensor(position), cache)
            found.append(int(token[0, 0]))
    return found


def main(backend: str = "aot_eager") -> None:
    torch.manual_seed(0)
    model = Decoder().eval()
    start = torch.tensor([[1]])
    compiled = framelift.compile(model.step, backend=backend, fullgraph=True)
    tokens = decode(compiled, start, 48)
    graphs = framelift.counters()["graphs"]["compiled"]
    print(tokens)
    print(f"{len(tokens)} steps, graphs compiled: {graphs}")
    if tokens != decode(model.step, start, 48):
        raise SystemExit("plain Python decodes something else")


if __name__ == "__main__":
    main(*sys.argv[1:])
