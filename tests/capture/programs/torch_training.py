"""Training steps: gradients computed and used inside of a captured function."""

import torch
from torch import nn

from tests.capture.harness import program, tensor


@program(make=True, graphs=1, steady=False)
def backward_into_parameters():
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)

    def run(x):
        loss = layer(x).square().sum()
        loss.backward()
        return loss.detach()

    return run, (tensor(4, 3),)


@program(make=True, graphs=1)
def gradients_are_new_every_time():
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)

    def run(x):
        for parameter in layer.parameters():
            parameter.grad = None
        loss = layer(x).square().sum()
        loss.backward()
        return [parameter.grad.sum() for parameter in layer.parameters()]

    return run, (tensor(4, 3),)


@program(make=True, graphs=1, steady=False)
def gradients_add_up():
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)

    def run(x):
        for part in x.split(2):
            (layer(part).square().sum() / 2).backward()
        return layer.weight.grad * 2

    return run, (tensor(4, 3),)


@program(tensor(3, grad=True), tensor(3, grad=True, start=2), graphs=1)
def one_gradient_for_two_leaves(a, b):
    (a + b).backward(torch.ones(3))
    a.grad.add_(1)
    return a.grad + b.grad


@program(tensor(3, grad=True), graphs=1)
def gradient_that_is_given(a):
    weights = torch.ones(3)
    (a * 1).backward(weights)
    weights.add_(1)
    return a.grad + weights


@program(tensor(2, 3, grad=True), graphs=1)
def gradient_has_the_layout_of_its_tensor(a):
    (a.t() * 2).sum().backward()
    return a.grad.stride(), a.grad.is_contiguous()


@program(tensor(3, grad=True), graphs=1)
def several_results(a):
    torch.autograd.backward([(a * 2).sum(), (a * 3).sum()])
    return a.grad + 1


@program(tensor(3, grad=True), tensor(3), graphs=1)
def some_do_not_need_gradients(a, b):
    loss = (a * b).sum() + (a.detach() * 3).sum()
    loss.backward()
    return b.grad, a.grad + 1


@program(make=True, broken="backward")
def history_from_before_the_call():
    weight = tensor(3, grad=True)

    def run(x):
        y = x * 2
        y.sum().backward()
        return y.detach()

    return run, lambda: (weight * 3,)


@program(make=True, broken="backward")
def hooks_are_called():
    weight = tensor(3, grad=True)
    weight.register_hook(lambda gradient: gradient * 10)

    def run(x):
        y = x * weight
        y.sum().backward()
        return weight.grad + 1

    return run, (tensor(3),)


@program(tensor(3), broken="backward")
def nothing_to_differentiate(x):
    y = x * 2
    y.sum().backward()
    return y


@program(make=True, broken=None, steady=False)
def optimizers():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)

    def run(x):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    return run, (tensor(4, 3),)
