"""Objects of unknown kinds that every call makes anew: no entry can be for one of them."""

from __future__ import annotations

import contextvars
import datetime as dt
import decimal

import pytest
import torch

import framelift

X = torch.ones(2)

MAKERS = {
    "bytearray": lambda: bytearray(3),
    "decimal": lambda: decimal.Decimal("1.5"),
    "date": dt.datetime.now,
    "object": object,
    "context": contextvars.copy_context,
    "token": lambda: contextvars.ContextVar("anew").set(1),
    "set": lambda: {object(), object()},
}


@pytest.mark.parametrize("name", MAKERS)
def test_no_more_entries_after_a_few_calls(name, caplog):
    make = MAKERS[name]

    def program(x):
        y = x + 1
        made = make()
        framelift.graph_break()
        y = y * 2
        known = made in ("a", made)
        return y, made, known

    graphs = []
    framelift.reset()
    compiled = framelift.compile(program, backend=lambda graph, examples: graphs.append(graph) or graph.forward)
    counts = []
    made = []
    for _ in range(14):
        result, last, known = compiled(X)
        assert torch.equal(result, X * 4) and known
        made.append(last)
        counts.append(len(graphs))
    assert len(set(map(id, made))) == 14 and set(map(type, made)) == {type(make())}
    assert counts[-1] == counts[-4]
    assert not caplog.records  # the limit of recompiling was not reached
    framelift.reset()
