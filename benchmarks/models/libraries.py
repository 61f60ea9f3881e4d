"""Libraries of models that may be installed or not, and small models made from their configs, with random weights."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from typing import Any

import torch

os.environ.setdefault("HF_HUB_OFFLINE", "1")

VOCABULARY = 100


def library(name: str) -> Any:
    """A library, or None where it is not installed."""
    _make_torchvision_importable()
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@functools.cache
def _make_torchvision_importable() -> torch.library.Library | None:
    """Where its compiled operators do not load beside this torch, torchvision misses two when it is imported."""
    try:
        importlib.import_module("torchvision")
    except ImportError:
        return None
    except RuntimeError:
        operators = torch.library.Library("torchvision", "DEF")
        for operator in ("nms", "qnms"):
            operators.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return operators  # which go when it does
    return None


def bert(layers: int = 12) -> torch.nn.Module:
    """A tiny BERT."""
    transformers = library("transformers")
    config = transformers.BertConfig(
        hidden_size=64,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=128,
        vocab_size=VOCABULARY,
    )
    return transformers.BertModel(config).eval()


def llama(layers: int = 16) -> torch.nn.Module:
    """A tiny Llama."""
    transformers = library("transformers")
    config = transformers.LlamaConfig(
        hidden_size=64,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        intermediate_size=128,
        vocab_size=VOCABULARY,
        use_cache=False,
    )
    return transformers.LlamaForCausalLM(config).eval()


MODELS: dict[str, tuple[Callable[[int], torch.nn.Module], int]] = {
    "12-layer BERT": (bert, 12),
    "16-layer Llama": (llama, 16),
}


def tokens(batch: int = 2, length: int = 16, seed: int = 0) -> torch.Tensor:
    """Input for a language model."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(3, VOCABULARY, (batch, length), generator=generator)
