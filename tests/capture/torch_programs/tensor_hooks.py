"""Hooks on tensors that are computed in the call: what only computes is captured, what does more is left to Python."""

import torch
from torch import nn

import framelift
from tests.capture.torch_cases import add

SHIFT = 2.0


def doubled(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient * 2)
    return h.relu()


def used_before(layer, x, seen):
    h = layer(x)
    y = h * 3
    h.register_hook(lambda gradient: gradient.clamp(-1, 1))
    return h.relu() + y


def one_for_each(layer, x, seen):
    h, result = layer(x), 0
    for factor in range(3):
        part = h * (factor + 1)
        part.register_hook(lambda gradient, factor=factor: gradient * (factor + 1))
        result = result + part
    return result


def with_tensors_and_globals(layer, x, seen):
    h = layer(x)
    mask = (h > 0).float()
    h.register_hook(lambda gradient: gradient * mask + SHIFT)
    h.register_hook(lambda gradient: gradient / gradient.shape[0])
    return h * h


def makes_tensors(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: torch.zeros(gradient.shape) + gradient.sum())
    return h * h


def gives_nothing(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: None)
    return h * h


def of_pytorch(layer, x, seen):
    h = layer(x)
    h.register_hook(torch.sin)
    return h * h


def in_place_afterwards(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient * 2)
    h.mul_(3)
    return h * h


def part_of_several(layer, x, seen):
    first, second = layer(x).chunk(2)
    first.register_hook(lambda gradient: gradient * 4)
    return first[:1] * second[:1]


def backward_inside(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient * 2)
    h.relu().pow(2).sum().backward()
    return h.detach()


def leaf_of_the_call(layer, x, seen):
    made = x.detach().clone().requires_grad_()
    made.register_hook(lambda gradient: gradient * 5)
    (made * made).sum().backward()
    return made.grad * 1


def late_variable(layer, x, seen):
    h, result = layer(x), 0
    for factor in range(3):
        part = h * factor
        part.register_hook(lambda gradient: gradient * (factor + 1))
        result = result + part
    return result


def noted(layer, x, seen):
    h = layer(x)
    h.register_hook(seen.append)
    return h.relu()


def removed(layer, x, seen):
    h = layer(x)
    handle = h.register_hook(lambda gradient: gradient * 2)
    handle.remove()
    return h.relu()


def on_an_argument(layer, x, seen):
    x.register_hook(lambda gradient: gradient * 2)
    return layer(x)


def of_another_shape(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient[:1])
    return h * h


def tensor_that_leaves(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient * 2)
    return h.relu(), h


def across_a_break(layer, x, seen):
    h = layer(x)
    h.register_hook(lambda gradient: gradient * 2)
    framelift.graph_break()
    return h * h


CAPTURED = (
    doubled, used_before, one_for_each, with_tensors_and_globals, makes_tensors, gives_nothing, of_pytorch,
    in_place_afterwards, part_of_several, backward_inside, leaf_of_the_call,
)  # fmt: skip
BROKEN = (late_variable, noted, removed, on_an_argument, of_another_shape)


def program(function):
    def run(compile):
        torch.manual_seed(0)
        layer = nn.Linear(3, 3)
        f = compile(function)
        found = []
        for rows in (2, 2, 4, 6):
            x, seen = (torch.arange(3.0 * rows).reshape(rows, 3) / 8).requires_grad_(), []
            results = f(layer, x, seen)
            results = results if isinstance(results, tuple) else (results,)
            found.append([one.detach().clone() for one in results])
            if results[0].requires_grad:
                if len(results) == 2:
                    found.append(torch.autograd.grad(results[0].sum(), results[1], retain_graph=True))
                try:
                    sum(one.pow(2).sum() for one in results).backward()
                except RuntimeError as error:
                    found.append(str(error))
            found.append([None if one.grad is None else one.grad.clone() for one in (x, *layer.parameters())])
            found.append(seen)
        return found

    return run


for function in CAPTURED:
    add(globals(), function.__name__, program(function))
for function in BROKEN:
    add(globals(), function.__name__, program(function), breaks=1)
for function, breaks in ((tensor_that_leaves, 0), (across_a_break, 1)):
    # AOTAutograd calls a hook only for gradients that come through the graph.
    add(globals(), function.__name__, program(function), breaks=breaks, backends=("eager",))
    add(globals(), f"{function.__name__}_of_autograd", program(function), breaks=breaks + 1, backends=("aot_eager",))
