"""The models that `zoo.py` has of its own. A case whose library is not installed is left out.

`build(compile)` makes a program anew, with `compile` applied to whatever in it is to be compiled; for the eager side
that does nothing. A folder with cases of the same form, in a module `core` that has `load_all()`, can be added.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from benchmarks.models import libraries

Compile = Callable[[Any], Any]


@dataclass
class Built:
    """A program: what to call, with what, and what else to compare afterwards."""

    call: Callable[..., Any]
    inputs: Callable[[int, int], tuple[tuple[Any, ...], dict[str, Any]]]
    """Arguments for a batch size and a seed."""
    state: Callable[[], Any] | None = None


@dataclass
class Case:
    """How a program is made."""

    name: str
    family: str
    build: Callable[[Compile], Built]
    grad: bool = False
    batches: tuple[int, int, int] = (2, 3, 5)
    rtol: float = 1e-4
    atol: float = 1e-5


CASES: dict[str, Case] = {}


def case(name: str, family: str, **more: Any) -> Callable[[Callable[[Compile], Built]], Callable[[Compile], Built]]:
    """Enter a case."""

    def enter(build: Callable[[Compile], Built]) -> Callable[[Compile], Built]:
        CASES[name] = Case(name, family, build, **more)
        return build

    return enter


def available(folder: str | None) -> dict[str, Any]:
    """All cases that can run here, those of a folder included."""
    found: dict[str, Any] = {name: made for name, made in CASES.items() if made.family in _installed()}
    if folder is not None:
        sys.path.insert(0, folder)
        found |= importlib.import_module("core").load_all()
    return found


@functools.cache
def _installed() -> frozenset[str]:
    families = {made.family for made in CASES.values()} - {"plain"}
    return frozenset({"plain", *(name for name in families if libraries.library(name) is not None)})


def images(*shape: int) -> Callable[[int, int], tuple[tuple[Any, ...], dict[str, Any]]]:
    """Inputs: one tensor of random numbers."""

    def inputs(batch: int, seed: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (torch.randn(batch, *shape, generator=torch.Generator().manual_seed(seed)),), {}

    return inputs


def token_ids(batch: int, seed: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return (libraries.tokens(batch, seed=seed),), {}


def training(model: nn.Module, compiled: Any, inputs: Any, loss_of: Callable[[Any], torch.Tensor]) -> Built:
    """Forward compiled, backward outside; gradients are compared."""

    def call(*args: Any, **kwargs: Any) -> Any:
        model.zero_grad(set_to_none=True)
        out = compiled(*args, **kwargs)
        loss_of(out).backward()
        return out

    return Built(call, inputs, lambda: {name: p.grad for name, p in model.named_parameters()})


@case("bert", "transformers")
def bert(compiled: Compile) -> Built:
    return Built(compiled(libraries.bert(4)), token_ids)


@case("llama", "transformers")
def llama(compiled: Compile) -> Built:
    return Built(compiled(libraries.llama(4)), token_ids)


@case("llama, training", "transformers", grad=True)
def llama_training(compiled: Compile) -> Built:
    model = libraries.llama(4).train()
    return training(model, compiled(model), token_ids, lambda out: out.logits.square().mean())


@case("resnet18", "timm")
def resnet(compiled: Compile) -> Built:
    model = libraries.library("timm").create_model("resnet18", num_classes=10).eval()
    return Built(compiled(model), images(3, 32, 32))


@case("vit_tiny", "timm")
def vit(compiled: Compile) -> Built:
    timm = libraries.library("timm")
    model = timm.create_model("vit_tiny_patch16_224", img_size=32, depth=4, num_classes=10).eval()
    return Built(compiled(model), images(3, 32, 32))


@case("mobilenet_v2", "torchvision")
def mobilenet(compiled: Compile) -> Built:
    model = libraries.library("torchvision.models").mobilenet_v2(num_classes=10).eval()
    return Built(compiled(model), images(3, 32, 32))


@case("lstm", "plain")
def lstm(compiled: Compile) -> Built:
    return Built(compiled(nn.LSTM(8, 16, num_layers=2, batch_first=True).eval()), images(6, 8))


@case("a whole training step", "plain", grad=True)
def training_step(compiled: Compile) -> Built:
    model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step(x: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad(set_to_none=True)
        loss = functional.cross_entropy(model(x), x.argmax(-1) % 4)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Built(compiled(step), images(8), lambda: dict(model.state_dict()))


@case("branches on data", "plain")
def branches(compiled: Compile) -> Built:
    first, second = nn.Linear(8, 8), nn.Linear(8, 8)

    def routed(x: torch.Tensor) -> torch.Tensor:
        for _ in range(3):
            x = first(x).tanh()
            if x.mean() > 0:
                x = second(x).relu()
        return x.softmax(-1)

    return Built(compiled(routed), images(8))


@case("a break three calls deep", "plain")
def deep(compiled: Compile) -> Built:
    layer = nn.Linear(8, 8)

    def innermost(x: torch.Tensor) -> float:
        return layer(x).sum().item()

    def inner(x: torch.Tensor) -> torch.Tensor:
        return layer(x) * innermost(x.relu())

    def outer(x: torch.Tensor) -> torch.Tensor:
        return inner(x.sin()) + layer(x)

    def program(x: torch.Tensor) -> torch.Tensor:
        return outer(x + 1).cos() * 2

    return Built(compiled(program), images(8))
