"""Control flow as operations: `cond`, `while_loop`, `scan` and the like, with graphs for the functions they take."""

from __future__ import annotations

from typing import Any

import torch
from torch._higher_order_ops.scan import scan_op
from torch._higher_order_ops.while_loop import while_loop

from framelift.graph.subgraph import attach
from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.torch_regions import Body, parts
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.tensor import TensorValue


@model(torch._ops.HigherOrderOperator.__call__)
def other_operator(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    """Those without a model are left to Python."""
    raise Break(UNKNOWN_OPERATION, "a higher-order operator", *([self.obj.name()] if isinstance(self, Known) else []))


@model(torch.cond)
def cond(m: Tracer, pred: Value, true_fn: Value, false_fn: Value, operands: Value | None = None) -> Value:
    given = _items(m, operands)
    if not isinstance(pred, TensorValue):
        chosen = true_fn if m.truth(pred) else false_fn
        return m.call(chosen, given)

    def traced(branch: Value) -> Body:
        return Body(m, lambda _: m.call(branch, given))

    bodies = [traced(true_fn), traced(false_fn)]
    first, second = bodies
    if len(first.tensors) != len(second.tensors):
        raise Break(UNKNOWN_OPERATION, "torch.cond() with branches that give different things")
    inputs = list(dict.fromkeys(node for body in bodies for node in body.region.used(body.nodes)))
    modules = [body.region.graph_module(inputs, body.nodes) for body in bodies]
    for body in reversed(bodies):
        body.region.take_out()
    names = ("if_true", "if_false")
    attached = [attach(m.recorder, module, name) for module, name in zip(modules, names, strict=True)]
    result = torch_ops.call_nodes(m, torch.ops.higher_order.cond, [torch_ops.node_of(pred), *attached, tuple(inputs)])
    return first.rebuild(_several(m, result))


@model(while_loop)
def loop(m: Tracer, cond_fn: Value, body_fn: Value, carried_inputs: Value) -> Value:
    carried, rebuild = parts(m, carried_inputs)
    if not all(isinstance(item, TensorValue) for item in _items(m, carried_inputs)):
        raise Break(UNKNOWN_OPERATION, "while_loop() over something other than tensors")

    def traced(function: Value) -> Body:
        def run(body: Body) -> Value:
            inside: list[Value] = [body.argument(_like(m, tensor), tensor.cls) for tensor in carried]
            return m.call(function, _items(m, rebuild(inside)))

        return Body(m, run)

    m.use_symbols()  # PyTorch wants a place for symbols, though there may be none
    test, body = traced(cond_fn), traced(body_fn)
    if len(test.tensors) != 1:
        raise Break(DATA_DEPENDENT, "while_loop() with a condition that is no tensor")
    inputs = list(dict.fromkeys(node for part in (test, body) for node in part.region.used(part.nodes)))
    modules = [part.region.graph_module(inputs, part.nodes) for part in (test, body)]
    module = single(modules[0])
    for part in (body, test):
        part.region.take_out()
    attached = [attach(m.recorder, module, "goes_on"), attach(m.recorder, modules[1], "body")]
    start = tuple(torch_ops.node_of(tensor) for tensor in carried)
    result = torch_ops.call_nodes(m, torch.ops.higher_order.while_loop, [*attached, start, tuple(inputs)])
    return body.rebuild(_several(m, result))


@model(scan_op)
def scan(m: Tracer, combine_fn: Value, init: Value, xs: Value, additional_inputs: Value | None = None) -> Value:
    carried, given = _tensors(m, init), _tensors(m, xs)
    others = _items(m, additional_inputs)

    def run(body: Body) -> Value:
        inside: list[Value] = [body.argument(_like(m, tensor), tensor.cls) for tensor in carried]
        inside += [body.argument(_row(m, tensor), tensor.cls) for tensor in given]
        return m.call(combine_fn, [*inside, *others])

    m.use_symbols()
    body = Body(m, run)
    inputs = body.region.used(body.nodes)
    module = body.region.graph_module(inputs, body.nodes)
    body.region.take_out()
    nodes = [[torch_ops.node_of(tensor) for tensor in tensors] for tensors in (carried, given)]
    result: Value = torch_ops.call_nodes(m, scan_op, [attach(m.recorder, module, "combine"), *nodes, tuple(inputs)])
    return result


def _tensors(m: Tracer, values: Value) -> list[TensorValue]:
    items = _items(m, values)
    found = [item for item in items if isinstance(item, TensorValue)]
    if len(found) != len(items):
        raise Break(UNKNOWN_OPERATION, "scan() over something other than tensors")
    return found


def _row(m: Tracer, tensor: TensorValue) -> Any:
    with m.recorder.mode:
        return torch.empty_like(tensor.fake[0])


def single(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """The same graph, giving its only result as it is."""
    (output,) = module.graph.find_nodes(op="output")
    output.args = (output.args[0][0],)
    module.recompile()
    return module


def _like(m: Tracer, tensor: TensorValue) -> Any:
    with m.recorder.mode:
        return torch.empty_like(tensor.fake)


def _items(m: Tracer, operands: Value | None) -> list[Value]:
    if operands is None or (isinstance(operands, Known) and operands.obj is None):
        return []
    if not isinstance(operands, Sequence):
        raise Break(UNKNOWN_OPERATION, "operands that are no tuple")
    return operands.all(m)


def _several(m: Tracer, result: Value) -> list[Value]:
    return result.all(m) if isinstance(result, TupleValue | Sequence) else [result]
