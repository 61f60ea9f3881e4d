"""`flex_attention`: the functions that change scores and masks become graphs on single numbers."""

from __future__ import annotations

from typing import Any

import torch
from torch._higher_order_ops.flex_attention import flex_attention
from torch.overrides import TorchFunctionMode

from framelift.graph.subgraph import attach
from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.torch_branches import single
from framelift.models.torch_regions import Body
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.tensor import TensorValue


class _IndexByTensors(TorchFunctionMode):
    """Where indices are tensors of one number: looking up, not asking for the numbers (traced)."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.__getitem__:
            index = args[1] if isinstance(args[1], tuple) else (args[1],)
            if all(isinstance(part, torch.Tensor) for part in index):
                return torch.ops.aten.index(args[0], list(index))
        return func(*args, **({} if kwargs is None else kwargs))


@model(flex_attention)
def attention(
    m: Tracer, query: Value, key: Value, value: Value, score_mod: Value, block_mask: Value, scale: Value, options: Value
) -> Value:
    if not isinstance(query, TensorValue) or not isinstance(block_mask, TupleValue):
        raise Break(UNKNOWN_OPERATION, "flex_attention() of something other than tensors")
    *blocks, mask_mod = block_mask.all(m)
    score, score_inputs = _function(m, "score", score_mod, query, with_score=True)
    mask, mask_inputs = _function(m, "mask", mask_mod, query, with_score=False)
    tensors = [torch_ops.argument(m, part) for part in (query, key, value)]
    described = (*(torch_ops.argument(m, part) for part in blocks), mask)
    args = [*tensors, score, described, _known(scale), _dict(m, options), tuple(score_inputs), tuple(mask_inputs)]
    result: Value = torch_ops.call_nodes(m, flex_attention, args)
    return result


def _function(m: Tracer, name: str, function: Value, query: TensorValue, with_score: bool) -> tuple[Any, list[Any]]:
    def run(body: Body) -> Value:
        with m.recorder.mode:
            device = query.fake.device
            score = torch.empty((), dtype=query.fake.dtype, device=device)
            score.requires_grad_(query.fake.requires_grad)
            places = [torch.empty((), dtype=torch.int, device=device) for _ in range(4)]
        fakes = [score, *places] if with_score else places
        m.function_modes.append(InstanceValue(_IndexByTensors))
        try:
            return m.call(function, [body.argument(fake, torch.Tensor) for fake in fakes])
        finally:
            m.function_modes.pop()

    body = Body(m, run)
    if not isinstance(body.result, TensorValue):
        raise Break(UNKNOWN_OPERATION, f"flex_attention() with a {name} function that gives no tensor")
    inputs = body.region.used(body.nodes)
    module = single(body.region.graph_module(inputs, body.nodes))
    body.region.take_out()
    return attach(m.recorder, module, f"{name}_mod"), inputs


def _known(value: Value) -> Any:
    if not isinstance(value, Known):
        raise Break(UNKNOWN_OPERATION, "flex_attention() with an option that is not constant")
    return value.obj


def _dict(m: Tracer, value: Value) -> dict[str, Any]:
    if not isinstance(value, DictValue):
        raise Break(UNKNOWN_OPERATION, "flex_attention() with options that are no dict")
    return {_known(name): _known(item) for name, item in value.items(m)}
