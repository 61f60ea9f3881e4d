"""Models of `transformers`, made from configurations: small, and with random weights."""

from __future__ import annotations

import importlib
import sys

import pytest

try:
    importlib.import_module("torchvision")
except Exception:
    sys.modules["torchvision"] = None  # type: ignore[assignment]  # one made for another PyTorch is as good as none

pytest.importorskip("transformers")
