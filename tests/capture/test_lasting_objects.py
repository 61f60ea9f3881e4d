"""Objects that outlast the call: what a capture made and guards are about; what a call leaves on what it was given."""

from __future__ import annotations

import gc
import traceback
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


def raised_and_caught(x, error):
    try:
        raise error
    except ValueError:
        x = x + 1
    return x * 2


def test_tracebacks_of_exceptions_that_existed_before():
    compiled = framelift.compile(raised_and_caught, backend="eager", fullgraph=True)
    for call in (raised_and_caught, compiled, compiled):
        error = ValueError("mine")
        call(torch.ones(2), error)
        assert [frame.name for frame in traceback.extract_tb(error.__traceback__)] == ["raised_and_caught"]
        call(torch.ones(2), error)
        assert len(traceback.extract_tb(error.__traceback__)) == 2
