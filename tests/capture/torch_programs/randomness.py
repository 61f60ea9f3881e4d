"""Random numbers: generators of the program's own, seeds and states, the same streams as eagerly."""

import random

import torch
from torch import nn
from torch.nn import functional as F

from tests.capture.torch_cases import add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def drawn(name, function, graphs=1, breaks=0, backends=("eager", "aot_eager")):
    """A function of a tensor and a generator: called with the same one twice, then with another."""

    def run(compile):
        f = compile(function)
        generator = torch.Generator().manual_seed(3)
        other = torch.Generator().manual_seed(4)
        results = [f(numbers(2, 3), generator), f(numbers(2, 3), generator), f(numbers(2, 3), other)]
        return results, generator.get_state(), other.get_state()

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


drawn("rand", lambda x, g: x + torch.rand(3, generator=g))
drawn("randn", lambda x, g: x + torch.randn(2, 3, generator=g))
drawn("randn_of_a_shape", lambda x, g: x + torch.randn(x.shape, generator=g, dtype=x.dtype, device=x.device))
drawn("randint", lambda x, g: x + torch.randint(0, 10, (3,), generator=g))
drawn("randperm", lambda x, g: x[:, torch.randperm(3, generator=g)])
drawn("several_draws", lambda x, g: x * torch.rand(3, generator=g) + torch.randn(3, generator=g))
drawn("draws_in_a_loop", lambda x, g: sum((torch.rand(3, generator=g) * k for k in range(4)), x))
drawn("both_kinds", lambda x, g: x + torch.rand(3, generator=g) + torch.rand(3) + F.dropout(x, 0.5))
drawn("filled_normally", lambda x, g: torch.empty(3).normal_(generator=g) + x)
drawn("filled_uniformly", lambda x, g: torch.empty(2, 3).uniform_(-1, 1, generator=g) * x)
drawn("no_generator", lambda x, g: x + torch.rand(3, generator=None))
drawn("sampled", lambda x, g: torch.multinomial(x.softmax(-1), 1, generator=g), graphs=None, breaks=1)
drawn("coins", lambda x, g: torch.bernoulli(x.sigmoid(), generator=g), graphs=None, breaks=1)
drawn("seeded_argument", lambda x, g: x + torch.rand(3, generator=g.manual_seed(5)))
drawn("made_in_the_call", lambda x, g: x + torch.rand(3, generator=torch.Generator().manual_seed(5)))
drawn("asks_for_the_device", lambda x, g: x + torch.randn(3, generator=g, device=g.device))
drawn("asks_for_the_seed", lambda x, g: (x + 1, g.initial_seed()), graphs=None, breaks=1)
drawn(
    "initialized",
    lambda x, g: (
        nn.init.normal_(torch.empty(3), generator=g) + nn.init.kaiming_uniform_(torch.empty(2, 3), generator=g) * x
    ),
)


def made_and_returned(x, g):
    made = torch.Generator(device="cpu")
    made.manual_seed(7)
    first = torch.rand(3, generator=made)
    return x + first, made.get_state(), torch.rand(2, generator=made)


def state_taken_and_set(x, g):
    state = g.get_state()
    first = torch.rand(3, generator=g)
    g.set_state(state)
    return x + first, torch.rand(3, generator=g)


drawn("made_and_returned", made_and_returned, graphs=None)
drawn("state_taken_and_set", state_taken_and_set)


@case(graphs=1)
def generator_of_a_module(compile):
    class Noise(nn.Module):
        def __init__(self):
            super().__init__()
            self.generator = torch.Generator().manual_seed(2)

        def forward(self, x):
            return x + torch.randn(x.shape, generator=self.generator)

    f = compile(Noise())
    return [f(numbers(2, 3)) for _ in range(3)]


@case()
def generators_anew_each_time(compile):
    f = compile(lambda x, g: x + torch.randn(2, 3, generator=g))
    return [f(numbers(2, 3), torch.Generator().manual_seed(k)) for k in range(4)]


@case(graphs=2)
def sizes_that_vary(compile):
    f = compile(lambda x, g: x + torch.randn(x.shape[0], 3, generator=g))
    g = torch.Generator().manual_seed(1)
    return [f(numbers(k, 3), g) for k in (2, 3, 4, 5)], g.get_state()


# The generator that everyone shares


def seeded(name, function, graphs=1, breaks=0, backends=("eager", "aot_eager")):
    def run(compile):
        f = compile(function)
        return [f(numbers(2, 3)) for _ in range(3)], torch.rand(2)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


def seed_between(x):
    a = torch.rand(3)
    torch.manual_seed(3)
    return x + a, torch.rand(3)


def seed_after(x):
    a = torch.rand(3)
    torch.manual_seed(3)
    return x + a


def forked(x):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        y = x + torch.rand(3)
    return y


def forked_between(x):
    a = torch.rand(3)
    with torch.random.fork_rng():
        y = x + torch.rand(3)
    return y, a, torch.rand(3)


def forked_off(x):
    with torch.random.fork_rng(enabled=False):
        return x + torch.rand(3)


def forked_for_devices(x):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(11)
        return x + torch.randn(3)


def state_kept(x):
    state = torch.get_rng_state()
    y = x + torch.rand(3)
    torch.set_rng_state(state)
    return y


def default_generator(x):
    return x + torch.rand(3, generator=torch.default_generator)


seeded("seed", lambda x: (torch.manual_seed(3), x + torch.rand(3))[1])
seeded("seed_between", seed_between, graphs=None, breaks=1)
seeded("seed_after", seed_after)
seeded("seed_twice", lambda x: (torch.manual_seed(3), torch.manual_seed(4), x + torch.rand(3))[2])
seeded("seed_all", lambda x: (torch.cuda.manual_seed_all(3), x + torch.rand(3))[1])
seeded("seed_of_python", lambda x: (random.seed(3), x + random.random())[1], graphs=None, breaks=1)
seeded("seed_asked_for", lambda x: (torch.manual_seed(5), torch.initial_seed(), x + 1), graphs=None, breaks=1)
seeded("forked", forked)
seeded("forked_between", forked_between, graphs=None, breaks=2)
seeded("forked_off", forked_off)
seeded("forked_for_devices", forked_for_devices)
seeded("state_kept", state_kept)
seeded("default_generator", default_generator)
seeded(
    "dropout",
    lambda x: F.dropout(x, 0.5) + F.dropout2d(x[None, None], 0.3)[0, 0] + F.alpha_dropout(x, 0.2, training=True),
)
seeded("gumbel", lambda x: F.gumbel_softmax(x, tau=0.5))
seeded(
    "distributions",
    lambda x: (
        torch.distributions.Normal(x, 1.0).sample() + torch.distributions.Categorical(logits=x).sample().unsqueeze(-1)
    ),
)
seeded(
    "in_place",
    lambda x: torch.empty(3).normal_() + torch.zeros(3).uniform_().bernoulli_(0.5) + torch.empty(3).exponential_() + x,
)


# Comparisons that can only end one way


class Skipping(nn.Module):
    """Layers that are left out at random in training, as many models have them."""

    def __init__(self, probability):
        super().__init__()
        torch.manual_seed(1)
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(3))
        self.probability = probability

    def forward(self, x):
        for layer in self.layers:
            if self.training:
                drawn = torch.rand([])
                if drawn < self.probability:
                    continue
            x = layer(x)
        return x


@case(graphs=1)
def layers_that_are_never_skipped(compile):
    model = Skipping(0.0)
    torch.manual_seed(3)
    compile(model)(numbers(2, 3)).sum().backward()
    return [p.grad for p in model.parameters()], torch.rand(2)


@case(graphs=1)
def layers_that_are_always_skipped(compile):
    torch.manual_seed(3)
    return compile(Skipping(1.0))(numbers(2, 3)), torch.rand(2)


@case(breaks=1)
def layers_that_are_sometimes_skipped(compile):
    f = compile(Skipping(0.5))
    torch.manual_seed(3)
    return [f(numbers(2, 3)) for _ in range(4)], torch.rand(2)


seeded("above_a_bound", lambda x: x + 1 if torch.rand(()) >= 0 else x - 1)
seeded("below_one", lambda x: x + 1 if 1.0 > torch.rand(1) else x - 1)
seeded("changed_numbers", lambda x: x + 1 if torch.rand(1).sub_(2) < 0.0 else x - 1, graphs=None, breaks=1)


@case(graphs=1)
def noise_and_a_backward_pass(compile):
    layer = nn.Linear(3, 3)
    nn.init.constant_(layer.weight, 0.5)
    nn.init.zeros_(layer.bias)
    f = compile(lambda x: (layer(x) + torch.rand(3)) * (1 + torch.randn_like(x)) + torch.rand(3).detach())
    torch.manual_seed(3)
    results = []
    for _ in range(3):
        loss = f(numbers(2, 3)).sum()
        loss.backward()
        results.append((loss.detach(), torch.rand(2)))
    return results, layer.weight.grad


@case(graphs=2)
def no_generator_and_sizes_that_vary(compile):
    def noisy(x):
        made = torch.randn(x.shape, generator=None, device=x.device, dtype=x.dtype)
        return x + made * torch.rand(x.shape, generator=None) + torch.randint(0, 3, x.shape, generator=None)

    f = compile(noisy)
    torch.manual_seed(3)
    return [f(numbers(k, 3)) for k in (2, 3, 4)]
