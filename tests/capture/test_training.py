"""A whole training step is one graph, and leaves the parameters where plain Python leaves them."""

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

import framelift

STEPS = 3


def training(make_optimizer):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, 3))
    optimizer = make_optimizer(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)

    def step(x, y):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        return loss.detach(), norm

    return model, step


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize(
    "make_optimizer",
    [
        lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9, nesterov=True),
        lambda parameters: torch.optim.AdamW(parameters, 0.01),
    ],
    ids=["SGD", "AdamW"],
)
def test_step(make_optimizer, backend):
    model, step = training(make_optimizer)
    other, same_step = training(make_optimizer)
    compiled = framelift.compile(same_step, backend=backend, fullgraph=True)
    inputs = torch.randn(5, 6), torch.randint(0, 3, (5,))
    for number in range(STEPS):
        torch.manual_seed(number)
        expected = step(*inputs)
        torch.manual_seed(number)
        torch.testing.assert_close(compiled(*inputs), expected)
    for mine, theirs in zip(other.state_dict().values(), model.state_dict().values(), strict=True):
        torch.testing.assert_close(mine, theirs)
    for mine, theirs in zip(other.parameters(), model.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, theirs.grad)
        assert mine.grad.stride() == theirs.grad.stride()


def check(x):
    y = x * 2
    assert torch.isfinite(y).all(), "not finite"
    print("checked", tuple(y.shape))
    return y.sum()


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_checks_and_output(backend, capsys):
    compiled = framelift.compile(check, backend=backend, fullgraph=True)
    x = torch.ones(3, requires_grad=True)
    compiled(x).backward()
    assert x.grad.tolist() == [2, 2, 2]
    assert capsys.readouterr().out == "checked (3,)\n"
    with pytest.raises(AssertionError, match="not finite"):
        compiled(torch.tensor([1.0, float("nan"), 2.0], requires_grad=True))
    assert capsys.readouterr().out == ""


def test_checkpoint_of_what_counts_batches():
    results = []
    for compiled in (False, True):
        torch.manual_seed(0)
        layers = nn.Sequential(nn.Linear(3, 4, bias=False), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2))

        def run(x, layers=layers):
            return (
                checkpoint(layers, x, use_reentrant=False).sum() + checkpoint(layers, x * 2, use_reentrant=False).sum()
            )

        function = framelift.compile(run, backend="eager", fullgraph=True) if compiled else run
        function(torch.arange(15.0).reshape(5, 3)).backward()
        results.append([*layers.buffers(), *(parameter.grad for parameter in layers.parameters())])
    torch.testing.assert_close(results[1], results[0])
