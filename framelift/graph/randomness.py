"""Which operations may use random numbers of the generator that everyone shares."""

from __future__ import annotations

from typing import Any

_RANDOM = (
    "rand", "dropout", "bernoulli", "normal", "multinomial", "poisson", "exponential", "uniform", "cauchy",
    "geometric", "rrelu", "gumbel", "fractional", "attention", "lstm", "gru", "rnn",
    "checkpointed", "custom_gradient",
)  # fmt: skip


def draws(node: Any) -> bool:
    """Whether an operation may use random numbers."""
    if node.op not in ("call_function", "call_method", "call_module"):
        return False
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "rand")
    if not (node.op == "call_module" or any(part in name for part in _RANDOM)):
        return False
    return not _is_idle(name, node.args, node.kwargs)


def _is_idle(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether dropout, or attention with dropout in it, is called so that nothing is dropped."""
    if name == "scaled_dot_product_attention":
        return _is_nothing(args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0))
    if name in _DROPPING:
        training = args[2] if len(args) > 2 else kwargs.get("training", kwargs.get("train", True))
        return training is False or _is_nothing(args[1] if len(args) > 1 else kwargs.get("p", 0.5))
    return False


_DROPPING = (
    "dropout", "dropout_", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "alpha_dropout_",
    "feature_dropout", "feature_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_",
)  # fmt: skip


def _is_nothing(share: Any) -> bool:
    return isinstance(share, (int, float)) and share == 0
