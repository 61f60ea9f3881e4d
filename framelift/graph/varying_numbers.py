"""One operator for operations with numbers that change from call to call, where backends make constants of numbers.

AOTAutograd looks into everything but operators. To this one the numbers are tensors; when it runs they are numbers, and
the operation is PyTorch's own. Its gradients come from running it again, random draws included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor


class Place(NamedTuple):
    """In arguments: which tensor, or which number, stands here."""

    is_number: bool
    number: int


class Operation(NamedTuple):
    """What is called, with places in the arguments, and numbers with which it was seen to work."""

    function: Callable[..., Tensor]
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]
    seen: tuple[float, ...]

    def __call__(self, tensors: Sequence[Tensor], numbers: Sequence[float]) -> Tensor:
        def given(part: Any) -> Any:
            if type(part) is Place:
                return (numbers if part.is_number else tensors)[part.number]
            return part

        found = self.function(*map(given, self.args), **{name: given(part) for name, part in self.kwargs})
        return found.clone() if any(found is tensor or found._base is tensor for tensor in tensors) else found


_OPERATIONS: dict[str, Operation] = {}


def declare(key: str, operation: Operation) -> None:
    """Make an operation known under a key, which tells of all of it but the numbers: backends keep it on the disk."""
    _OPERATIONS.setdefault(key, operation)


def _state_of(tensors: Sequence[Tensor]) -> Tensor:
    device = tensors[0].device
    state: Tensor = torch.get_rng_state() if device.type == "cpu" else torch.cuda.get_rng_state(device)
    return state


def _run(key: str, tensors: Sequence[Tensor], numbers: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    state = _state_of(tensors)
    return _OPERATIONS[key](tensors, [number.item() for number in numbers]), state


def _run_fake(key: str, tensors: Sequence[Tensor], numbers: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    operation = _OPERATIONS[key]
    size = _CPU_STATE if tensors[0].device.type == "cpu" else _CUDA_STATE
    return operation(tensors, operation.seen), torch.empty(size, dtype=torch.uint8, device="cpu")


_CPU_STATE, _CUDA_STATE = torch.get_rng_state().numel(), 16


def _run_backward(
    key: str, gradient: Tensor, tensors: Sequence[Tensor], numbers: Sequence[Tensor], state: Tensor
) -> list[Tensor]:
    """The gradients of all tensors of floats, in order."""
    device = tensors[0].device
    with torch.random.fork_rng([device] if device.type == "cuda" else []), torch.enable_grad():
        if device.type == "cuda":
            torch.cuda.set_rng_state(state, device)
        else:
            torch.set_rng_state(state)
        leaves = [tensor.detach().requires_grad_(_has_gradient(tensor)) for tensor in tensors]
        result = _OPERATIONS[key](leaves, [number.item() for number in numbers])
        asked = [leaf for leaf in leaves if leaf.requires_grad]
        found = torch.autograd.grad(result, asked, gradient, allow_unused=True, materialize_grads=True)
    return [torch.empty_like(leaf).copy_(part) for leaf, part in zip(asked, found, strict=True)]


def _run_backward_fake(
    key: str, gradient: Tensor, tensors: Sequence[Tensor], numbers: Sequence[Tensor], state: Tensor
) -> list[Tensor]:
    return [torch.empty_like(tensor) for tensor in tensors if _has_gradient(tensor)]


def _has_gradient(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    ctx.key, tensors, numbers = inputs
    ctx.count = len(tensors)
    ctx.save_for_backward(*tensors, *numbers, output[1])
    ctx.mark_non_differentiable(output[1])


def _differentiate(ctx: Any, gradient: Tensor, _: Any) -> tuple[Any, ...]:
    *kept, state = ctx.saved_tensors
    tensors, numbers = kept[: ctx.count], kept[ctx.count :]
    found = iter(WITH_NUMBERS_BACKWARD(ctx.key, gradient, tensors, numbers, state))
    return None, [next(found) if _has_gradient(tensor) else None for tensor in tensors], [None] * len(numbers)


_LIBRARY: Any = torch.library.Library("framelift", "DEF")  # type: ignore[no-untyped-call]
_TAGS = (torch.Tag.nondeterministic_seeded,)  # some draw: two calls are not one, and none is left out
_LIBRARY.define("with_numbers(str key, Tensor[] tensors, Tensor[] numbers) -> (Tensor, Tensor)", tags=_TAGS)
_LIBRARY.define(
    "with_numbers_backward(str key, Tensor gradient, Tensor[] tensors, Tensor[] numbers, Tensor state) -> Tensor[]"
)
_LIBRARY.impl("with_numbers", _run, "CompositeExplicitAutograd")
_LIBRARY.impl("with_numbers_backward", _run_backward, "CompositeExplicitAutograd")
torch.library.register_fake("framelift::with_numbers", _run_fake, lib=_LIBRARY)
torch.library.register_fake("framelift::with_numbers_backward", _run_backward_fake, lib=_LIBRARY)
torch.library.register_autograd("framelift::with_numbers", _differentiate, setup_context=_keep, lib=_LIBRARY)

WITH_NUMBERS = torch.ops.framelift.with_numbers.default
WITH_NUMBERS_BACKWARD = torch.ops.framelift.with_numbers_backward.default
