"""PyTorch's own lists of what to test. Importing them forbids to set flags of `torch.backends` in the whole process."""

from __future__ import annotations

from typing import Any

import pytest
import torch

_FLAG = "__allow_nonbracketed_mutation_flag"
_variables: dict[str, Any] = torch.backends.flags_frozen.__globals__


def part(name: str) -> Any:
    """A module of `torch.testing._internal`; whoever asks for it is skipped if it cannot be imported."""
    allowed = _variables[_FLAG]
    try:
        return pytest.importorskip(f"torch.testing._internal.{name}")
    finally:
        _variables[_FLAG] = allowed
