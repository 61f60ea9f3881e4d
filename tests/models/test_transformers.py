"""Models of `transformers`: a forward pass, five steps of training, and generating twenty tokens."""

from __future__ import annotations

import copy

import pytest
import torch

import framelift
from tests.models.zoo import MODELS, ids


def make(name):
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    return model, inputs(model)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.filterwarnings("ignore")
def test_forward(name, backend):
    framelift.reset()
    model, inputs = make(name)
    model.eval()
    with torch.no_grad():
        expected = model(**inputs)
        found = framelift.compile(model, backend=backend)(**inputs)
    assert type(found) is type(expected)
    assert list(found) == list(expected)
    torch.testing.assert_close(found.loss, expected.loss)
    for key in expected:
        if isinstance(expected[key], torch.Tensor):
            torch.testing.assert_close(found[key], expected[key], rtol=1e-4, atol=1e-5)
    assert sum(framelift.counters()["graphs"].values()) >= 1


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_five_steps_of_training(name):
    framelift.reset()
    model, inputs = make(name)
    other = copy.deepcopy(model)

    def losses(model, call):
        torch.manual_seed(1)
        optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
        found = []
        for _ in range(5):
            optimizer.zero_grad()
            loss = call(**inputs).loss
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    expected = losses(model.train(), model)
    found = losses(other.train(), framelift.compile(other, backend="eager"))
    assert found == pytest.approx(expected, rel=1e-4)
    assert expected[-1] != expected[0]


@pytest.mark.parametrize("name", ["gpt2", "llama", "mixtral", "mamba"])
@pytest.mark.filterwarnings("ignore")
def test_generates_twenty_tokens(name):
    framelift.reset()
    model, _ = make(name)
    model.eval()
    model.generation_config.pad_token_id = 0
    options = {"max_new_tokens": 20, "min_new_tokens": 20, "do_sample": False}
    expected = model.generate(ids(2, 5), **options)
    with framelift.installed():
        model.forward = torch.compile(model.forward, backend="eager")
        found = model.generate(ids(2, 5), **options)
    assert found.tolist() == expected.tolist()
    assert found.shape == (2, 25)
    assert sum(framelift.counters()["graphs"].values()) >= 1
