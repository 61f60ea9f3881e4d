"""Objects that outlast the call: what a capture made and guards are about; what a call leaves on what it was given."""

from __future__ import annotations

import gc
import traceback
import typing
import weakref
from typing import Optional

import pytest
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


class Sized:
    def __init__(self, size):
        self.size = size


def test_the_object_behind_a_proxy_dies_when_the_program_lets_go_of_it():
    held = [Sized(2)]
    proxy = weakref.proxy(held[0])

    def scaled(x):
        return x * proxy.size

    compiled = framelift.compile(scaled, backend=lambda graph, examples: graph.forward)
    assert compiled(torch.ones(1)).item() == compiled(torch.ones(1)).item() == 2
    assert not framelift.counters()["graph_break"]
    held.clear()
    with pytest.raises(ReferenceError):
        compiled(torch.ones(1))
    held.append(Sized(5))
    proxy = weakref.proxy(held[0])
    assert compiled(torch.ones(1)).item() == 5


def test_an_object_seen_before_a_break_dies_when_the_program_lets_go_of_it():
    held = {"a": Sized(1)}
    found = weakref.WeakKeyDictionary({held["a"]: 5})
    other = Sized(3)

    def looked_up(x):
        return x + found.get(other, 7)

    assert framelift.compile(looked_up, backend=lambda graph, examples: graph.forward)(torch.ones(1)).item() == 8
    held.clear()
    assert not found
