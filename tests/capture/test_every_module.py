"""The modules of torch.nn in training, with gradients, buffers and random numbers, and in inference: as eager."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

import framelift


def some(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape).sin()


def ints(*values):
    return torch.tensor(values)


def bits(shape):
    return some(*shape).sign()


CASES = [
    *((kind(0.5), [some(2, 3, 4)]) for kind in (nn.Dropout, nn.Dropout1d, nn.AlphaDropout, nn.FeatureAlphaDropout)),
    *((kind(0.5), [some(2, 3, 2, 2, 2)]) for kind in (nn.Dropout3d,)),
    (nn.Dropout2d(0.5), [some(2, 3, 4, 4)]),
    (nn.RReLU(), [some(4, 5)]),
    (nn.FractionalMaxPool2d(2, output_size=3), [some(1, 2, 8, 8)]),
    (nn.FractionalMaxPool3d(2, output_size=2), [some(1, 2, 6, 6, 6)]),
    (nn.BatchNorm1d(4), [some(6, 4)]),
    (nn.BatchNorm2d(3, momentum=None), [some(2, 3, 4, 4)]),
    (nn.BatchNorm3d(2, affine=False), [some(2, 2, 2, 3, 3)]),
    (nn.InstanceNorm2d(3, track_running_stats=True, affine=True), [some(2, 3, 4, 4)]),
    (nn.GroupNorm(2, 4), [some(2, 4, 3)]),
    (nn.LayerNorm(5), [some(2, 5)]),
    (nn.RMSNorm(5), [some(2, 5)]),
    (nn.LocalResponseNorm(2), [some(2, 4, 3, 3)]),
    (nn.MultiheadAttention(8, 2, dropout=0.3, batch_first=True), [some(2, 3, 8)] * 3),
    (nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True), [some(2, 3, 8)]),
    (nn.TransformerDecoderLayer(8, 2, 16, dropout=0.2, batch_first=True), [some(2, 3, 8), some(2, 4, 8)]),
    (nn.LSTM(3, 4, 2, dropout=0.4), [some(5, 2, 3)]),
    (nn.LSTM(3, 4, proj_size=2), [some(5, 2, 3)]),
    (nn.LSTM(3, 4), [some(5, 3)]),
    (nn.GRU(3, 4, 2, dropout=0.4, bidirectional=True), [some(5, 2, 3)]),
    (nn.RNN(3, 4, 2, nonlinearity="relu"), [some(5, 2, 3)]),
    *((kind(3, 4), [some(2, 3)]) for kind in (nn.LSTMCell, nn.GRUCell, nn.RNNCell)),
    (nn.Embedding(9, 4, padding_idx=1, max_norm=1.0), [ints([1, 2, 8], [0, 1, 2])]),
    (nn.Embedding(9, 4, scale_grad_by_freq=True), [ints([1, 2, 1], [0, 1, 2])]),
    (nn.EmbeddingBag(9, 4, mode="mean", padding_idx=0), [ints([1, 2, 8], [0, 1, 2])]),
    (nn.EmbeddingBag(9, 4, mode="max"), [ints([1, 2, 8], [0, 1, 2])]),
    (nn.AdaptiveLogSoftmaxWithLoss(6, 12, [3, 6]), [some(5, 6), ints(0, 3, 7, 11, 2)]),
    (nn.Bilinear(3, 4, 2), [some(2, 3), some(2, 4)]),
    (nn.CosineSimilarity(), [some(2, 3), some(2, 3) + 1]),
    (nn.PairwiseDistance(), [some(2, 3), some(2, 3) + 1]),
    (nn.ConvTranspose2d(2, 3, 3, stride=2, output_padding=1), [some(1, 2, 4, 4)]),
    (nn.Conv2d(2, 4, 3, padding="same", padding_mode="circular", groups=2), [some(1, 2, 5, 5)]),
    (nn.Unfold(2), [some(1, 2, 4, 4)]),
    (nn.Fold((4, 4), 2), [some(1, 8, 9)]),
    (nn.PixelShuffle(2), [some(1, 4, 3, 3)]),
    (nn.ChannelShuffle(2), [some(1, 4, 2, 2)]),
    (nn.Upsample(scale_factor=1.7, mode="bilinear"), [some(1, 2, 4, 4)]),
    (nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True), [some(1, 2, 4, 4)]),
    (nn.AdaptiveAvgPool2d((3, 2)), [some(1, 2, 7, 5)]),
    (nn.AdaptiveMaxPool2d((3, 2)), [some(1, 2, 7, 5)]),
    (nn.LPPool2d(2, 2), [some(1, 2, 4, 4)]),
    (nn.MaxPool2d(2, return_indices=True), [some(1, 2, 5, 5)]),
    (nn.AvgPool2d(3, 2, 1, True, False), [some(1, 2, 6, 6)]),
    (nn.MaxUnpool2d(2), [some(1, 1, 2, 2), ints([[[0, 3], [8, 11]]])]),
    (nn.CTCLoss(), [some(6, 2, 5).log_softmax(-1), ints([1, 2, 3], [4, 1, 2]), ints(6, 6), ints(3, 3)]),
    (nn.GaussianNLLLoss(), [some(3, 2), some(3, 2) + 1, some(3, 2) + 2]),
    (nn.MultiLabelMarginLoss(), [some(2, 4), ints([3, 0, -1, 1], [0, 1, 2, -1])]),
    (nn.MultiMarginLoss(), [some(3, 4), ints(0, 1, 3)]),
    (nn.TripletMarginLoss(), [some(2, 3), some(2, 3) + 1, some(2, 3) * 2]),
    (nn.KLDivLoss(reduction="batchmean"), [some(3, 2), some(3, 2).abs()]),
    (nn.PoissonNLLLoss(), [some(3), some(3).abs()]),
    (nn.CosineEmbeddingLoss(), [some(2, 3), some(2, 3) + 1, ints(1, -1)]),
    (nn.HingeEmbeddingLoss(), [some(3), bits((3,))]),
    (nn.CrossEntropyLoss(label_smoothing=0.1, weight=some(4).abs()), [some(3, 4), ints(0, 1, 3)]),
    *(
        (kind(), [some(2, 4)])
        for kind in (nn.GLU, nn.Hardshrink, nn.CELU, nn.Mish, nn.Tanhshrink, nn.Softplus, nn.SELU)
    ),
    (nn.PReLU(3), [some(2, 3, 2)]),
    (nn.Threshold(0.1, 2), [some(4)]),
    *((kind(1), [some(1, 1, 3, 3)]) for kind in (nn.ZeroPad2d, nn.ReflectionPad2d, nn.CircularPad2d)),
]


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for item in value for tensor in tensors_in(item)] if isinstance(value, list | tuple) else []


def trained(module, call, arguments):
    torch.manual_seed(7)
    given = [a.clone().requires_grad_() if a.is_floating_point() else a for a in arguments]
    results = [tensors_in(call(*given)) for _ in range(2)]
    losses = [result.sum() for result in results[-1] if result.requires_grad]
    if losses:
        torch.stack(losses).sum().backward()
    gradients = [tensor.grad for tensor in (*module.parameters(), *given)]
    return [*results[0], *results[1], *gradients, *module.buffers(), torch.get_rng_state()]


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize(("module", "arguments"), CASES, ids=[type(module).__name__ for module, _ in CASES])
@pytest.mark.filterwarnings("ignore")
def test_module_in_training(module, arguments, backend):
    plain, ours = copy.deepcopy(module), copy.deepcopy(module)
    expected = trained(plain, plain, arguments)
    found = trained(ours, framelift.compile(ours, backend=backend), arguments)
    assert len(expected) == len(found)
    for one, other in zip(expected, found, strict=True):
        if one is None:
            assert other is None
        else:
            torch.testing.assert_close(other, one, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("module", "arguments"), CASES, ids=[type(module).__name__ for module, _ in CASES])
@pytest.mark.filterwarnings("ignore")
def test_module_in_inference(module, arguments):
    """Where PyTorch has paths of its own; without a break but where data decides on sizes."""
    framelift.reset()
    module = copy.deepcopy(module).eval()
    compiled = framelift.compile(module, backend="eager")
    with torch.no_grad():
        for found, expected in zip(tensors_in(compiled(*arguments)), tensors_in(module(*arguments)), strict=True):
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    breaks = framelift.counters().get("graph_break")
    assert bool(breaks) is isinstance(module, nn.AdaptiveLogSoftmaxWithLoss | nn.CTCLoss), breaks
