"""A stretch of the graph that becomes a graph of its own: the body of a branch, of a checkpoint, of a custom gradient.

The stretch is recorded where it stands, like everything else. Then its nodes are moved into a new graph, whose inputs
are the nodes outside that it uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from framelift.graph.recorder import GraphRecorder


def argument() -> Any:
    """Stands for an input of a subgraph while it is being recorded; never called."""
    raise AssertionError("an input of a subgraph was left in the graph")


class Region:
    """What is recorded from the making of this object to its end."""

    def __init__(self, recorder: GraphRecorder) -> None:
        self.recorder = recorder
        self.arguments: list[Node] = []
        self.nodes: list[Node] = []
        self._calls = recorder.calls
        self._before = recorder.graph._root.prev

    def argument(self, fake: Any) -> Node:
        """A node for an input that exists only inside."""
        node = self.recorder.graph.call_function(argument)
        node.meta["example_value"] = fake
        self.arguments.append(node)
        return node

    def end(self) -> None:
        """What is recorded from now on is not part of it."""
        node = self._before.next
        while node is not self.recorder.graph._root:
            if node.op != "placeholder" and node not in self.arguments:  # inputs of the whole graph stay where they are
                self.nodes.append(node)
            node = node.next

    def used(self, outputs: Iterable[Node] = ()) -> list[Node]:
        """The nodes outside that the inside uses, in the order of use."""
        inside = {*self.nodes, *self.arguments}
        found: dict[Node, None] = {}
        for node in self.nodes:
            found.update(dict.fromkeys(needed for needed in node.all_input_nodes if needed not in inside))
        found.update(dict.fromkeys(node for node in outputs if node not in inside))
        return list(found)

    def graph_module(self, inputs: list[Node], outputs: list[Node | None]) -> GraphModule:
        """A module that does what was recorded. It takes the arguments, then what the nodes of `inputs` give."""
        graph = Graph()
        moved: dict[Node, Node] = {}
        for node in [*self.arguments, *inputs]:
            moved[node] = graph.placeholder(node.name)
            moved[node].meta.update(node.meta)
        for node in self.nodes:
            moved[node] = graph.node_copy(node, moved.__getitem__)
        graph.output(tuple(None if node is None else moved[node] for node in outputs))
        return self.recorder.module(graph)

    def take_out(self) -> None:
        """Remove what was moved."""
        for node in reversed([*self.arguments, *self.nodes]):
            self.recorder.graph.erase_node(node)
        self.recorder.calls = self._calls
        self.recorder.forget_numbers(self.nodes)


def attach(recorder: GraphRecorder, module: torch.nn.Module, name: str) -> Node:
    """The node by which a graph refers to a module of its own."""
    unique = f"{name}_{len(recorder.modules)}"
    recorder.modules[unique] = module
    node = recorder.graph.get_attr(unique)
    node.meta["example_value"] = module
    return node
