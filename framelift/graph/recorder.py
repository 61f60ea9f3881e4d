"""Records tensor operations as a torch.fx graph while running them on fake tensors.

Every operation is recorded and, at once, run on fakes to learn what its result looks like. What a fake run cannot tell
(a value that depends on data) surfaces as an exception for the caller to turn into a graph break.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx import Graph, GraphModule, Node


class GraphRecorder:
    """One graph in the making."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.mode = FakeTensorMode()
        self.examples: list[torch.Tensor] = []
        self.calls = 0
        self._last_input: Node | None = None

    def input(self, tensor: torch.Tensor, name: str) -> tuple[Node, FakeTensor]:
        """A new placeholder for a real tensor, and the fake that stands for it."""
        fake = self.mode.from_tensor(tensor, static_shapes=True)
        with self._inputs_end():
            node = self.graph.placeholder(name)
        self._last_input = node
        node.meta["example_value"] = fake
        self.examples.append(tensor)
        return node, fake

    def call(
        self,
        kind: str,
        target: Any,
        node_args: tuple[Any, ...],
        node_kwargs: dict[str, Any],
        run: Callable[[], Any],
    ) -> tuple[Node, Any]:
        """Record a call and give its node and its result on fakes. Nothing is recorded if the fake run raises."""
        with self.mode:
            result = run()
        node = self.graph.create_node(kind, target, node_args, node_kwargs)
        node.meta["example_value"] = result
        self.calls += 1
        return node, result

    def item(self, node: Node, index: int, fake: Any) -> Node:
        """The node of one part of a result with several."""
        part = self.graph.call_function(operator.getitem, (node, index))
        part.meta["example_value"] = fake
        return part

    def forget(self, node: Node) -> None:
        """Take back a call whose result turned out to be a plain Python value."""
        self.graph.erase_node(node)
        self.calls -= 1

    def finish(self, outputs: list[Node]) -> GraphModule:
        """The graph with these outputs."""
        self.graph.output(tuple(outputs))
        return GraphModule(torch.nn.Module(), self.graph)

    def _inputs_end(self) -> Any:
        if self._last_input is not None:
            return self.graph.inserting_after(self._last_input)
        first = next(iter(self.graph.nodes), None)
        return self.graph.inserting_before(first)
