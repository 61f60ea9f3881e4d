"""Window functions of a length that varies, as PyTorch computes them; in Python, to be traced."""

from __future__ import annotations

import math
from typing import Any

import torch

from framelift.models.symbols import settled


def _places(length: Any, periodic: Any, options: dict[str, Any]) -> Any:
    """The points of a window, of which a periodic one leaves out the last."""
    count = length + 1 if periodic else length
    kind = torch.get_default_dtype() if options["dtype"] is None else options["dtype"]
    return torch.arange(count, dtype=kind, device=options["device"]), count


def _ended(window: Any, length: Any, periodic: Any, requires_grad: Any) -> Any:
    made = window.narrow(0, 0, length) if periodic else window
    return made.requires_grad_() if requires_grad else made


def hamming(
    window_length: Any,
    periodic: Any = True,
    alpha: Any = 0.54,
    beta: Any = 0.46,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    if window_length < 2:
        return torch.hamming_window(
            settled(window_length), periodic, alpha, beta, dtype=dtype, device=device, requires_grad=requires_grad
        )
    places, count = _places(window_length, periodic, {"dtype": dtype, "device": device})
    window = places.mul_(math.pi * 2.0 / (count - 1)).cos_().mul_(-beta).add_(alpha)
    return _ended(window, window_length, periodic, requires_grad)


def hann(
    window_length: Any,
    periodic: Any = True,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    return hamming(window_length, periodic, 0.5, 0.5, dtype=dtype, device=device, requires_grad=requires_grad)


def blackman(
    window_length: Any,
    periodic: Any = True,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    if window_length < 2:
        return torch.blackman_window(
            settled(window_length), periodic, dtype=dtype, device=device, requires_grad=requires_grad
        )
    places, count = _places(window_length, periodic, {"dtype": dtype, "device": device})
    places = places.mul_(math.pi / (count - 1))
    window = places.mul(4).cos_().mul_(0.08) - places.mul(2).cos_().mul_(0.5) + 0.42
    return _ended(window, window_length, periodic, requires_grad)


def bartlett(
    window_length: Any,
    periodic: Any = True,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    if window_length < 2:
        return torch.bartlett_window(
            settled(window_length), periodic, dtype=dtype, device=device, requires_grad=requires_grad
        )
    places, count = _places(window_length, periodic, {"dtype": dtype, "device": device})
    window = places.mul_(2.0 / (count - 1))
    half = (count - 1) // 2 + 1
    falling = torch.arange(count, device=device) >= half
    return _ended(torch.where(falling, -window + 2, window), window_length, periodic, requires_grad)


def kaiser(
    window_length: Any,
    periodic: Any = True,
    beta: Any = 12.0,
    *,
    dtype: Any = None,
    layout: Any = torch.strided,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    if window_length < 2:
        return torch.kaiser_window(
            settled(window_length), periodic, beta, dtype=dtype, device=device, requires_grad=requires_grad
        )
    places, count = _places(window_length, periodic, {"dtype": dtype, "device": device})
    height = torch.sqrt(1 - (places * (2.0 / (count - 1)) - 1) ** 2) * beta
    window = torch.i0(height) / torch.i0(torch.full((), beta, dtype=places.dtype, device=device))
    return _ended(window, window_length, periodic, requires_grad)


WINDOWS: dict[Any, Any] = {
    torch.hann_window: hann,
    torch.hamming_window: hamming,
    torch.blackman_window: blackman,
    torch.bartlett_window: bartlett,
    torch.kaiser_window: kaiser,
}
