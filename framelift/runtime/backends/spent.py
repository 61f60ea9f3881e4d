"""Outputs of a graph that nothing can be differentiated through any more.

A training step computes gradients inside of its graph and gives the loss back. What autograd kept for the loss is
spent by then: a second `backward` through it is an error. AOTAutograd would make it nevertheless, since it
differentiates whatever leaves a graph. So such outputs leave detached, and behind the compiled graph they get a history
that ends in the error which a second `backward` ends in without a graph.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

Compiled = Callable[..., Any]


def compiled_without(module: GraphModule, compile_graph: Callable[[GraphModule], Compiled]) -> Compiled:
    """Compile a graph with its spent outputs detached; what is given back attaches them again."""
    errors = _spent(module)
    if not errors:
        return compile_graph(module)
    compiled = compile_graph(_detached(module, errors))

    def run(*args: Any) -> tuple[Any, ...]:
        results = compiled(*args)
        return tuple(_attached(result, errors.get(i)) for i, result in enumerate(results))

    return run


def _spent(module: GraphModule) -> dict[int, str]:
    """For each output that cannot be differentiated: what autograd says when one tries."""
    graph = module.graph
    if not graph.find_nodes(op="call_function", target=torch.autograd.grad):
        return {}
    leaves = [
        value
        for node in graph.nodes
        if isinstance(value := node.meta.get("example_value"), torch.Tensor)
        and value.requires_grad
        and (node.op == "placeholder" or _is_leaf(value))  # one that is made inside
    ]
    errors = {}
    for i, output in enumerate(_outputs(graph)):
        result = output.meta.get("example_value") if isinstance(output, Node) else None
        if isinstance(result, torch.Tensor) and result.requires_grad and result.grad_fn is not None:
            try:
                with getattr(result, "fake_mode", nullcontext()):  # hooks of the program may be called
                    start = torch.ones_like(result)
                    torch.autograd.grad(result, leaves, start, retain_graph=True, allow_unused=True)
            except RuntimeError as error:
                errors[i] = str(error)
    return errors


def _is_leaf(value: torch.Tensor) -> bool:
    try:
        return value.is_leaf
    except RuntimeError:  # a view made without gradients of a tensor that was changed since must not be asked
        return False


def _outputs(graph: Graph) -> Any:
    return graph.output_node().args[0]


def _detached(module: GraphModule, spent: dict[int, str]) -> GraphModule:
    found = Graph()
    copies: dict[Node, Node] = {}
    found.graph_copy(module.graph, copies)
    outputs = [copies[node] if isinstance(node, Node) else node for node in _outputs(module.graph)]
    for i in spent:
        outputs[i] = found.call_method("detach", (outputs[i],))
    found.output(tuple(outputs))
    return GraphModule(module, found)


def _attached(result: Any, error: str | None) -> Any:
    if error is None:
        return result
    with torch.enable_grad():
        return _Spent.apply(torch.empty(0, requires_grad=True), result, error)  # type: ignore[no-untyped-call]


class _Spent(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, leaf: torch.Tensor, result: torch.Tensor, error: str) -> torch.Tensor:
        ctx.error = error
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        raise RuntimeError(ctx.error)
