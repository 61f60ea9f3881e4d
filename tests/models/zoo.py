"""Small models of `transformers` and inputs for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers

SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 50}


def ids(*shape: int) -> torch.Tensor:
    return torch.randint(1, 49, shape, generator=torch.Generator().manual_seed(0))


def noise(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def text(model: Any) -> dict[str, Any]:
    found = ids(2, 7)
    return {"input_ids": found, "attention_mask": torch.ones_like(found), "labels": found}


def bert() -> tuple[Any, Any]:
    config = transformers.BertConfig(**SMALL, max_position_embeddings=32)
    return transformers.BertForMaskedLM(config), text


def gpt2() -> tuple[Any, Any]:
    config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=4, vocab_size=50, n_positions=64)
    return transformers.GPT2LMHeadModel(config), text


def llama() -> tuple[Any, Any]:
    config = transformers.LlamaConfig(**SMALL, num_key_value_heads=2, max_position_embeddings=64)
    return transformers.LlamaForCausalLM(config), text


def llama_without_cache() -> tuple[Any, Any]:
    model, inputs = llama()
    return model, lambda model: {**inputs(model), "use_cache": False}


def mixtral() -> tuple[Any, Any]:
    config = transformers.MixtralConfig(
        **SMALL, num_key_value_heads=2, num_local_experts=2, num_experts_per_tok=1, max_position_embeddings=64
    )
    return transformers.MixtralForCausalLM(config), text


def mamba() -> tuple[Any, Any]:
    config = transformers.MambaConfig(vocab_size=50, hidden_size=32, state_size=4, num_hidden_layers=2)
    found = ids(2, 7)
    return transformers.MambaForCausalLM(config), lambda model: {"input_ids": found, "labels": found}


def t5() -> tuple[Any, Any]:
    config = transformers.T5Config(
        vocab_size=50, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0
    )
    return transformers.T5ForConditionalGeneration(config), lambda model: {"input_ids": ids(2, 7), "labels": ids(2, 5)}


def vit() -> tuple[Any, Any]:
    config = transformers.ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=16, patch_size=4
    )
    model = transformers.ViTForImageClassification(config)
    return model, lambda model: {"pixel_values": noise(2, 3, 16, 16), "labels": torch.tensor([0, 1])}


def whisper() -> tuple[Any, Any]:
    config = transformers.WhisperConfig(
        vocab_size=50, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=8, max_source_positions=16,
        max_target_positions=16, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    )  # fmt: skip
    model = transformers.WhisperForConditionalGeneration(config)
    return model, lambda model: {"input_features": noise(2, 8, 32), "labels": ids(2, 5)}


def clip() -> tuple[Any, Any]:
    config = transformers.CLIPConfig(
        text_config={**SMALL, "max_position_embeddings": 16, "eos_token_id": 2, "bos_token_id": 1, "pad_token_id": 0},
        vision_config={**SMALL, "image_size": 16, "patch_size": 4},
        projection_dim=16,
    )
    inputs = {"input_ids": ids(2, 7), "pixel_values": noise(2, 3, 16, 16), "return_loss": True}
    return transformers.CLIPModel(config), lambda model: inputs


def wav2vec2() -> tuple[Any, Any]:
    config = transformers.Wav2Vec2Config(
        **SMALL, conv_dim=(16, 16), conv_stride=(4, 4), conv_kernel=(8, 8), num_feat_extract_layers=2,
        num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=4, apply_spec_augment=False, layerdrop=0.0,
    )  # fmt: skip
    return transformers.Wav2Vec2ForCTC(config), lambda model: {"input_values": noise(2, 400), "labels": ids(2, 5)}


MODELS: dict[str, Callable[[], tuple[Any, Any]]] = {
    maker.__name__: maker
    for maker in (bert, gpt2, llama, llama_without_cache, mixtral, mamba, t5, vit, whisper, clip, wav2vec2)
}
