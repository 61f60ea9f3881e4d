"""Gradients of what is no parameter: arguments that are to require them, and intermediate tensors that keep them."""

import torch
from torch import nn
from torch.nn import functional as F

from tests.capture.torch_cases import ALL, add


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


def program(name, function, eager=0, aot=0, backends=("eager", "aot_eager"), grad=False, backward=False):
    """Called with tensors of the same and of other sizes, and with one that it has seen before."""

    def run(compile):
        model = network()
        f = compile(function)
        given = [numbers(size, 3).requires_grad_(grad) for size in (2, 2, 3, 4)]
        results = []
        for x in [*given, given[0], given[2]]:
            results.append(f(model, x))
            if backward:
                results[-1].sum().backward()
        state = [(x, x.grad, x.requires_grad, x.is_leaf) for x in given]
        return results, state, [(p.detach(), p.grad) for p in model.parameters()]

    for backend in backends:
        add(globals(), f"{name}_{backend}", run, breaks=eager if backend == "eager" else aot, backends=(backend,))


def adversary(model, x):
    x.requires_grad_()
    loss = model(x).pow(2).sum()
    (gradient,) = torch.autograd.grad(loss, x)
    return x + 0.1 * gradient.sign()


def physics(model, x):
    x.requires_grad_()
    (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope.sum(), x, create_graph=True)
    return (curvature + slope).pow(2).mean()


def backward_to_an_argument(model, x):
    x.requires_grad = True
    loss = model(x).pow(2).sum()
    loss.backward()
    return loss.detach(), x.grad


def only_the_result(model, x):
    if not x.requires_grad:
        x.requires_grad_(True)
    return model(x).view(-1) * 2


def descent(model, x):
    x.requires_grad_()
    loss = model(x).pow(2).sum()
    (gradient,) = torch.autograd.grad(loss, x)
    with torch.no_grad():
        x.sub_(gradient * 0.1)
    return loss.detach()


def no_longer(model, x):
    x.requires_grad_(False)
    return model(x).sum() + x.sum()


def frozen(model, x):
    for parameter in model[0].parameters():
        parameter.requires_grad_(False)
    return model(x)


def argument_itself(model, x):
    return x.requires_grad_(), x.detach()


def used_before(model, x):
    y = x * 2
    x.requires_grad_()
    return (y * x).sum()


def for_a_while(model, x):
    x.requires_grad_()
    loss = (x * x).sum()
    loss.backward()
    x.requires_grad_(False)
    gradient, x.grad = x.grad, None
    return gradient, loss.detach()


program("adversary", adversary, backends=ALL)
program("physics", physics, backward=True)
program("backward_to_an_argument", backward_to_an_argument)
program("only_the_result", only_the_result, backends=ALL, backward=True)
program("descent", descent)
program("no_longer", no_longer, grad=True)
program("frozen", frozen, backward=True)
program("argument_itself", argument_itself)
program("used_before", used_before, aot=1)  # what came before is not to be differentiated
program("for_a_while", for_a_while, aot=1)


def kept(model, x):
    h = model[0](x)
    h.retain_grad()
    model[2](model[1](h)).sum().backward()
    return h.grad


def activation_map(model, x):
    h = model[0](x)
    h.retain_grad()
    model[2](h)[:, 0].sum().backward()
    return F.relu(h * h.grad.mean(0)).detach()


def kept_by_each_layer(model, x):
    found = []
    for layer in model:
        x = layer(x)
        x.retain_grad()
        found.append(x)
    x.pow(2).sum().backward()
    return [h.grad.abs().mean() for h in found]


def kept_twice(model, x):
    h = model[0](x)
    h.retain_grad()
    y = model[1](h)
    y[0, 0].backward(retain_graph=True)
    first = h.grad
    y.sum().backward()
    return first, h.grad, first is h.grad, h.retains_grad, y.retains_grad


def kept_where_nothing_comes(model, x):
    h = model[0](x)
    h.retain_grad()
    x.retain_grad()
    y = model[1](h)
    y.retain_grad()
    h.sum().backward(retain_graph=True)
    first = y.grad
    y.sum().backward()
    h.grad = None
    return first, y.grad, h.grad


def kept_of_a_view(model, x):
    h = model[0](x).t()
    h.retain_grad()
    (h * 2).sum().backward()
    return h.grad, h.grad.stride()


def kept_of_what_is_changed(model, x):
    h = model[0](x)
    h.retain_grad()
    h.mul_(2)
    model[1](h).sum().backward()
    return h.grad


def kept_behind_a_hook(model, x):
    h = model[0](x)
    h.register_hook(lambda gradient: gradient * 3)
    h.retain_grad()
    model[1](h).sum().backward()
    return h.grad


def kept_and_returned(model, x):
    h = model[0](x)
    h.retain_grad()
    model[1](h).sum().backward()
    return h, h.grad


def kept_for_later(model, x):
    h = model[0](x)
    h.retain_grad()
    model.seen = h
    return model[1](h)


program("kept", kept, grad=True, backends=ALL)
program("activation_map", activation_map, grad=True)
program("kept_by_each_layer", kept_by_each_layer)
program("kept_twice", kept_twice, grad=True)
program("kept_where_nothing_comes", kept_where_nothing_comes, grad=True)
program("kept_of_a_view", kept_of_a_view)
program("kept_of_what_is_changed", kept_of_what_is_changed)
program("kept_behind_a_hook", kept_behind_a_hook, eager=3, aot=3)
program("kept_and_returned", kept_and_returned, eager=3, aot=3)
program("kept_for_later", kept_for_later, eager=1, aot=1, backward=True)
