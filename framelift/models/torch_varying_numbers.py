"""Operations that take numbers as they are, with numbers that vary, for backends that take nothing but tensors.

What can be calculated with tensors in place of the numbers is, by torch_float_operands.py. The rest is one operator to
such backends, graph/varying_numbers.py, so that there is one graph for all numbers: annealed dropout, for one.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import torch
from torch.nn import functional

from framelift.graph.derived import hint_of
from framelift.graph.varying_numbers import WITH_NUMBERS, Operation, Place, declare
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import ListValue, Sequence
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

_NAMES = """
dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout feature_dropout layer_norm rms_norm batch_norm
group_norm instance_norm uniform_ normal_ exponential_ bernoulli bernoulli_ scaled_dot_product_attention huber_loss
smooth_l1_loss cross_entropy margin_ranking_loss triplet_margin_loss cosine_embedding_loss hinge_embedding_loss
cosine_similarity pairwise_distance cdist rrelu pad quantile nanquantile nan_to_num logit isclose trapezoid float_power
gaussian_nll_loss log_normal_ cauchy_ multi_margin_loss renorm norm vector_norm pdist
"""

OPAQUE: frozenset[int] = frozenset(
    id(getattr(place, name))
    for name in _NAMES.split()
    for place in (torch, torch.Tensor, functional, torch.linalg)
    if hasattr(place, name)
)
"""On these a fake run with the number of this call tells of all numbers; one with a symbol would make it a constant."""


def call(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of such an operation; None if the numbers have to be constants."""
    if function is functional.batch_norm:
        return m.inline(_batch_norm, args, kwargs)
    drawn = _DRAWS.get(function)
    if drawn is not None:
        made = _as_operator(m, drawn, args, kwargs)
        return made and m.call(Known(torch.Tensor.copy_), [args[0], made])
    if id(function) not in OPAQUE or _changes(function, args, kwargs):
        return None
    if _is_autocast() and not function.__name__.endswith("dropout"):  # which autocast has nothing to do with
        return None
    return _as_operator(m, function, args, kwargs)


def _as_operator(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    found = _Arguments(m)
    given = [found.part(arg) for arg in args]
    named = {name: found.part(arg) for name, arg in kwargs.items()}
    if not found.fit or not found.tensors:
        return None
    operation = Operation(function, tuple(given), tuple(named.items()), tuple(found.seen))
    key = f"{function.__module__}.{function.__qualname__} {given} {named} #{len(m.recorder.graph.nodes)}"
    declare(key, operation)
    tensors, numbers = ListValue(list(found.tensors), list), ListValue(list(found.numbers), list)
    made = m.call(Known(WITH_NUMBERS), [Known(key), tensors, numbers])
    assert isinstance(made, Sequence)
    return made.at(m, 0)


def _drawing(name: str) -> Any:
    method = getattr(torch.Tensor, name)

    def draw(like: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        return method(torch.empty_like(like), *args, **kwargs)

    draw.__qualname__ = name
    return draw


_DRAWS = {
    getattr(torch.Tensor, name): _drawing(name)
    for name in ("bernoulli_", "exponential_", "cauchy_", "log_normal_", "geometric_")
}
"""What fills a tensor with random numbers, as what makes a new one of them."""


class _Arguments:
    """Arguments as an operation keeps them."""

    def __init__(self, m: Tracer) -> None:
        self.m = m
        self.fit = True  # whether it can
        self.tensors: list[TensorValue] = []
        self.numbers: list[TensorValue] = []
        self.seen: list[float] = []

    def part(self, value: Value) -> Any:
        if isinstance(value, TensorValue):
            self.tensors.append(value)
            return Place(is_number=False, number=len(self.tensors) - 1)
        if isinstance(value, SymbolValue) and self.m.recorder.must_be_constant(value.sym):
            self.numbers.append(TensorValue(*self.m.recorder.float_tensor(value.sym), torch.Tensor))
            self.seen.append(hint_of(value.sym))
            return Place(is_number=True, number=len(self.numbers) - 1)
        if isinstance(value, Known) and isinstance(value.obj, _PLAIN):
            return value.obj
        if isinstance(value, Sequence):
            parts = tuple(self.part(item) for item in value.all(self.m))
            self.fit &= not any(type(part) is Place for part in parts)
            return parts
        self.fit = False
        return None


_PLAIN = (int, float, str, type(None), torch.dtype, torch.Size)


def _changes(function: Any, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Whether it may change one of its arguments."""
    if function.__name__.endswith("_"):
        return True
    if function in (torch.batch_norm, torch.instance_norm, functional.instance_norm):
        statistics = args[3:5] if function is not functional.instance_norm else [*args[1:3], *kwargs.values()]
        return any(isinstance(arg, TensorValue) for arg in statistics) and any(
            isinstance(arg, Known) and arg.obj is True for arg in (*args, *kwargs.values())
        )
    where = _in_place(function)
    asked = kwargs.get("inplace", args[where] if where is not None and where < len(args) else Known(False))
    return not (isinstance(asked, Known) and asked.obj is False)


@cache
def _in_place(function: Any) -> int | None:
    """The index of the argument that asks for working in place."""
    try:
        names = list(inspect.signature(function).parameters)
    except ValueError:
        return None  # of PyTorch's native functions none has one
    return names.index("inplace") if "inplace" in names else None


def _is_autocast() -> bool:
    """Operators see nothing of it: it ends where a backend looks at the graph."""
    return torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda")


def _batch_norm(
    input: Any,  # noqa: A002
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-5,
) -> Any:
    """With the running statistics updated by other operations, which take numbers as tensors."""
    if not training:
        return torch.batch_norm(input, weight, bias, running_mean, running_var, False, 0.1, eps, _cudnn_enabled())
    functional._verify_batch_size(input.size())  # type: ignore[attr-defined]
    if running_mean is not None:
        with torch.no_grad():
            dims = [0, *range(2, input.dim())]
            var, mean = torch.var_mean(input.to(running_mean.dtype), dims)
            running_mean.mul_(1 - momentum).add_(mean * momentum)
            running_var.mul_(1 - momentum).add_(var * momentum)
    return torch.batch_norm(input, weight, bias, None, None, True, 0.1, eps, _cudnn_enabled())


def _cudnn_enabled() -> Any:
    return torch.backends.cudnn.enabled
