"""`backward` with `create_graph` or `inputs`, inside of the call."""

import torch
from torch import nn

from tests.capture.torch_cases import add


def of_the_argument(layer, x):
    (x**2).sum().backward(create_graph=True)
    first, x.grad = x.grad, None
    return torch.autograd.grad(first.sum(), x)[0]


def penalty(layer, x):
    layer(x).tanh().sum().backward(create_graph=True)
    norm = sum(parameter.grad.pow(2).sum() for parameter in layer.parameters())
    layer.zero_grad()
    norm.backward()
    return norm.detach()


def gradients_with_history(layer, x):
    layer.zero_grad()
    loss = layer(x).tanh().sum()
    loss.backward(create_graph=True)
    return loss, layer.weight.grad


def added_up(layer, x):
    layer.zero_grad()
    for _ in range(2):
        layer(x).tanh().sum().backward(create_graph=True)
    found = layer.weight.grad
    second = torch.autograd.grad(found.sum(), layer.weight)[0]
    layer.zero_grad()
    return found.detach(), second


def curvature(layer, x):
    layer(x).tanh().pow(2).sum().backward(create_graph=True)
    parameters = list(layer.parameters())
    gradients = [parameter.grad for parameter in parameters]
    found = torch.autograd.grad(gradients, parameters, [torch.ones_like(one) for one in gradients])
    with torch.no_grad():
        for parameter, one in zip(parameters, found, strict=True):
            parameter -= 0.01 * one.abs()
            parameter.grad = None
    return found


def to_one_parameter(layer, x):
    layer(x).sum().backward(inputs=[layer.weight])
    return layer.bias.grad is None, layer.weight.grad * 1


def one_after_the_other(layer, x):
    loss = layer(x).sum()
    loss.backward(inputs=layer.weight, retain_graph=True)
    loss.backward(inputs=(x,))
    return x.grad * 1


def to_something_unused(layer, x):
    x.sum().backward(inputs=[layer.weight, x])
    return x.grad * 1, layer.weight.grad is None


def to_a_result(layer, x):
    h = layer(x)
    h.sum().backward(inputs=[h])
    return x.grad is None


def program(function):
    def run(compile):
        torch.manual_seed(0)
        layer = nn.Linear(3, 3)
        f = compile(function)
        found = []
        for number in range(2):
            x = (torch.arange(6.0).reshape(2, 3) / (3 + number)).requires_grad_()
            results = f(layer, x)
            results = results if isinstance(results, tuple) else (results,)
            differentiable = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
            found.append([one.detach().clone() if isinstance(one, torch.Tensor) else one for one in results])
            found.append([None if one.grad is None else one.grad.detach().clone() for one in (x, *layer.parameters())])
            layer.zero_grad()
            if differentiable:
                sum(one.pow(2).sum() for one in differentiable).backward()
            found.append([None if one.grad is None else one.grad.clone() for one in (x, *layer.parameters())])
            found.append([one.detach().clone() for one in layer.parameters()])
        return found

    return run


CAPTURED = (
    of_the_argument, penalty, gradients_with_history, added_up, curvature, to_one_parameter, one_after_the_other,
    to_something_unused,
)  # fmt: skip
for function in CAPTURED:
    add(globals(), function.__name__, program(function))
add(globals(), "to_a_result", program(to_a_result), breaks=1)
