"""What a capture made and guards are about lives as long as the entry, whoever else forgets it."""

from __future__ import annotations

import gc
import typing
from typing import Optional

import torch

import framelift


def annotated(x):
    kind = Optional["NobodyElseSaysThis"]  # noqa: F821
    return x + 1, typing.get_origin(kind) is typing.Union


def test_a_type_that_typing_forgets(capfd):
    compiles = 0

    def forgetful(module, examples):
        nonlocal compiles
        compiles += 1
        for forget in typing._cleanups:  # as happens when a backend is imported, which makes many others
            forget()
        gc.collect()
        return module

    compiled = framelift.compile(annotated, backend=forgetful, fullgraph=True)
    for n in range(3):
        x = torch.full((2,), float(n))
        result, is_union = compiled(x)
        assert torch.equal(result, x + 1) and is_union
    assert compiles == 1
    assert capfd.readouterr().err == ""
