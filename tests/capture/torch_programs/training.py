"""Gradients, optimizers, schedulers, checkpoints and functions with gradients of their own."""

import functools
import itertools

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def network(*sizes):
    torch.manual_seed(1)
    layers = [layer for a, b in itertools.pairwise(sizes) for layer in (nn.Linear(a, b), nn.Tanh())]
    return nn.Sequential(*layers[:-1])


def state_of(model):
    return [p.detach() for p in model.parameters()], [p.grad for p in model.parameters()]


@case(graphs=2)
def reads_a_gradient(compile):
    w = nn.Parameter(torch.ones(3))
    f = compile(lambda x: x * 2 + (w.grad if w.grad is not None else 0))
    before = f(numbers(2, 3))
    (w * 2).sum().backward()
    return before, f(numbers(2, 3)), f(numbers(2, 3))


@case(graphs=1)
def assigns_a_gradient(compile):
    w = nn.Parameter(torch.ones(3))

    def f(x):
        w.grad = x.sum(0)
        return w.grad + 1

    return compile(f)(numbers(2, 3)), w.grad


@case(graphs=1)
def gradient_is_the_one_assigned(compile):
    w = nn.Parameter(torch.ones(3))

    def f(x):
        y = x.sum(0)
        w.grad = y
        return y, w.grad is y

    result, same = compile(f)(numbers(2, 3))
    return result, same, w.grad is result


@case(graphs=1)
def forgets_a_gradient(compile):
    w = nn.Parameter(torch.ones(3))
    w.sum().backward()

    def f(x):
        w.grad = None
        return x + 1, w.grad

    return compile(f)(numbers(2, 3)), w.grad


@case(graphs=1)
def changes_a_gradient_in_place(compile):
    w = nn.Parameter(torch.ones(3))
    (w * 3).sum().backward()

    def f(x):
        w.grad.mul_(2).add_(x.sum(0))
        return x + 1

    return compile(f)(numbers(2, 3)), w.grad


@case(breaks=1)
def gradient_that_does_not_fit(compile):
    w = nn.Parameter(torch.ones(3))

    def f(x):
        try:
            w.grad = x
        except RuntimeError as error:
            return type(error).__name__

    return compile(f)(numbers(2, 3)), w.grad


@case()
def leaves_and_others(compile):
    f = compile(lambda x: (x * 2, x.is_leaf))
    x = numbers(3).requires_grad_()
    return f(x), f(x * 1), f(numbers(3)), f(x)


@case(graphs=2)
def attributes_of_tensors(compile):
    w = nn.Parameter(torch.ones(3))
    w.tag = 3
    f = compile(lambda x: x + w.tag + (10 if hasattr(w, "other") else 0))
    before = f(numbers(3))
    w.other = True
    return before, f(numbers(3))


@case(graphs=1)
def attributes_given_to_tensors(compile):
    def f(x):
        x.tag = 5
        y = x * 2
        y.tag = x.tag + 2
        return y

    x = numbers(3)
    y = compile(f)(x)
    return y, x.tag, y.tag


@case()
def backward_inside(compile):
    model = network(3, 4, 2)

    def step(x):
        loss = model(x).pow(2).sum()
        loss.backward()
        return loss.detach()

    f = compile(step)
    return [f(numbers(2, 3)) for _ in range(3)], state_of(model)


@case(breaks=1)
def backward_of_what_came_with_a_history(compile):
    w = nn.Parameter(torch.ones(3))

    def step(h):
        loss = (h * 2).sum()
        loss.backward()
        return loss.detach()

    return compile(step)(w * 3), w.grad


@case(graphs=1, backends=ALL)
def gradients_of_gradients(compile):
    w = nn.Parameter(numbers(3))

    def f(x):
        loss = (x * w).pow(3).sum()
        (g,) = torch.autograd.grad(loss, [w], create_graph=True)
        return (g**2).sum()

    result = compile(f)(numbers(2, 3))
    result.backward()
    return result, w.grad


@case(graphs=1)
def grad_of_several(compile):
    a, b = nn.Parameter(numbers(3)), nn.Parameter(numbers(3))

    def f(x):
        return torch.autograd.grad((x * a * b).sum(), [a, b])

    return compile(f)(numbers(3))


@case(graphs=1)
def grad_with_one_unused(compile):
    a, b = nn.Parameter(numbers(3)), nn.Parameter(numbers(3))
    f = compile(lambda x: torch.autograd.grad((x * a).sum() + 0 * b.sum().detach(), [a, b], allow_unused=True))
    return f(numbers(3))


@case(graphs=1, backends=ALL)
def double_use_of_a_parameter(compile):
    w = nn.Parameter(numbers(3))
    f = compile(lambda x: (x * w + w.sin()).sum() * w.mean())
    for _ in range(2):
        f(numbers(2, 3)).backward()
    return w.grad


@case(graphs=1)
def hook_on_a_result(compile):
    def f(x):
        y = x * 2
        y.register_hook(lambda g: g * 3)
        return y.sum()

    x = numbers(3).requires_grad_()
    compile(f)(x).backward()
    return x.grad


@case()
def detached(compile):
    def f(x):
        y = x.detach().requires_grad_()
        return (y * 2).sum() + x.sum(), y.requires_grad, x.requires_grad

    x = numbers(3).requires_grad_()
    result = compile(f)(x)
    result[0].backward()
    return result, x.grad


# Functions with a gradient of their own


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * x * factor

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x * 5 * ctx.factor, None


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y, x * y)
        return x * y, x + y

    @staticmethod
    def backward(ctx, first, second):
        x, y, product = ctx.saved_tensors
        return first * y + second + product, first * x + second


class WithSetup(torch.autograd.Function):
    @staticmethod
    def forward(x, k):
        return x.exp() * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
        ctx.k = inputs[1]

    @staticmethod
    def backward(ctx, grad):
        (output,) = ctx.saved_tensors
        return grad * output * ctx.k, None


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


class Indexed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = x.sort()
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return values, indices

    @staticmethod
    def backward(ctx, grad, ignored):
        (indices,) = ctx.saved_tensors
        return torch.zeros_like(grad).scatter_(-1, indices, grad) * 2


class Identity(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return -grad


class Needs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        first = grad * y if ctx.needs_input_grad[0] else None
        second = grad * x if ctx.needs_input_grad[1] else None
        return first, second


class Attribute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, shape):
        ctx.x, ctx.shape = x, shape
        return x.reshape(shape) * 2

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.x.shape) * ctx.x, None


class NotAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        return a


class Dirty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


@torch.no_grad()
def without_grad(x):
    return Scaled.apply(x, 2)


def custom(name, call, breaks=0, backends=ALL, grad=(True, True)):
    def run(compile):
        x, y = numbers(2, 3).requires_grad_(grad[0]), numbers(2, 3).sqrt().detach().requires_grad_(grad[1])
        result = compile(call)(x, y)
        result = result if isinstance(result, tuple) else (result,)
        if any(grad):
            sum(part.pow(2).sum() for part in result if part.requires_grad).backward()
        return result, x.grad, y.grad

    add(globals(), name, run, breaks=breaks, backends=backends, graphs=None if breaks else 1)


custom("function_scaled", lambda x, y: Scaled.apply(x * y, 2) + y)
custom("function_twice", lambda x, y: Scaled.apply(Scaled.apply(x, 2), 3) * y)
custom("function_of_two", lambda x, y: Two.apply(x, y))
custom("function_of_one_twice", lambda x, y: Two.apply(x * 2, y * 2)[0] + y, backends=("eager", "aot_eager"))
custom("function_with_setup", lambda x, y: WithSetup.apply(x, 3.0) + y)
custom("function_straight_through", lambda x, y: Straight.apply(x) * y)
custom("function_with_indices", lambda x, y: Indexed.apply(x * -1)[0] + y)
custom("function_identity", lambda x, y: Identity.apply(x) + y)
custom("function_that_asks_for_both", lambda x, y: Needs.apply(x, y))
custom("function_that_asks_for_one", lambda x, y: Needs.apply(x, y), grad=(True, False))
custom("function_without_need", lambda x, y: Needs.apply(x, y), grad=(False, False))
custom("function_with_attributes", lambda x, y: Attribute.apply(x, (3, 2)).sum() + y)
custom("function_under_no_grad", lambda x, y: without_grad(x) + y * 1)
custom("function_not_materialized", lambda x, y: NotAll.apply(x)[0] + y)
custom("function_in_a_loop", lambda x, y: functools.reduce(lambda z, k: Scaled.apply(z, k), range(1, 4), x * y))


@case(graphs=1)
def function_in_a_module(compile):
    class Quantized(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = network(3, 4)

        def forward(self, x):
            return Straight.apply(self.inner(x) * 8) / 8

    model = Quantized()
    result = compile(model)(numbers(2, 3))
    result.sum().backward()
    return result, state_of(model)


# Checkpoints


def checkpointed(name, body, backends=("eager", "aot_eager"), **options):
    def run(compile):
        model = network(3, 4, 3)
        x = numbers(2, 3).requires_grad_()
        result = compile(lambda x: body(model, x, checkpoint, options))(x)
        result.sum().backward()
        return result, x.grad, state_of(model)

    add(globals(), name, run, graphs=1, backends=backends)


checkpointed("checkpoint_plain", lambda m, x, c, o: c(m, x, **o), use_reentrant=False)
checkpointed("checkpoint_reentrant", lambda m, x, c, o: c(m, x, **o), use_reentrant=True)
checkpointed("checkpoint_of_a_lambda", lambda m, x, c, o: c(lambda v: m(v).relu() * 2, x, **o) + 1, use_reentrant=False)
checkpointed("checkpoint_in_a_row", lambda m, x, c, o: c(m, c(m, x, **o), **o), use_reentrant=False)
checkpointed("checkpoint_in_another", lambda m, x, c, o: c(lambda v: c(m, v, **o) * 2, x, **o), use_reentrant=False)
checkpointed(
    "checkpoint_with_tuple",
    lambda m, x, c, o: sum(c(lambda a, b: (m(a) * b, b), x, x * 2, **o)),
    use_reentrant=False,
)
checkpointed(
    "checkpoint_with_dropout",
    lambda m, x, c, o: c(lambda v: F.dropout(m(v), 0.5), x, **o),
    backends=("eager",),
    use_reentrant=False,
)


@case(graphs=1)
def checkpoint_without_gradients(compile):
    model = network(3, 4, 3)
    with torch.no_grad():
        return compile(lambda x: checkpoint(model, x, use_reentrant=False) + 1)(numbers(2, 3))


# Optimizers


def optimized(name, make, steps=4, backends=("eager", "aot_eager"), breaks=0):
    def run(compile):
        model = network(3, 4, 2)
        optimizer = make(model.parameters())
        step = compile(lambda: optimizer.step())
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(numbers(2, 3)).pow(2).sum()
            loss.backward()
            step()
            losses.append(loss.detach())
        return losses, state_of(model)

    add(globals(), f"optimizer_{name}", run, backends=backends, breaks=breaks, exact=False)


for _name, _make in {
    "sgd": lambda p: torch.optim.SGD(p, 0.1),
    "sgd_momentum": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9),
    "sgd_nesterov": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    "sgd_foreach": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, foreach=True),
    "adam": lambda p: torch.optim.Adam(p, 0.01),
    "adam_amsgrad": lambda p: torch.optim.Adam(p, 0.01, amsgrad=True, weight_decay=0.1),
    "adam_foreach": lambda p: torch.optim.Adam(p, 0.01, foreach=True),
    "adamw": lambda p: torch.optim.AdamW(p, 0.01),
    "adamw_one_by_one": lambda p: torch.optim.AdamW(p, 0.01, foreach=False),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 0.01, momentum=0.5, centered=True),
    "adagrad": lambda p: torch.optim.Adagrad(p, 0.01),
    "adadelta": lambda p: torch.optim.Adadelta(p, 0.5),
    "adamax": lambda p: torch.optim.Adamax(p, 0.01),
    "nadam": lambda p: torch.optim.NAdam(p, 0.01),
    "radam": lambda p: torch.optim.RAdam(p, 0.01),
    "asgd": lambda p: torch.optim.ASGD(p, 0.01),
    "rprop": lambda p: torch.optim.Rprop(p, 0.01),
}.items():
    optimized(_name, _make)


def whole_step(name, make, schedule=None, clip=None, backends=("eager", "aot_eager")):
    def run(compile):
        model = network(3, 4, 2)
        optimizer = make(model.parameters())
        scheduler = schedule(optimizer) if schedule else None

        def step(x):
            optimizer.zero_grad(set_to_none=True)
            loss = model(x).pow(2).sum()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), clip) if clip else None
            optimizer.step()
            if scheduler is not None:
                scheduler.step()
            return loss.detach(), norm, optimizer.param_groups[0]["lr"]

        f = compile(step)
        return [f(numbers(2, 3)) for _ in range(5)], [p.detach() for p in model.parameters()]

    add(globals(), f"step_{name}", run, backends=backends, exact=False)


whole_step("plain", lambda p: torch.optim.SGD(p, 0.1))
whole_step("clipped", lambda p: torch.optim.AdamW(p, 0.01), clip=0.5)
whole_step("scheduled", lambda p: torch.optim.SGD(p, 0.1), schedule=lambda o: torch.optim.lr_scheduler.StepLR(o, 2))
whole_step(
    "cosine", lambda p: torch.optim.Adam(p, 0.01), schedule=lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 5)
)


@case(graphs=1)
def clipping_by_norm(compile):
    model = network(3, 2)
    model(numbers(2, 3)).sum().backward()
    return compile(lambda: nn.utils.clip_grad_norm_(model.parameters(), 0.1))(), state_of(model)


@case(graphs=1)
def clipping_by_value(compile):
    model = network(3, 2)
    model(numbers(2, 3)).sum().backward()
    return compile(lambda: nn.utils.clip_grad_value_(model.parameters(), 0.1))(), state_of(model)
