"""Compiling models and dropping them leaves memory where it was, and dropping a model frees its parameters."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import torch
from torch import nn

import framelift


def used() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Model(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).mean()


def one(width: int = 64, train: bool = True) -> list[weakref.ref]:
    model = Model(width)
    compiled = framelift.compile(model, backend="eager")
    loss = compiled(torch.ones(2, width))
    if train:
        loss.backward()
    return [weakref.ref(parameter) for parameter in model.parameters()]


def test_dropping_a_model_frees_its_parameters():
    for train in (False, True):
        references = one(train=train)
        gc.collect()
        assert [reference() for reference in references] == [None] * len(references)


def test_dropping_a_model_compiled_in_place_frees_its_parameters():
    def make() -> list[weakref.ref]:
        model = Model(8)
        with framelift.installed():
            model.compile(backend="eager")
        model(torch.ones(2, 8)).backward()
        return [weakref.ref(parameter) for parameter in model.parameters()]

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * len(references)


def test_dropping_an_optimizer_frees_its_state():
    def make() -> list[weakref.ref]:
        model = Model(8)
        optimizer = torch.optim.AdamW(model.parameters())
        step = framelift.compile(lambda: optimizer.step(), backend="eager")
        for _ in range(3):
            optimizer.zero_grad()
            model(torch.ones(2, 8)).backward()
            step()
        state = [value for entry in optimizer.state.values() for value in entry.values()]
        return [weakref.ref(tensor) for tensor in [*model.parameters(), *state]]

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * len(references)


def test_two_hundred_models():
    for _ in range(30):
        one(256)
    gc.collect()
    before = used()
    for _ in range(200):
        one(256)
    gc.collect()
    parameters = 200 * (256 * 256 + 256 + 257) * 4
    assert used() - before < parameters / 10
