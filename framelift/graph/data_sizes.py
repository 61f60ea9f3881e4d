"""Which sizes of an operation's results depend on data: `nonzero` gives as many rows as it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._pytree import tree_map_only

from framelift.graph.derived import hint_of

Sizes = dict[str, tuple[int, ...]]
"""For a result, or an item of it as `[0]`, the dimensions whose sizes vary."""


def of_results(function: Callable[..., Any], args: Any, kwargs: Any) -> Sizes:
    """Which sizes depend on data, found by a run on tensors of the same shapes that are all constant."""
    env = ShapeEnv(allow_scalar_outputs=True, allow_dynamic_output_shape_ops=True)
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)
    try:
        args, kwargs = tree_map_only(FakeTensor, lambda fake: _constant(fake, mode), (args, kwargs))
        args, kwargs = tree_map_only(torch.SymInt, hint_of, (args, kwargs))
        with mode:
            return dict(varying(function(*args, **kwargs)))
    except Exception:  # noqa: BLE001 - only a hint, and PyTorch raises all kinds of things for want of data
        return {}


def _constant(fake: FakeTensor, mode: FakeTensorMode) -> FakeTensor:
    shape, stride = ([hint_of(number) for number in numbers] for numbers in (fake.shape, fake.stride()))
    with mode:
        made = torch.empty_strided(shape, stride, dtype=fake.dtype, device=fake.device)
    assert isinstance(made, FakeTensor)
    return made


def varying(result: Any) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Which sizes of a tensor, or of the tensors in a list or tuple, are symbolic."""
    if isinstance(result, list | tuple):
        for index, item in enumerate(result):
            for where, dims in varying(item):
                yield f"[{index}]{where}", dims
    elif isinstance(result, torch.Tensor) and result.layout is torch.strided:
        dims = tuple(dim for dim, size in enumerate(result.shape) if not _is_constant(size))
        if dims:
            yield "", dims


def _is_constant(size: Any) -> bool:
    return not isinstance(size, torch.SymInt) or size.node.maybe_as_int() is not None
