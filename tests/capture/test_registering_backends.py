"""Backends that register classes with abstract ones while they compile, as the first import of a library does."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sized
from typing import Any

import pytest
import torch

import framelift


class Plain:
    def __init__(self, factor: float) -> None:
        self.factor = factor


def scaled(x: torch.Tensor, by: Any) -> torch.Tensor:
    return x if isinstance(by, Mapping) else x * by.factor


def test_a_first_import_does_not_make_the_guards_refuse_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: lost.append(args.exc_value))
    graphs: list[Any] = []

    def backend(graph: torch.fx.GraphModule, examples: Any) -> Any:
        graphs.append(graph)
        if len(graphs) == 1:
            Sized.register(type("Imported", (), {}))
        return graph.forward

    f = framelift.compile(scaled, backend=backend)
    by = Plain(3.0)
    assert [f(torch.ones(2), by).tolist() for _ in range(3)] == [[3.0, 3.0]] * 3
    assert not lost
    assert len(graphs) == 2, "the second is there to stay"
