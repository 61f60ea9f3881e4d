"""Several of PyTorch's constructs at once, and changes of modules and tensors between the calls."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrizations, parametrize
from torch.utils.checkpoint import checkpoint

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


def state_of(model):
    return (
        [p.detach().clone() for p in model.parameters()],
        [p.grad for p in model.parameters()],
        [b.clone() for b in model.buffers()],
    )


class Around(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).relu() + 1


@case()
def hooks_of_a_compiled_module_in_another(compile):
    model = network()
    inner = compile(model)
    outer = compile(Around(inner))
    x = numbers(2, 3)
    results = [outer(x)]
    first = model[0].register_forward_hook(lambda module, args, result: result * 2)
    results += [outer(x), inner(x)]
    second = model.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    results += [outer(x), inner(x)]
    first.remove()
    results.append(outer(x))
    second.remove()
    third = inner.register_forward_hook(lambda module, args, result: result - 1)
    results += [outer(x), inner(x), model(x)]
    third.remove()
    return results, outer(x)


@case()
def hooks_of_everyone_see_modules_of_the_program_only(compile):
    model = network()
    f, g = compile(model), compile(model, backend=lambda graph, examples: graph)
    seen = []

    def note(module, args, result):
        seen.append(type(module).__name__)
        return result + 1

    handle = nn.modules.module.register_module_forward_hook(note)
    try:
        results = [f(numbers(2, 3)), f(numbers(2, 3)), g(numbers(2, 3))]
        results[0].sum().backward()
    finally:
        handle.remove()
    return results, f(numbers(2, 3)), seen, state_of(model)


@case(breaks=1)
def lazy_module_becomes_another(compile):
    torch.manual_seed(0)
    model = nn.LazyLinear(4)
    f = compile(model)
    first = f(numbers(2, 3))
    kind = type(model) is nn.Linear, isinstance(f, nn.LazyLinear), isinstance(f, nn.Linear)
    return first, f(numbers(2, 3)), kind, list(f.state_dict()), model(numbers(2, 3))


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT


@case(breaks=1)  # the cache of parametrizations has the id of the module as a key
def parametrized_between_calls(compile):
    model = nn.Linear(3, 3)
    with torch.no_grad():
        model.weight.copy_(numbers(3, 3))
        model.bias.zero_()
    f = compile(model)
    results = [f(numbers(2, 3))]
    parametrize.register_parametrization(model, "weight", Symmetric())
    results.append(f(numbers(2, 3)))
    with torch.no_grad():
        model.parametrizations.weight.original.mul_(2)
    results.append(f(numbers(2, 3)))
    with parametrize.cached():
        results += [f(numbers(2, 3)), f(numbers(2, 3))]
    parametrize.remove_parametrizations(model, "weight")
    return results, f(numbers(2, 3)), f.weight is model.weight


@case()
def compiled_module_parametrized_between_calls(compile):
    f = compile(network()[0])
    results = [f(numbers(2, 3))]
    parametrize.register_parametrization(f, "bias", nn.Softplus())
    return results, f(numbers(2, 3)), f(numbers(2, 3))


@case()
def parametrized_and_trained(compile):
    torch.manual_seed(0)
    model = nn.Sequential(
        parametrizations.weight_norm(nn.Linear(3, 3)),
        parametrizations.spectral_norm(nn.Linear(3, 2), n_power_iterations=2),
    )
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.5)

    def step(x):
        optimizer.zero_grad()
        loss = model(x).pow(2).sum()
        loss.backward()
        optimizer.step()
        return loss.detach()

    f = compile(step)
    return [f(numbers(2, 3)) for _ in range(4)], state_of(model)


@case()
def checkpoint_with_an_item_of_a_sequential(compile):
    model = network()

    def block(x, scale):
        dtype = next(model.parameters()).dtype
        return F.dropout(model[0](x), 0.5).to(dtype) * scale

    f = compile(lambda x: checkpoint(block, x, 2.0, use_reentrant=False).sum())
    x = numbers(2, 3).requires_grad_()
    losses = []
    for _ in range(3):
        losses.append(f(x))
        losses[-1].backward()
    return losses, x.grad, state_of(model)


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient @ weight.t(), x.t() @ gradient


@case(graphs=1)
def function_that_leaves_autocast(compile):
    def run(x, weight):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return Product.apply(x @ weight, weight)

    x, weight = numbers(3, 3).requires_grad_(), numbers(3, 3).requires_grad_()
    result = compile(run)(x, weight)
    result.sum().backward()
    return result, x.grad, weight.grad


def grows(name, breaks, function, *make):
    """Tensors of the caller's get another size; behind AOTAutograd that is left to Python."""
    for backend in ("eager", "aot_eager"):

        def run(compile):
            f = compile(function)
            given = [[made() for made in make] for _ in range(2)]
            return [f(*args) for args in given], given

        add(globals(), f"{name}_{backend}", run, breaks=breaks if backend == "aot_eager" else 0, backends=(backend,))


def of_joining(x, out):
    torch.cat([x, x], out=out)
    return out.shape[0], out * 2


def of_two_results(x, out, places):
    torch.max(x, 0, out=(out, places))
    return out + 1, places * 2


def by_resizing(x):
    x.resize_(4, 3).zero_()
    return x + 1


def to_something_smaller(x):
    x.resize_(2)
    return x * 2


def turned(x):
    x.t_().mul_(2)
    x.unsqueeze_(0)
    return x.sum(1)


def nothing():
    return torch.empty(0)


def no_places():
    return torch.empty(0, dtype=torch.long)


grows("out_grows", 1, of_joining, lambda: numbers(3), nothing)
grows("out_fits", 0, of_joining, lambda: numbers(3), lambda: torch.empty(6))
grows("out_of_two_grows", 1, of_two_results, lambda: numbers(2, 3), nothing, no_places)
grows("argument_grows", 1, by_resizing, lambda: numbers(2, 3))
grows("argument_shrinks", 1, to_something_smaller, lambda: numbers(2, 3))
grows("argument_turned", 2, turned, lambda: numbers(2, 3))


def policy(name, optimizer):
    """Distributions check what they are given, and a step of the optimizer comes in the same graph."""

    def run(compile):
        torch.manual_seed(1)
        model = nn.Linear(3, 4)
        stepping = optimizer(model.parameters())

        def step(x, given=None):
            chosen = torch.distributions.Categorical(logits=model(x))
            action = chosen.sample() if given is None else given
            loss = -(chosen.log_prob(action) * x.sum(1)).mean() - 0.01 * chosen.entropy().mean()
            stepping.zero_grad()
            loss.backward()
            stepping.step()
            return action, loss.detach()

        f = compile(step)
        results = [f(numbers(2, 3)) for _ in range(3)]
        try:
            f(numbers(2, 3), torch.tensor([9, 0]))
        except ValueError as error:
            results.append(str(error)[:40])
        return results, f(numbers(2, 3), torch.tensor([1, 0])), state_of(model)

    add(globals(), name, run, exact=False)


policy("policy_gradient", lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9))
policy("policy_gradient_by_adam", lambda parameters: torch.optim.Adam(parameters, 0.01))


@case(graphs=1)
def powers_of_negative_numbers(compile):
    f = compile(lambda x: ((-1) ** x, (-2.5) ** x, (-0.0) ** x, (-1j) ** x, -(2**x), pow(-3, x), x ** (-2)))
    return f(torch.arange(4.0)), f(torch.arange(4.0) + 1)


@case(backends=ALL)
def powers_of_negative_numbers_and_sizes(compile):
    f = compile(lambda x, n: x * (-1) ** n + (-2) ** (x.shape[0] % 3), dynamic=True)
    return [f(numbers(size), n) for size in (2, 3, 4) for n in (2, 3, 5)]


@case()
def alternating_series_in_a_checkpoint(compile):
    powers = torch.arange(3.0)
    f = compile(lambda x: checkpoint(lambda y: ((-1) ** powers * y).sin(), x, use_reentrant=False).sum())
    x = numbers(3).requires_grad_()
    f(x).backward()
    return x.grad


@case(breaks=1)
def layout_of_a_view_changed(compile):
    def f(x):
        x.unsqueeze_(0)
        return x.sin_().sum(1)

    base = numbers(4, 3)
    x = base[1:3]
    return compile(f, backend="aot_eager")(x), x.storage_offset(), x, base


@case()
def change_before_a_division_by_zero(compile):
    def f(x, i, k):
        x.fill_(-1)
        return x * 2, i // k

    g = compile(f)
    ends = []
    for divisor in (torch.tensor([1, 2]), torch.tensor([1, 0])):
        x = numbers(2)
        try:
            ends.append(g(x, torch.tensor([3, 4]), divisor))
        except RuntimeError as error:
            ends.append(str(error))
        ends.append(x)
    return ends


@case()
def zeros_with_a_sign(compile):
    f = compile(lambda x, k: (x / (k * -0.0), x / ((-k) * 0.0), torch.copysign(x, (k + 1) * -0.0)))
    return [f(numbers(2), k) for k in (1, 2, 3, 4)]


@case(breaks=2)
def numbers_where_only_tensors_do(compile):
    def f(x, number):
        try:
            return torch.atan2(x, number)
        except TypeError:
            return x * number

    g = compile(f)
    return [g(numbers(2), number) for number in (0.5, 1.5, 2.5)]
