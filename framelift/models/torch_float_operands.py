"""Operations with floats that vary, for backends that take nothing but tensors: the float becomes a tensor.

PyTorch converts a number to the dtype of the tensors it meets, and where it calculates with half precision, to the one
it calculates in. So does this. What takes a tensor where a number can stand is called with it, other operations are
made of such (in Python, to be traced).
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from framelift.models import torch_varying_numbers
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

Function = Callable[..., Any]
_HALF = (torch.float16, torch.bfloat16)


class Way(NamedTuple):
    """How an operation is done: by which function, and whether in the precision that PyTorch calculates in."""

    function: Any
    wide: bool = True
    in_place: bool = False
    converts: bool = True  # the number to the dtype of tensors; else it does so itself
    of_floats: bool = False  # with tensors of ints it does something else
    rounds: bool = False  # the number is first rounded to the dtype of tensors, where these are on the CPU


def call(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of an operation with floats that vary; None if they have to be constants."""
    given_all = (*args, *kwargs.values())
    if not any(_varies(m, arg) for arg in given_all) or "out" in kwargs:
        return None
    whole = torch_varying_numbers.call(m, function, args, kwargs)
    if whole is not None or any(map(_is_true, given_all)):
        return whole
    try:
        way = WAYS.get(function)
    except TypeError:
        return None
    if way is None:
        in_python = isinstance(function, types.FunctionType) and function.__module__ == functional.__name__
        return m.inline(function, args, kwargs) if in_python else None
    if function is operator.truediv and _varies(m, args[0]):
        return m.binary("*", m.call(Known(torch.reciprocal), [args[1]]), args[0])  # as tensors do it
    if isinstance(way, Loop):
        return m.call(Known(_in_turn), [Known(way.function), *args], kwargs)
    return _with_tensors(m, way, args, kwargs)


def _with_tensors(m: Tracer, way: Way, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result with tensors in place of the floats, of the dtype that eager gives it."""
    tensors = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, TensorValue)]
    if (way.in_place or way.of_floats) and not (tensors and _is_real(tensors[0])):
        return None
    kind = _kind(tensors)
    wide = torch.float32 if way.wide and kind in _HALF and not _varies(m, args[0]) else kind
    scalar = wide.to_real() if wide.is_complex else wide

    def given(arg: Value) -> Value:
        if _varies(m, arg):
            assert isinstance(arg, SymbolValue)
            found: Value = TensorValue(*m.recorder.float_tensor(arg.sym), torch.Tensor)
            if way.rounds and wide is not kind and tensors[0].fake.device.type == "cpu":
                found = m.call(Known(torch.Tensor.to), [found, Known(kind)])
            return m.call(Known(torch.Tensor.to), [found, Known(scalar)]) if way.converts else found
        if wide is not kind and isinstance(arg, TensorValue) and arg.fake.dtype in _HALF:
            return m.call(Known(torch.Tensor.to), [arg, Known(wide)])
        return arg

    result = m.call(
        Known(way.function), [given(arg) for arg in args], {name: given(arg) for name, arg in kwargs.items()}
    )
    if isinstance(result, TensorValue) and result.fake.dtype is wide and wide is not kind:
        result = m.call(Known(torch.Tensor.to), [result, Known(kind)])
    return m.call(Known(torch.Tensor.copy_), [tensors[0], result]) if way.in_place else result


def _varies(m: Tracer, value: Value) -> bool:
    return isinstance(value, SymbolValue) and m.recorder.must_be_constant(value.sym)


def _is_true(value: Value) -> bool:
    """Perhaps it is asked to work in place."""
    return isinstance(value, Known) and value.obj is True


def _is_real(tensor: TensorValue) -> bool:
    return bool(tensor.fake.is_floating_point() or tensor.fake.is_complex())


def _kind(tensors: list[TensorValue]) -> torch.dtype:
    """The dtype of what comes of these and a float; masks do not count."""
    kinds = [tensor for tensor in tensors if _is_real(tensor)]
    found = torch.get_default_dtype()
    if not kinds:
        return found
    first: torch.dtype = kinds[0].fake.dtype
    for tensor in kinds[1:]:
        first = torch.result_type(torch.empty(kinds[0].fake.dim() and 1, dtype=first), tensor.fake)
    return first


def _words(text: str) -> list[str]:
    return text.split()


# What takes tensors in place of numbers

_ARITHMETIC = _words("mul multiply div divide true_divide floor_divide")
_ROUNDED = _words("remainder fmod pow xlogy copysign")  # which convert the number first
_COMPARISONS = _words("gt greater ge greater_equal lt less le less_equal eq ne not_equal")
_FILLING = _words("masked_fill index_fill")


def _operator(name: str) -> Function:
    found: Function = getattr(operator, name)
    return found


def _add(input: Any, other: Any, *, alpha: Any = 1) -> Any:  # noqa: A002
    return input + other * alpha


def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:  # noqa: A002
    return input - other * alpha


def _rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:  # noqa: A002
    return other - input * alpha


def _addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:  # noqa: A002
    return input + value * tensor1 * tensor2


def _addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:  # noqa: A002
    return input + value * tensor1 / tensor2


def _product(input: Any, left: Any, right: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:  # noqa: A002
    product = alpha * torch.matmul(left, right)
    return product if not isinstance(beta, torch.Tensor) and beta == 0 else beta * input + product


def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002
    """By comparisons: unlike bounds, their operands may be on the CPU when the tensor is not."""
    made = input if min is None else torch.where(input < min, min, input)
    return made if max is None else torch.where(made > max, max, made)


def _clamp_least(input: Any, min: Any) -> Any:  # noqa: A002
    return torch.where(input < min, min, input)


def _clamp_most(input: Any, max: Any) -> Any:  # noqa: A002
    return torch.where(input > max, max, input)


def _lerp(input: Any, end: Any, weight: Any) -> Any:  # noqa: A002
    """From the nearer end, as PyTorch does it."""
    width = end - input
    return torch.where(weight < 0.5, input + weight * width, end - width * (1 - weight))


def _beside(number: Any, other: Any) -> Any:
    """A bound as a tensor if the other one is one."""
    if number is None or isinstance(number, torch.Tensor) or not isinstance(other, torch.Tensor):
        return number
    return torch.full((), number, dtype=other.dtype, device=other.device)


def _where(condition: Any, input: Any, other: Any) -> Any:  # noqa: A002
    return torch.where(condition, _beside(input, other), _beside(other, input))


# Making tensors


def _full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    kind = torch.get_default_dtype() if dtype is None else dtype
    made = torch.empty(size, dtype=kind, device=device).fill_(fill_value)
    return made.requires_grad_() if requires_grad else made


def _full_like(input: Any, fill_value: Any, **options: Any) -> Any:  # noqa: A002
    return torch.empty_like(input, **options).fill_(fill_value)


def _new_full(self: Any, size: Any, fill_value: Any, **options: Any) -> Any:
    return self.new_empty(size, **options).fill_(fill_value)


def _scalar_tensor(s: Any, *, dtype: Any = None, layout: Any = None, device: Any = None) -> Any:
    kind = torch.get_default_dtype() if dtype is None else dtype
    return s.to(kind) if device is None else s.to(device, kind)


def _linspace(start: Any, end: Any, steps: Any, **options: Any) -> Any:
    return torch.linspace(_beside(start, end), _beside(end, start), steps, **options)


def _normal(self: Any, mean: Any = 0.0, std: Any = 1.0) -> Any:
    return self.normal_().mul_(std).add_(mean)


def _uniform(self: Any, least: Any = 0.0, most: Any = 1.0) -> Any:
    return self.uniform_().mul_(most - least).add_(least)


def _index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:  # noqa: A002
    return torch.index_add(input, dim, index, source * alpha)


# Activations


def _leaky_relu(input: Any, negative_slope: Any = 0.01, inplace: Any = False) -> Any:  # noqa: A002
    return torch.where(input > 0, input, input * negative_slope)


def _threshold(input: Any, threshold: Any, value: Any, inplace: Any = False) -> Any:  # noqa: A002
    return torch.where(input <= threshold, value, input)


def _elu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:  # noqa: A002
    return torch.where(input > 0, input, alpha * torch.expm1(input.clamp(max=0)))


def _celu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:  # noqa: A002
    return torch.where(input > 0, input, alpha * torch.expm1(input.clamp(max=0) / alpha))


def _softplus(input: Any, beta: Any = 1.0, threshold: Any = 20.0) -> Any:  # noqa: A002
    scaled = input * beta
    large = scaled > threshold
    return torch.where(large, input, torch.log1p(torch.exp(torch.where(large, 0, scaled))) / beta)


def _hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> Any:  # noqa: A002
    return _clamp(input, min_val, max_val)


def _hardshrink(input: Any, lambd: Any = 0.5) -> Any:  # noqa: A002
    return torch.where(input.abs() <= lambd, 0, input)


class Loop(NamedTuple):
    """An operation on lists of tensors, as one on each of them."""

    function: Any


def _in_turn(function: Any, tensors: Any, *rest: Any, **options: Any) -> Any:
    lists = [part if isinstance(part, (list, tuple)) else [part] * len(tensors) for part in rest]
    made = [function(*parts, **options) for parts in zip(tensors, *lists, strict=True)]
    if function.__name__.endswith("_"):
        return made if _GIVES_BACK else None
    return tuple(made)


_negate: Any = torch._foreach_neg_
_GIVES_BACK = _negate([torch.zeros(1)]) is not None  # depends on the version


WAYS: dict[Any, Way | Loop] = {}


def _declare(
    names: list[str],
    function: Any = None,
    *,
    wide: bool = True,
    converts: bool = True,
    of_floats: bool = False,
    rounds: bool = False,
    places: Any = (torch, torch.Tensor),
) -> None:
    for name in names:
        for place in places:
            found = getattr(place, name, None)
            if found is not None:
                WAYS[found] = Way(function or found, wide, False, converts, of_floats, rounds)
            in_place = getattr(place, f"{name}_", None)
            if in_place is not None:
                WAYS[in_place] = Way(function or getattr(place, name), wide, True, converts, of_floats, rounds)


_declare(_ARITHMETIC)
_declare(_ROUNDED, wide=False)
_declare(["add"], _add, rounds=True)
_declare(["sub", "subtract"], _sub, rounds=True)
_declare(["rsub"], _rsub, rounds=True)
_declare(["lerp"], _lerp, of_floats=True)
_declare(["addcmul"], _addcmul, of_floats=True)
_declare(["addcdiv"], _addcdiv, of_floats=True)
_declare(["addmm", "baddbmm", "addmv"], _product, of_floats=True)
_declare(_COMPARISONS, wide=False)
_declare(_FILLING, wide=False, of_floats=True)
_declare(["where"], _where, wide=False, places=(torch,))
_declare(["clamp", "clip"], _clamp, wide=False)
_declare(["clamp_min"], _clamp_least, wide=False)
_declare(["clamp_max"], _clamp_most, wide=False)
_declare(["full"], _full, converts=False, places=(torch,))
_declare(["full_like"], _full_like, converts=False, places=(torch,))
_declare(["new_full"], _new_full, converts=False, places=(torch.Tensor,))
_declare(["scalar_tensor"], _scalar_tensor, converts=False, places=(torch,))
_declare(["leaky_relu"], _leaky_relu, of_floats=True, places=(functional,))
_declare(["elu"], _elu, of_floats=True, places=(functional,))
_declare(["celu"], _celu, of_floats=True, places=(torch, functional))
_declare(["threshold"], _threshold, of_floats=True, wide=False, places=(torch, functional))
_declare(["hardtanh"], _hardtanh, of_floats=True, wide=False, places=(functional,))
_declare(["softplus"], _softplus, of_floats=True, places=(functional,))
_declare(["hardshrink"], _hardshrink, of_floats=True, wide=False, places=(torch, torch.Tensor, functional))
_declare(["linspace"], _linspace, wide=False, places=(torch,))
_declare(["index_add"], _index_add, of_floats=True)
WAYS[torch.Tensor.normal_] = Way(_normal, wide=False, converts=False)
WAYS[torch.Tensor.uniform_] = Way(_uniform, wide=False, converts=False)
WAYS[operator.setitem] = WAYS[torch.Tensor.__setitem__] = Way(operator.setitem, wide=False)
WAYS[torch.Tensor.fill_] = Way(torch.Tensor.fill_, wide=False, of_floats=True)

for _name in ("add", "sub", "mul", "div", "pow", "addcmul", "addcdiv", "lerp", "clamp_min", "clamp_max"):
    WAYS[getattr(torch, f"_foreach_{_name}")] = Loop(getattr(torch.Tensor, _name))
    WAYS[getattr(torch, f"_foreach_{_name}_")] = Loop(getattr(torch.Tensor, f"{_name}_"))

for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _wide = _name in ("add", "sub", "mul", "truediv", "floordiv")
    _rounds = _name in ("add", "sub")
    WAYS[_operator(_name)] = Way(_operator(_name), _wide, rounds=_rounds)
    WAYS[_operator(f"i{_name}")] = Way(_operator(_name), _wide, in_place=True, rounds=_rounds)
for _name in ("gt", "ge", "lt", "le", "eq", "ne"):
    WAYS[_operator(_name)] = Way(_operator(_name), wide=False)
