"""`tensor.data = value`: other memory for a tensor that stays what it is."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

import framelift
from tests.capture.torch_cases import add


def decayed(layer, x):
    layer.weight.data = layer.weight.data * 0.9
    return layer(x)


def all_decayed(layer, x):
    for parameter in layer.parameters():
        parameter.data = parameter.data * 0.9 + 0.1
    return layer(x)


def as_one_vector(layer, x):
    vector_to_parameters(parameters_to_vector(layer.parameters()) * 0.9, layer.parameters())
    return layer(x)


def used_before(layer, x):
    y = layer(x)
    layer.weight.data = layer.weight.data / 2
    return y + layer(x)


def in_place_afterwards(layer, x):
    with torch.no_grad():
        layer.weight.data = layer.weight * 2
        layer.weight.add_(1)
    return layer(x)


def shared_with_what_was_given(layer, x):
    value = layer.weight.detach() * 2
    layer.weight.data = value
    value.add_(1)
    return layer(x), value


def no_longer_shared_with_before(layer, x):
    before = layer.weight.data
    layer.weight.data = before * 2
    after = layer.weight.data
    after.add_(1)
    return before, after, layer(x)


def memory_of_an_argument(layer, x):
    layer.weight.data = x
    return layer(x)


def turned(layer, x):
    layer.weight.data = layer.weight.data.t()
    weight = layer.weight
    return layer(x), weight.is_leaf, weight.requires_grad, weight.stride()


def twice(layer, x):
    layer.weight.data = layer.weight.data * 0.9
    layer.weight.data = layer.weight.data * 0.9
    return layer(x)


def gradient_asked_for(layer, x):
    layer.weight.data = layer.weight.data * 0.9
    return torch.autograd.grad(layer(x).pow(2).sum(), layer.weight)[0]


def by_hand(layer, x):
    loss = layer(x).pow(2).sum()
    loss.backward()
    layer.weight.data = layer.weight.data - 0.1 * layer.weight.grad
    layer.weight.grad = None
    return loss.detach()


def without_gradients(layer, x):
    with torch.no_grad():
        y = layer(x)
        layer.weight.data = layer.weight * 2
        return y + layer(x)


def tensor_of_the_call(layer, x):
    made = torch.zeros(3)
    view = made.view(3)
    made.data = x[0].detach() * 2
    made.add_(1)
    return made, view


def across_a_break(layer, x):
    layer.weight.data = layer.weight.data * 0.9
    framelift.graph_break()
    return layer(x)


def kept_by_autograd(layer, x):
    y = (layer.weight**2).sum()
    layer.weight.data = layer.weight.data / 2
    return y + layer(x)


def put_back(layer, x):
    before = layer.weight.data
    layer.weight.data = before + 1
    y = layer(x)
    layer.weight.data = before
    return y


def of_another_shape(layer, x):
    layer.weight.data = layer.weight.data[:2]
    return layer.weight * 2


def backward_inside(layer, x):
    layer.weight.data = layer.weight.data * 0.9
    loss = layer(x).pow(2).sum()
    loss.backward()
    return loss.detach()


CAPTURED = (
    decayed, all_decayed, as_one_vector, used_before, in_place_afterwards, shared_with_what_was_given,
    no_longer_shared_with_before, memory_of_an_argument, turned, twice, gradient_asked_for, by_hand, without_gradients,
    tensor_of_the_call,
)  # fmt: skip
BROKEN = (across_a_break, kept_by_autograd, put_back, of_another_shape, backward_inside)


def program(function):
    def run(compile):
        torch.manual_seed(0)
        layer = nn.Linear(3, 3)
        first = layer.weight.data
        f = compile(function)
        found = []
        for number in range(3):
            x = torch.arange(9.0).reshape(3, 3) / (number + 4)
            before = layer.weight.data
            results = f(layer, x)
            results = results if isinstance(results, tuple) else (results,)
            tensors = [one for one in results if isinstance(one, torch.Tensor)]
            if any(one.requires_grad for one in tensors):
                sum(one.pow(2).sum() for one in tensors if one.requires_grad).backward()
            found.append([one.detach().clone() if isinstance(one, torch.Tensor) else one for one in results])
            found.append([one.data_ptr() == layer.weight.data_ptr() for one in (*tensors, x, before, first)])
            found.append([one.detach().clone() for one in (before, first, *layer.parameters())])
            found.append([None if one.grad is None else one.grad.clone() for one in layer.parameters()])
            found.append([layer.weight.is_leaf, layer.weight.requires_grad, layer.weight.stride()])
        return found

    return run


for function in CAPTURED:
    add(globals(), function.__name__, program(function))
for function in BROKEN:
    add(globals(), function.__name__, program(function), breaks=1)
