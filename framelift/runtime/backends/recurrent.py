"""LSTMs that learn, behind AOTAutograd.

PyTorch takes an LSTM on the CPU apart into oneDNN's layers when its input needs no gradient, also when its weights do;
the layers then leave out what their backward pass needs, and the call fails. Without oneDNN it is taken apart into
cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.fx import GraphModule, Node


@contextmanager
def learning(module: GraphModule) -> Iterator[None]:
    """While a backend traces this graph, its LSTMs are taken apart so that they can be differentiated."""
    if not any(_is_learning(node) for node in module.graph.nodes):
        yield
        return
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)


def _is_learning(node: Node) -> bool:
    if node.op != "call_function" or getattr(node.target, "__name__", "") != "lstm":
        return False
    values = (given.meta.get("example_value") for given in node.all_input_nodes)
    return any(isinstance(value, torch.Tensor) and value.requires_grad for value in values)
