"""Runs programs on CUDA through every backend and mode, compares them with eager, and prints a table for docs/cuda.md.

    python benchmarks/on_cuda.py            needs a CUDA device and the extension built in place

Each line: a program, how it was compiled, whether results and gradients equal eager's, graphs and breaks, and the time
of a warm call as a ratio to eager's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch
from torch import nn
from torch.nn import functional

import framelift

DEVICE = "cuda"


class Block(nn.Module):
    """One layer of a transformer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, w = x.shape
        q, k, v = (part.view(b, t, 4, w // 4).transpose(1, 2) for part in self.attention(self.norm1(x)).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, w))
        return x + self.mlp(self.norm2(x))


def transformer() -> tuple[nn.Module, Callable[[int], tuple[Any, ...]]]:
    model = nn.Sequential(*(Block(64) for _ in range(4)), nn.Linear(64, 10))
    return model, lambda size: (torch.randn(size, 16, 64, device=DEVICE),)


def convolutions() -> tuple[nn.Module, Callable[[int], tuple[Any, ...]]]:
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(32, 10),
    )  # fmt: skip
    return model, lambda size: (torch.randn(size, 3, 32, 32, device=DEVICE),)


class Broken(nn.Module):
    """Prints and looks at values on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(32, 32), nn.Linear(32, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x).relu()
        scale = x.abs().max().item()
        if scale > 1e-3:
            x = x / scale
        return self.second(x)


def broken() -> tuple[nn.Module, Callable[[int], tuple[Any, ...]]]:
    return Broken(), lambda size: (torch.randn(size, 32, device=DEVICE),)


PROGRAMS: dict[str, Callable[[], tuple[nn.Module, Callable[[int], tuple[Any, ...]]]]] = {
    "transformer": transformer,
    "convolutions": convolutions,
    "breaks": broken,
}

WAYS: dict[str, dict[str, Any]] = {
    "eager": {"backend": "eager"},
    "aot_eager": {"backend": "aot_eager"},
    "inductor": {"backend": "inductor"},
    "reduce-overhead": {"backend": "inductor", "mode": "reduce-overhead"},
    "cudagraphs": {"backend": "cudagraphs"},
}


class Row(NamedTuple):
    program: str
    way: str
    precision: str
    training: str
    forward: str
    graphs: int
    breaks: int
    ratio: float


def precision(name: str) -> Any:
    return torch.autocast(DEVICE, dtype=torch.bfloat16) if name == "autocast bf16" else torch.enable_grad()


def close(left: torch.Tensor, right: torch.Tensor, name: str) -> bool:
    tolerance = {"rtol": 1e-3, "atol": 1e-3} if name == "float32" else {"rtol": 5e-2, "atol": 5e-2}
    return torch.allclose(left.float(), right.float(), **tolerance)


def step(model: nn.Module, call: Callable[..., Any], args: tuple[Any, ...], name: str) -> tuple[torch.Tensor, Any]:
    """One forward and backward pass: the output, and every gradient and buffer."""
    model.zero_grad()
    with precision(name):
        out = call(*args)
    out.float().pow(2).mean().backward()
    grads = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
    return out.detach().clone(), [*grads, *(b.clone() for b in model.buffers())]


def fresh(program: str, name: str) -> tuple[nn.Module, Callable[[int], tuple[Any, ...]]]:
    torch.manual_seed(0)
    model, inputs = PROGRAMS[program]()
    model = model.to(DEVICE)
    if name == "bfloat16":
        return model.bfloat16(), lambda size: tuple(arg.bfloat16() for arg in inputs(size))
    return model, inputs


def measure(program: str, way: str, name: str) -> Row:
    framelift.reset()
    (mine, inputs), (theirs, _) = fresh(program, name), fresh(program, name)
    compiled = framelift.compile(mine, **WAYS[way])
    trained = forward = True
    for size in (4, 4, 6, 8):
        args = inputs(size)
        out, state = step(mine, compiled, args, name)
        wanted, wanted_state = step(theirs, theirs, args, name)
        forward &= close(out, wanted, name)
        trained &= all(a is b or close(a, b, name) for a, b in zip(state, wanted_state, strict=True))
    args = inputs(4)
    with torch.no_grad(), precision(name) if name == "autocast bf16" else torch.no_grad():
        ratio = seconds(lambda: compiled(*args)) / seconds(lambda: theirs(*args))
    counted = framelift.counters()
    graphs = counted.get("graphs", {}).get("compiled", 0)
    breaks = sum(counted.get("graph_break", {}).values())
    shown = ["equal" if right else "DIFFERENT" for right in (trained, forward)]
    return Row(program, way, name, *shown, graphs, breaks, ratio)


def seconds(call: Callable[[], Any]) -> float:
    """The least time of a warm call, to its end on the device."""
    for _ in range(4):
        call()
    best = float("inf")
    for _ in range(10):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(10):
            call()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best


def rows(ways: list[str]) -> Iterator[Row]:
    for program in PROGRAMS:
        for way in ways:
            for name in ("float32", "autocast bf16", "bfloat16"):
                yield measure(program, way, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way", action="append", choices=list(WAYS))
    chosen = parser.parse_args().way or list(WAYS)
    if not torch.cuda.is_available():
        raise SystemExit("this benchmark needs a CUDA device")
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}, {torch.cuda.get_device_name()}\n")
    heads = ("program", "compiled with", "precision", "output", "gradients and buffers", "graphs", "breaks")
    print("| " + " | ".join(heads) + " | warm call / eager |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows(chosen):
        shown = (row.program, row.way, row.precision, row.forward, row.training, row.graphs, row.breaks)
        print("| " + " | ".join(map(str, shown)) + f" | {row.ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
