"""`torch.func` in the forms people write, and flex attention with functions that look into tensors."""

import copy

import torch
from torch import func, nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn import functional as F
from torch.nn.attention.flex_attention import and_masks, create_block_mask, flex_attention

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def applied(name, function, *shapes, backends=("eager", "aot_eager"), graphs=1, breaks=0, exact=True):
    def run(compile):
        f = compile(function)
        given = [numbers(*shape) for shape in shapes or ((2, 3),)]
        return f(*given), f(*(x + 1 for x in given))

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=exact)


applied("in_dims", lambda x, y: vmap(lambda a, b: a @ b, in_dims=(0, 1))(x, y), (2, 3), (3, 2))
applied("in_dims_none", lambda x, y: vmap(lambda a, b: a * b.sum(), in_dims=(0, None))(x, y), (2, 3), (3, 2))
applied("in_dims_dict", lambda x: vmap(lambda d: d["a"] * d["b"], in_dims=({"a": 0, "b": None},))({"a": x, "b": x[0]}))
applied("in_dims_nested", lambda x: vmap(lambda p: p[0] + p[1][0], in_dims=((0, (1,)),))((x, (x.t(),))))
applied("in_dims_negative", lambda x: vmap(lambda a: a.sum(), in_dims=-1)(x))
applied("out_dims", lambda x: vmap(lambda a: a * 2, out_dims=1)(x))
applied("out_dims_several", lambda x: vmap(lambda a: (a * 2, a.sum()), out_dims=(1, 0))(x))
applied("out_dims_negative", lambda x: vmap(lambda a: a * 2, out_dims=-1)(x))
applied("nested_vmap", lambda x: vmap(vmap(lambda a: a.sin() * 2))(x))
applied("outer_product", lambda x: vmap(lambda a: vmap(lambda b: a * b)(x[0]))(x[1]))
applied("chunked", lambda x: vmap(lambda a: a.sin(), chunk_size=2)(x), (5, 3))
applied("random_different", lambda x: vmap(lambda a: a + torch.rand(3), randomness="different")(x))
applied("random_same", lambda x: vmap(lambda a: a + torch.rand(3), randomness="same")(x))
applied("dropout_different", lambda x: vmap(lambda a: F.dropout(a, 0.5), randomness="different")(x))
applied("with_keywords", lambda x: vmap(lambda a, k=2: a * k)(x, k=3), graphs=1)
applied("of_an_operator", lambda x: vmap(torch.dot)(x, x))
applied("of_a_method", lambda x: vmap(torch.Tensor.sum)(x))
applied("in_place", lambda x: vmap(lambda a: a.clone().add_(1).mul_(2))(x))
applied("with_index", lambda x: vmap(lambda a, i: a[i], in_dims=(0, 0))(x, torch.tensor([0, 2])), graphs=1)
applied("with_where", lambda x: vmap(lambda a: torch.where(a.sum() > 2, a, -a))(x))

applied("grad_argnums", lambda x, y: func.grad(lambda a, b: (a * b).sum(), argnums=1)(x, y), (2, 3), (2, 3))
applied("grad_both", lambda x, y: func.grad(lambda a, b: (a * b.sin()).sum(), argnums=(0, 1))(x, y), (2, 3), (2, 3))
applied("grad_aux", lambda x: func.grad(lambda a: ((a**2).sum(), a * 3), has_aux=True)(x))
applied("value_and_grad_aux", lambda x: func.grad_and_value(lambda a: ((a**2).sum(), {"y": a * 3}), has_aux=True)(x))
applied("grad_of_dict", lambda x: func.grad(lambda d: (d["a"] * d["b"]).sum())({"a": x, "b": x * 2}))
applied("jacrev_argnums", lambda x, y: func.jacrev(lambda a, b: a * b, argnums=(0, 1))(x, y), (3,), (3,))
applied("jacrev_chunked", lambda x: func.jacrev(lambda a: a.sin(), chunk_size=2)(x), (3,))
applied("jacrev_aux", lambda x: func.jacrev(lambda a: (a.sin(), a.sum()), has_aux=True)(x), (3,))
applied("jacfwd_random", lambda x: func.jacfwd(lambda a: a * a.exp())(x), (3,))
applied("hessian_vector", lambda x: func.jvp(func.grad(lambda a: (a**3).sum()), (x,), (torch.ones_like(x),))[1])
applied("vjp", lambda x: vjp_of(x))
applied("vjp_aux", lambda x: func.vjp(lambda a: (a.sin(), a.sum()), x, has_aux=True)[2])
applied("linearized", lambda x: func.linearize(torch.sin, x)[1](torch.ones_like(x)), graphs=None, breaks=1)
applied("functionalized", lambda x: func.functionalize(lambda a: a.clone().add_(1))(x), graphs=None, breaks=3)
applied("per_sample_norms", lambda x: vmap(func.grad(lambda a: (a.sin() ** 2).sum()))(x).norm(dim=-1))
applied("grad_of_vmap", lambda x: func.grad(lambda a: vmap(torch.sin)(a).sum())(x))
applied(
    "laplacian",
    lambda x: vmap(lambda a: func.hessian(lambda v: (v**3).prod())(a).diagonal().sum())(x),
    graphs=None,
    breaks=1,
    exact=False,
)


def vjp_of(x):
    out, back = func.vjp(lambda a: a.sin() * 2, x)
    return out, back(torch.ones_like(out))[0]


# Models as functions


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


@case(graphs=2)
def functional_call_with_others(compile):
    model = network()
    others = {name: p.detach() * 2 for name, p in model.named_parameters()}
    f = compile(lambda p, x: functional_call(model, p, (x,)))
    return f(others, numbers(2, 3)), f(dict(model.named_parameters()), numbers(2, 3)), state_of(model)


@case(graphs=1)
def functional_call_with_keywords(compile):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(3))
            self.register_buffer("b", torch.zeros(3))

        def forward(self, x, *, scale=1.0):
            return x * self.w * scale + self.b

    model = Model()
    f = compile(lambda x: functional_call(model, ({"w": x[0]}, {"b": x[1]}), (x,), {"scale": 2.0}))
    return f(numbers(2, 3)), dict(model.state_dict())


@case(graphs=1, backends=ALL)
def per_sample_gradients(compile):
    model = network()

    def loss(params, x, y):
        return F.cross_entropy(functional_call(model, params, (x.unsqueeze(0),)), y.unsqueeze(0))

    f = compile(lambda p, x, y: vmap(func.grad(loss), in_dims=(None, 0, 0))(p, x, y))
    params = {name: p.detach() for name, p in model.named_parameters()}
    return f(params, numbers(4, 3), torch.tensor([0, 1, 1, 0]))


@case()
def ensemble(compile):
    models = []
    for seed in range(3):
        torch.manual_seed(seed)
        models.append(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)))
    params, buffers = stack_module_state(models)
    base = copy.deepcopy(models[0]).to("meta")

    def each(p, b, x):
        return functional_call(base, (p, b), (x,))

    f = compile(lambda x: vmap(each, in_dims=(0, 0, None))(params, buffers, x))
    result = f(numbers(2, 3))
    result.sum().backward()
    return result, {name: p.grad for name, p in params.items()}


@case()
def stacked_inside(compile):
    models = [network(), network()]
    f = compile(
        lambda x: vmap(lambda p, v: functional_call(models[0], p, (v,)), (0, None))(stack_module_state(models)[0], x)
    )
    return f(numbers(2, 3))


@case(graphs=1)
def meta_learning(compile):
    model = network()

    def inner(params, x, y):
        return F.mse_loss(functional_call(model, params, (x,)), y)

    def step(params, x, y):
        grads = func.grad(inner)(params, x, y)
        adapted = {name: p - 0.1 * grads[name] for name, p in params.items()}
        return inner(adapted, x, y)

    params = {name: p.detach() for name, p in model.named_parameters()}
    f = compile(lambda p, x, y: func.grad(step)(p, x, y))
    return f(params, numbers(2, 3), numbers(2, 2))


@case(graphs=1)
def training_by_functions(compile):
    model = network()
    params = {name: p.detach().clone() for name, p in model.named_parameters()}

    def loss(p, x, y):
        return F.mse_loss(functional_call(model, p, (x,)), y)

    def step(p, x, y):
        grads, value = func.grad_and_value(loss)(p, x, y)
        return {name: p[name] - 0.1 * grads[name] for name in p}, value

    f = compile(step)
    losses = []
    for _ in range(3):
        params, value = f(params, numbers(2, 3), numbers(2, 2))
        losses.append(value)
    return losses, params


def state_of(model):
    return [p.detach() for p in model.parameters()]


# Flex attention


def attended(name, body, backends=("eager",), graphs=1, breaks=0, grad=False):
    def run(compile):
        torch.manual_seed(3)
        q, k, v = (torch.randn(1, 2, 16, 8, requires_grad=grad) for _ in range(3))
        f = compile(body)
        result = f(q, k, v)
        if grad:
            result.sum().backward()
        return result, [t.grad for t in (q, k, v)]

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=False)


BIAS = torch.arange(16 * 16.0).reshape(16, 16) / 100
SLOPES = torch.tensor([0.5, 0.25])
DOCUMENTS = torch.tensor([0] * 6 + [1] * 10)
LENGTHS = torch.tensor([12])


def causal(b, h, q, k):
    return q >= k


def same_document(b, h, q, k):
    return DOCUMENTS[q] == DOCUMENTS[k]


def within_length(b, h, q, k):
    return k < LENGTHS[b]


CAUSAL = create_block_mask(causal, None, None, 16, 16, device="cpu")
BY_DOCUMENT = create_block_mask(and_masks(causal, same_document), None, None, 16, 16, device="cpu")
PADDED = create_block_mask(within_length, 1, None, 16, 16, device="cpu")

attended("flex_plain", lambda q, k, v: flex_attention(q, k, v))
attended("flex_bias", lambda q, k, v: flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + BIAS[i, j]))
attended(
    "flex_slopes", lambda q, k, v: flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s - SLOPES[h] * (i - j))
)
attended("flex_captured_made_inside", lambda q, k, v: made_bias(q, k, v))
attended("flex_causal", lambda q, k, v: flex_attention(q, k, v, block_mask=CAUSAL))
attended("flex_by_document", lambda q, k, v: flex_attention(q, k, v, block_mask=BY_DOCUMENT))
attended("flex_padded", lambda q, k, v: flex_attention(q, k, v, block_mask=PADDED))
attended(
    "flex_both",
    lambda q, k, v: flex_attention(
        q,
        k,
        v,
        score_mod=lambda s, b, h, i, j: torch.where(i >= j, s, -float("inf")) * SLOPES[h],
        block_mask=BY_DOCUMENT,
    ),
)
attended("flex_with_lse", lambda q, k, v: sum_lse(q, k, v))
attended("flex_scaled", lambda q, k, v: flex_attention(q, k, v, scale=0.3))
attended(
    "flex_soft_cap", lambda q, k, v: flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: 20 * torch.tanh(s / 20))
)
attended("flex_grouped", lambda q, k, v: flex_attention(q, k[:, :1], v[:, :1], enable_gqa=True))
attended("flex_mask_made_inside", lambda q, k, v: masked_inside(q, k, v))


def made_bias(q, k, v):
    bias = BIAS * 2
    return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + bias[i, j])


def sum_lse(q, k, v):
    out, lse = flex_attention(q, k, v, return_lse=True)
    return out + lse.unsqueeze(-1)


def masked_inside(q, k, v):
    mask = create_block_mask(causal, None, None, 16, 16, device="cpu")
    return flex_attention(q, k, v, block_mask=mask)
