"""`torch.func`: vmap, grad, jvp and what is built of them.

A transform's Python code is traced. The levels it enters are entered for real, around the fakes, and in the graph. What
cannot be captured inside of one is a break at the call of the transform: nothing ever breaks in the middle of a level.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._C import _functorch
from torch._functorch import apis, eager_transforms, predispatch
from torch._functorch import vmap as vmapping

from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.models.symbols import takes_symbols
from framelift.models.torch_modes import constants, sets
from framelift.values.base import Raised, Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

_function: Any


class _Leave:
    """Takes back the entering of a level."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function

    def __call__(self) -> None:
        self.function()


def _levels(enter: Any, leave: Any, *leave_args: str) -> None:
    """Declare a pair of functions that enter and leave a level."""
    takes_symbols(enter)  # how many there are of what is mapped over

    @model(enter)
    def entering(m: Tracer, *args: Value) -> Value:
        nodes = tuple(torch_ops.argument(m, arg) for arg in args)
        real = [arg.sym if isinstance(arg, SymbolValue) else constants(enter, (arg,))[0] for arg in args]
        result = m.constant(m.recorder.call("call_function", enter, nodes, {}, lambda: enter(*real))[1])
        assert isinstance(result, Known)
        m.undo.append(_Leave(lambda: leave(**dict.fromkeys(leave_args, result.obj))))
        return result

    @model(leave)
    def leaving(m: Tracer, *args: Value, **kwargs: Value) -> Value:
        entered = next(undo for undo in reversed(m.undo) if isinstance(undo, _Leave))
        m.undo.remove(entered)
        keywords = {name: value.obj for name, value in kwargs.items() if isinstance(value, Known)}
        _, result = m.recorder.call("call_function", leave, (), keywords, lambda: leave(**keywords))
        return m.constant(result)


def _function_named(name: str) -> Any:
    """A function that stands in different places in different versions of PyTorch."""
    places = (predispatch, _functorch, torch._C, torch._VF)
    return next(getattr(place, name) for place in places if hasattr(place, name))


_levels(_function_named("_vmap_increment_nesting"), _function_named("_vmap_decrement_nesting"))
_levels(_functorch._grad_increment_nesting, _functorch._grad_decrement_nesting)
_levels(_function_named("_jvp_increment_nesting"), _function_named("_jvp_decrement_nesting"))
_levels(_function_named("_enter_dual_level"), _function_named("_exit_dual_level"), "level")

sets(torch._C._set_fwd_grad_enabled, torch._C._is_fwd_grad_enabled)
sets(_functorch.set_inplace_requires_grad_allowed, _functorch.get_inplace_requires_grad_allowed)


def _operation(function: Any) -> None:
    """Declare a function of tensors."""
    takes_symbols(function)

    @model(function)
    def call(m: Tracer, *args: Value, **kwargs: Value) -> Value:
        return torch_ops.call(m, function, list(args), kwargs)


for _name in ("_add_batch_dim", "_remove_batch_dim", "_unwrap_for_grad", "_make_dual", "_unpack_dual"):
    _operation(_function_named(_name))
for _function in (
    _functorch._wrap_for_grad, _functorch.get_unwrapped, _functorch.unwrap_if_dead,
    eager_transforms._set_tensor_requires_grad,
):  # fmt: skip
    _operation(_function)


def _question(function: Any) -> None:
    """Declare a question about a tensor or the levels, which the fakes can answer."""

    @model(function)
    def ask(m: Tracer, *args: Value) -> Value:
        real = [arg.fake if isinstance(arg, TensorValue) else constants(function, (arg,))[0] for arg in args]
        return m.constant(function(*real))


for _function in (
    _functorch.is_batchedtensor, _functorch.is_functorch_wrapped_tensor, _functorch.is_gradtrackingtensor,
    _functorch.is_legacy_batchedtensor, _functorch.maybe_get_bdim, _functorch.maybe_get_level,
    _functorch.maybe_current_level, _functorch.get_dynamic_layer_stack_depth,
    _functorch.is_functionaltensor, torch._C._are_functorch_transforms_active,
):  # fmt: skip
    _question(_function)


@model(predispatch.lazy_load_decompositions)
def load_decompositions(m: Tracer) -> Value:
    """Once in a process, and only adds to what PyTorch knows."""
    predispatch.lazy_load_decompositions()
    return NONE


def _whole(function: Any) -> None:
    """Declare a transform: traced to its end, in one instruction of the program."""

    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        depth = _functorch.get_dynamic_layer_stack_depth()
        try:
            return m.inline(function, list(args), kwargs)
        except Raised as raised:
            if depth != _functorch.get_dynamic_layer_stack_depth():
                raise Break(UNKNOWN_OPERATION, f"a {raised.value.cls.__name__} raised inside of torch.func") from None
            raise


for _function in (
    vmapping.vmap_impl, eager_transforms.grad_impl, eager_transforms.grad_and_value_impl,
    eager_transforms._vjp_with_argnums, eager_transforms._jvp_with_argnums,
):  # fmt: skip
    _whole(_function)


def _refused(*functions: Any) -> None:
    for function in functions:

        def refuse(m: Tracer, /, *args: Value, function: Any = function, **kwargs: Value) -> Value:
            raise Break(UNKNOWN_OPERATION, f"torch.func.{function.__name__}")

        model(function)(refuse)


_refused(eager_transforms.functionalize, eager_transforms.linearize, apis.chunk_vmap)
