"""Modules: parameters made in the call, lazy ones, parametrizations, hooks that come and go, what modules tell."""

import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrizations, parametrize

from tests.capture.torch_cases import add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def seeded(make):
    torch.manual_seed(1)
    return make()


def state_of(model):
    return dict(model.state_dict()), [p.grad for p in model.parameters()]


def trained(name, make, *inputs, graphs=1, breaks=0, backends=("eager", "aot_eager"), calls=3, exact=True):
    """A module: called, backward, the state compared."""

    def run(compile):
        model = seeded(make)
        f = compile(model)
        given = inputs or (numbers(2, 3),)
        results = []
        for _ in range(calls):
            result = f(*given)
            result = result if isinstance(result, tuple) else (result,)
            sum(part.sum() for part in result if isinstance(part, torch.Tensor) and part.requires_grad).backward()
            results.append([part.detach() if isinstance(part, torch.Tensor) else part for part in result])
        return results, state_of(model)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=exact)


def applied(name, function, *shapes, graphs=1, breaks=0, grad=False, backends=("eager", "aot_eager")):
    def run(compile):
        f = compile(function)
        given = [numbers(*shape).requires_grad_(grad) for shape in shapes or ((2, 3),)]
        return f(*given), f(*given)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


# Parameters made in the call

applied("parameter", lambda x: nn.Parameter(x * 2) + 1)
applied("parameter_returned", lambda x: nn.Parameter(x * 2))
applied("parameter_without_gradient", lambda x: nn.Parameter(torch.zeros(3), requires_grad=False) + x)
applied("parameter_of_factory", lambda x: nn.Parameter(torch.ones(3)) * x)
applied("parameter_of_nothing", lambda x: (x * 2, nn.Parameter().shape))
applied("parameter_of_integers", lambda x: nn.Parameter(torch.arange(3), requires_grad=False) + x)
applied("parameter_with_gradient_around", lambda x: nn.Parameter(x * 2) + 1, grad=True, graphs=2, breaks=1)
applied("parameter_list", lambda x: sum(nn.ParameterList([torch.ones(3), torch.zeros(3)]), x))


@case(graphs=1)
def parameter_trained(compile):
    def f(x):
        w = nn.Parameter(torch.full((3,), 0.5))
        return w, (w * x).sum()

    w, loss = compile(f)(numbers(2, 3))
    loss.backward()
    return w, w.is_leaf, w.grad, loss


@case(graphs=1)
def parameter_shares_memory(compile):
    def f(x):
        data = torch.zeros(3)
        w = nn.Parameter(data)
        data.add_(1)
        with torch.no_grad():
            w.mul_(3)
        return w, data, x + data

    w, data, y = compile(f)(numbers(3))
    return w, data, y, w.data_ptr() == data.data_ptr()


@case()
def parameter_registered(compile):
    class Grows(nn.Module):
        def forward(self, x):
            if not hasattr(self, "scale"):
                self.scale = nn.Parameter(torch.ones(x.shape[-1]))
            return x * self.scale

    model = Grows()
    f = compile(model)
    results = [f(numbers(2, 3)) for _ in range(3)]
    results[-1].sum().backward()
    return results, state_of(model), [name for name, _ in model.named_parameters()]


@case()
def module_made_in_the_call(compile):
    def f(x):
        layer = nn.Linear(3, 4)
        return layer(x).relu(), layer

    result, layer = compile(f)(numbers(2, 3))
    result.sum().backward()
    return result, state_of(layer), type(layer)


@case()
def modules_made_in_the_call(compile):
    def f(x):
        model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2))
        return model(x), model

    result, model = compile(f)(numbers(2, 3))
    result.sum().backward()
    return result, state_of(model)


@case()
def buffer_registered_in_the_call(compile):
    class Keeps(nn.Module):
        def forward(self, x):
            if "seen" not in self._buffers:
                self.register_buffer("seen", torch.zeros(3))
            self.seen += x.sum(0)
            return x + self.seen

    model = Keeps()
    f = compile(model)
    return [f(numbers(2, 3)) for _ in range(3)], dict(model.state_dict())


@case(graphs=1)
def buffers_made_in_the_call(compile):
    def f(x):
        b = nn.Buffer(torch.ones(3))
        return x + b, isinstance(b, nn.Buffer)

    return compile(f)(numbers(3))


# Modules initialized by their first call


def lazily(name, make, *inputs, **options):
    def run(compile):
        model = seeded(make)
        f = compile(model)
        given = inputs or (numbers(2, 3),)
        torch.manual_seed(2)
        results = [f(*given) for _ in range(3)]
        results[-1].sum().backward()
        return results, state_of(model), [type(m) for m in list(model.modules())[1:]]

    add(globals(), f"lazy_{name}", run, **options)


lazily("linear", lambda: nn.LazyLinear(4), breaks=1)
lazily("sequence", lambda: nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2)), breaks=1)
lazily("convolution", lambda: nn.LazyConv1d(2, 2), numbers(1, 2, 5), breaks=1)
lazily("norm", lambda: nn.Sequential(nn.LazyBatchNorm1d(), nn.LazyLinear(2)), breaks=1)


# Parametrizations


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


class Positive(nn.Module):
    def forward(self, w):
        return w.exp()

    def right_inverse(self, w):
        return w.clamp(min=1e-3).log()


def parametrized(make):
    layer = nn.Linear(3, 3)
    for one in make:
        parametrize.register_parametrization(layer, "weight", one())
    return layer


trained("parametrized", lambda: parametrized([Symmetric]))
trained("parametrized_twice", lambda: parametrized([Positive, Symmetric]))
trained("weight_norm", lambda: parametrizations.weight_norm(nn.Linear(3, 4)))
trained("weight_norm_old", lambda: nn.utils.weight_norm(nn.Linear(3, 4)), graphs=None)
trained("spectral_norm", lambda: parametrizations.spectral_norm(nn.Linear(3, 4)))
trained("spectral_norm_old", lambda: nn.utils.spectral_norm(nn.Linear(3, 4)), graphs=None)
trained("spectral_norm_evaluated", lambda: parametrizations.spectral_norm(nn.Linear(3, 4)).eval())
trained("orthogonal", lambda: parametrizations.orthogonal(nn.Linear(3, 3)), exact=False)
trained("parametrized_convolution", lambda: parametrizations.weight_norm(nn.Conv1d(2, 2, 2)), numbers(1, 2, 4))


@case(graphs=1)
def parametrization_cached(compile):
    model = seeded(lambda: parametrized([Symmetric]))

    def f(x):
        with parametrize.cached():
            return model(x) + model(x)

    return compile(f)(numbers(2, 3))


@case()
def parametrization_added_and_removed(compile):
    layer = seeded(lambda: nn.Linear(3, 3))
    f = compile(lambda x: layer(x))
    first = f(numbers(2, 3))
    parametrize.register_parametrization(layer, "weight", Symmetric())
    second = f(numbers(2, 3))
    parametrize.remove_parametrizations(layer, "weight")
    return first, second, f(numbers(2, 3))


# Hooks


@case()
def hooks_come_and_go(compile):
    layer = seeded(lambda: nn.Linear(3, 3))
    f = compile(layer)
    results = [f(numbers(2, 3))]
    handle = layer.register_forward_hook(lambda module, args, out: out * 2)
    results.append(f(numbers(2, 3)))
    other = layer.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    results.append(f(numbers(2, 3)))
    handle.remove()
    results.append(f(numbers(2, 3)))
    other.remove()
    results.append(f(numbers(2, 3)))
    return results


@case()
def hooks_with_keywords(compile):
    class Model(nn.Module):
        def forward(self, x, *, scale=1.0):
            return x * scale

    model = Model()
    seen = []
    model.register_forward_pre_hook(lambda m, args, kwargs: (args, {**kwargs, "scale": 3.0}), with_kwargs=True)
    model.register_forward_hook(lambda m, args, kwargs, out: out + kwargs["scale"], with_kwargs=True, always_call=True)
    model.register_forward_hook(lambda m, args, out: seen.append(tuple(out.shape)))
    f = compile(model)
    return f(numbers(3), scale=2.0), f(numbers(3)), seen


@case(breaks=1)
def hooks_on_gradients_of_modules(compile):
    model = seeded(lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)))
    seen = []
    model[0].register_full_backward_hook(lambda m, gin, gout: seen.append(gout[0].sum().item()))
    f = compile(model)
    f(numbers(2, 3)).sum().backward()
    return [p.grad for p in model.parameters()], [round(s, 4) for s in seen]


@case()
def hooks_on_parameters(compile):
    model = seeded(lambda: nn.Linear(3, 2))
    model.weight.register_hook(lambda g: g * 2)
    f = compile(model)
    f(numbers(2, 3)).sum().backward()
    return [p.grad for p in model.parameters()]


@case()
def hooks_of_everyone(compile):
    model = seeded(lambda: nn.Linear(3, 2))
    f = compile(model)
    first = f(numbers(2, 3))
    handle = nn.modules.module.register_module_forward_hook(lambda m, args, out: out + 1)
    second = f(numbers(2, 3))
    handle.remove()
    return first, second, f(numbers(2, 3))


@case()
def features_by_hook(compile):
    model = seeded(lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)))
    found = {}
    model[1].register_forward_hook(lambda m, args, out: found.__setitem__("relu", out))
    f = compile(model)
    return f(numbers(2, 3)), found["relu"]


# What modules tell


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.layers = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 2)})
        self.register_buffer("offset", torch.ones(2))
        self.register_buffer("hidden", torch.ones(2), persistent=False)

    def forward(self, x):
        return self.layers["b"](self.layers["a"](self.first(x)).relu()) + self.offset + self.hidden


def told(name, ask, graphs=1, breaks=0):
    def run(compile):
        model = seeded(Network)
        f = compile(lambda x: ask(model, x))
        return f(numbers(2, 3)), f(numbers(2, 3)), state_of(model)

    add(globals(), name, run, graphs=graphs, breaks=breaks)


told("state_read", lambda m, x: (m(x), {k: v.sum() for k, v in m.state_dict().items()}))
told("state_read_with_prefix", lambda m, x: (m(x), list(m.state_dict(prefix="net.", keep_vars=True))))
told("state_of_a_part", lambda m, x: x @ m.layers.state_dict()["a.weight"].t()[:3])
told(
    "state_loaded",
    lambda m, x: (m.load_state_dict({k: v * 2 for k, v in m.state_dict().items()}), m(x))[1],
    graphs=None,
)
told("parameters_counted", lambda m, x: m(x) * sum(p.numel() for p in m.parameters() if p.requires_grad))
told("parameters_named", lambda m, x: m(x) + sum(p.sum() for n, p in m.named_parameters() if n.endswith("weight")))
told("buffers_named", lambda m, x: (m(x), dict(m.named_buffers())))
told("modules_named", lambda m, x: (m(x), [n for n, _ in m.named_modules()], [n for n, _ in m.named_children()]))
told("parts_by_path", lambda m, x: m.get_submodule("layers.a")(m.first(x)) + m.get_parameter("layers.b.weight").sum())
told("applied_to_all", lambda m, x: (m.apply(lambda part: setattr(part, "seen", True)), m(x))[1])
told("initialized_by_apply", lambda m, x: (m.apply(initialize), m(x))[1], graphs=None)
told("trained_and_evaluated", lambda m, x: (m.eval()(x), m.train()(x), m.training))
told("gradients_zeroed", lambda m, x: (m.zero_grad(), m(x))[1])
told("copied", lambda m, x: copy.deepcopy(m)(x), graphs=None, breaks=1)
told("words", lambda m, x: (m(x), str(m.first), m.first.extra_repr()))


def initialize(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)


# Embedding bags and others

for _mode in ("sum", "mean", "max"):
    applied(
        f"embedding_bag_{_mode}",
        lambda x, mode=_mode: F.embedding_bag(torch.tensor([0, 1, 1, 2]), x, torch.tensor([0, 2]), mode=mode),
        (3, 4),
        grad=True,
    )
trained("embedding_bag_module", lambda: nn.EmbeddingBag(5, 3), torch.tensor([[0, 1], [2, 4]]))
trained("embedding_bag_padded", lambda: nn.EmbeddingBag(5, 3, padding_idx=0), torch.tensor([[0, 1], [2, 4]]))
trained("embedding_with_norm", lambda: nn.Embedding(5, 3, max_norm=1.0), torch.tensor([[0, 1], [2, 4]]))
trained("embedding_scaled", lambda: nn.Embedding(5, 3, scale_grad_by_freq=True), torch.tensor([[1, 1], [2, 4]]))
trained("recurrent_cells", lambda: nn.LSTMCell(3, 4), graphs=1)
trained("lstm", lambda: nn.LSTM(3, 4, batch_first=True), numbers(2, 5, 3), exact=False)
trained("lstm_both_ways", lambda: nn.LSTM(3, 4, 2, bidirectional=True), numbers(5, 2, 3), exact=False)
trained("gru", lambda: nn.GRU(3, 4, batch_first=True), numbers(2, 5, 3), exact=False)
trained("batch_norm_averaging_all", lambda: nn.BatchNorm1d(3, momentum=None), graphs=None, breaks=1)
trained("instance_norm_tracked", lambda: nn.InstanceNorm1d(2, affine=True, track_running_stats=True), numbers(2, 2, 4))
trained("attention_module", lambda: nn.MultiheadAttention(4, 2, batch_first=True), *[numbers(1, 3, 4)] * 3, exact=False)
trained(
    "transformer_layer",
    lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True),
    numbers(1, 3, 4),
    exact=False,
)


@case(graphs=1, backends=("inductor",))
def parametrization_with_inductor(compile):
    model = seeded(lambda: parametrizations.weight_norm(nn.Linear(3, 4)))
    compile(model)(numbers(2, 3)).sum().backward()
    return [p.grad for p in model.parameters()]
