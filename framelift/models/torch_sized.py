"""Operations that PyTorch does for one size only, made of others that take symbolic ones; in Python, to be traced."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from framelift.models.symbols import settled


def _above(row: Any, offset: Any) -> Any:
    """How many places of a square are on a diagonal or above it."""
    rest = row - offset if offset > 0 else row + offset - 1
    half = rest * (rest + 1) // 2
    return half if offset > 0 or offset == 0 else row * row - half


def _indices(mask: Any, count: Any, dtype: Any) -> Any:
    return torch.nonzero_static(mask, size=count).t().contiguous().to(dtype)


def triu_indices(
    row: Any, col: Any, offset: Any = 0, *, dtype: Any = torch.long, device: Any = None, layout: Any = torch.strided
) -> Any:
    if row != col or offset >= row or -offset >= row:
        return torch.triu_indices(settled(row), settled(col), offset, dtype=dtype, device=device)
    places = torch.arange(row, device=device)
    count = _above(row, offset) if offset != 0 else row * (row + 1) // 2
    return _indices(places[None, :] - places[:, None] >= offset, count, dtype)


def tril_indices(
    row: Any, col: Any, offset: Any = 0, *, dtype: Any = torch.long, device: Any = None, layout: Any = torch.strided
) -> Any:
    if row != col or offset >= row or -offset >= row:
        return torch.tril_indices(settled(row), settled(col), offset, dtype=dtype, device=device)
    places = torch.arange(row, device=device)
    count = _above(row, -offset) if offset != 0 else row * (row + 1) // 2
    return _indices(places[None, :] - places[:, None] <= offset, count, dtype)


def fftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    kind = torch.get_default_dtype() if dtype is None else dtype
    places = torch.arange(n, dtype=kind, device=device)
    made = torch.where(places >= (n + 1) // 2, places - n, places) * (1.0 / (n * d))
    return made.requires_grad_() if requires_grad else made


def rfftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    kind = torch.get_default_dtype() if dtype is None else dtype
    made = torch.arange(n // 2 + 1, dtype=kind, device=device) * (1.0 / (n * d))
    return made.requires_grad_() if requires_grad else made


def logspace(
    start: Any,
    end: Any,
    steps: Any,
    base: Any = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    kind = torch.get_default_dtype() if dtype is None else dtype
    if not kind.is_floating_point:
        return torch.logspace(start, end, settled(steps), base, dtype=kind, device=device)
    made = torch.pow(base, torch.linspace(start, end, steps, dtype=kind, device=device))
    return made.requires_grad_() if requires_grad else made


def vander(x: Any, N: Any = None, *, increasing: Any = False) -> Any:  # noqa: N803
    count = x.shape[-1] if N is None else N
    if count < 2:
        return torch.vander(x, count, increasing=increasing)
    powers = x.unsqueeze(-1).expand(*x.shape, count - 1).cumprod(-1)
    made = torch.cat([torch.ones_like(powers[..., :1]), powers], -1)
    return made if increasing else made.flip(-1)


def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:  # noqa: A002
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    if input.dim() != indices.dim():
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {input.dim()} dimensions for input, and {indices.dim()} dimensions for indices"
        )
    place = dim % input.dim()
    ours, theirs = list(input.shape), list(indices.shape)
    for index in range(input.dim()):
        if index != place and ours[index] != theirs[index]:
            ours[index] = theirs[index] = ours[index] if theirs[index] == 1 else theirs[index]
    return input.expand(ours).gather(place, indices.expand(theirs))


def affine_grid(theta: Any, size: Any, align_corners: Any = False) -> Any:
    if len(size) != 4 or not theta.is_floating_point():
        return functional.affine_grid(theta, [settled(part) for part in size], bool(align_corners))
    count, _, height, width = size

    def places(steps: Any) -> Any:
        if steps <= 1:
            return torch.zeros(steps, dtype=theta.dtype, device=theta.device)
        made = torch.linspace(-1, 1, steps, dtype=theta.dtype, device=theta.device)
        return made if align_corners else made * ((steps - 1) / steps)

    x, y = places(width)[None, :].expand(height, width), places(height)[:, None].expand(height, width)
    base = torch.stack([x, y, torch.ones_like(x)], -1).view(1, height * width, 3).expand(count, height * width, 3)
    return base.bmm(theta.transpose(1, 2)).view(count, height, width, 2)


def tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0) -> Any:  # noqa: A002
    """Into so many parts, the first of which are longer by one."""
    sections = indices_or_sections
    length, start, parts = input.shape[dim], 0, []
    for index in range(sections):
        size = (length + sections - 1 - index) // sections
        parts.append(input.narrow(dim, start, size))
        start = start + size
    return tuple(parts)


OF_NUMBERS: dict[Any, Any] = {
    torch.triu_indices: triu_indices,
    torch.tril_indices: tril_indices,
    torch.fft.fftfreq: fftfreq,
    torch.fft.rfftfreq: rfftfreq,
    torch.logspace: logspace,
    functional.affine_grid: affine_grid,
}
"""Which are given symbolic numbers."""

OF_SIZES: dict[Any, Any] = {
    torch.vander: vander,
    torch.take_along_dim: take_along_dim,
    torch.Tensor.take_along_dim: take_along_dim,
}
"""Which are given tensors of symbolic sizes."""
