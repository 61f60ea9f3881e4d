"""`torch.func`, and control flow as operations."""

import os

import torch
from torch import func, nn
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def applied(name, function, *shapes, backends=("eager", "aot_eager"), graphs=1, breaks=0):
    """A program that applies a function to tensors of these shapes, twice."""

    def run(compile):
        f = compile(function)
        given = [numbers(*shape) for shape in shapes or ((2, 3),)]
        return f(*given), f(*(x + 1 for x in given))

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


BODIES = {
    "sin": lambda v: v.sin() * 2,
    "norm": lambda v: v / v.norm(),
    "softmax": lambda v: v.softmax(-1).log(),
    "outer": lambda v: v.unsqueeze(0) * v.unsqueeze(1),
    "where": lambda v: torch.where(v > 1, v, -v),
    "loop": lambda v: sum((v * k for k in range(3)), v),
    "several": lambda v: (v * 2, v.sum()),
    "dictionary": lambda v: {"a": v + 1, "b": [v, v * 2]},
    "closure": lambda v: v * OFFSET,
}
OFFSET = torch.tensor([1.0, 2.0, 3.0])
SCALARS = {
    "sum_of_sines": lambda v: v.sin().sum(),
    "norm": lambda v: v.norm(),
    "logsumexp": lambda v: v.logsumexp(0).sum() * 2,
    "product": lambda v: (v * v.flip(0)).prod(),
    "matmul": lambda v: (v @ v.t()).pow(2).sum() if v.dim() == 2 else (v @ v).pow(2),
    "masked": lambda v: torch.where(v > 1, v**2, v).sum(),
}

for _name, _body in BODIES.items():
    applied(f"vmap_{_name}", lambda x, body=_body: func.vmap(body)(x))
for _name, _body in SCALARS.items():
    applied(f"grad_{_name}", lambda x, body=_body: func.grad(body)(x))
    applied(f"grad_and_value_{_name}", lambda x, body=_body: func.grad_and_value(body)(x))
    applied(f"hessian_{_name}", lambda x, body=_body: func.hessian(body)(x), (3,))
    applied(f"vmap_grad_{_name}", lambda x, body=_body: func.vmap(func.grad(body))(x))
    applied(f"grad_grad_{_name}", lambda x, body=_body: func.grad(lambda v: func.grad(body)(v).sum())(x))
    applied(f"jvp_{_name}", lambda x, body=_body: func.jvp(body, (x,), (torch.ones_like(x),)))
for _name in ("sin", "norm", "softmax", "outer", "where", "loop", "closure"):
    applied(f"jacrev_{_name}", lambda x, body=BODIES[_name]: func.jacrev(body)(x), (3,))
    applied(f"jacfwd_{_name}", lambda x, body=BODIES[_name]: func.jacfwd(body)(x), (3,))
    applied(f"vmap_jacrev_{_name}", lambda x, body=BODIES[_name]: func.vmap(func.jacrev(body))(x))

applied("vmap_in_dims", lambda x, y: func.vmap(lambda a, b: a @ b, in_dims=(1, None))(x, y), (2, 3), (2,))
applied("vmap_out_dims", lambda x: func.vmap(lambda a: (a, a * 2), out_dims=(1, 0))(x))
applied("vmap_twice", lambda x: func.vmap(func.vmap(lambda a: a * 2 + 1))(x))
applied("vmap_of_pairs", lambda x, y: func.vmap(torch.dot)(x, y), (2, 3), (2, 3), backends=ALL)
applied("vmap_of_a_dictionary", lambda x: func.vmap(lambda d: d["a"] * d["b"])({"a": x, "b": x + 1}))
applied("grad_of_second", lambda x, y: func.grad(lambda a, b: (a * b).sum(), argnums=1)(x, y), (3,), (3,), backends=ALL)
applied("grad_of_both", lambda x, y: func.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, y), (3,), (3,))
applied("grad_with_aux", lambda x: func.grad(lambda a: (a.sin().sum(), a * 2), has_aux=True)(x))


@case(graphs=1)
def vjp_used_at_once(compile):
    def f(x):
        out, pull = func.vjp(torch.sin, x)
        return out, pull(torch.ones_like(out))

    return compile(f)(numbers(2, 3))


@case(graphs=1)
def per_sample_gradients(compile):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    weights = {name: p.detach() for name, p in model.named_parameters()}

    def loss(weights, x):
        return func.functional_call(model, weights, (x,)).pow(2).sum()

    return compile(lambda w, x: func.vmap(func.grad(loss), in_dims=(None, 0))(w, x))(weights, numbers(2, 3))


@case(graphs=1)
def functional_call_leaves_the_module_alone(compile):
    torch.manual_seed(1)
    model = nn.Linear(3, 2)
    before = model.weight
    weights = {name: p.detach() * 2 for name, p in model.named_parameters()}
    result = compile(lambda w, x: func.functional_call(model, w, (x,)))(weights, numbers(2, 3))
    return result, model.weight is before, model.weight.detach()


class Twice(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        return grad * 3


applied("vmap_of_a_custom_function", lambda x: func.vmap(lambda v: Twice.apply(v) + v.sum())(x))
applied("vmap_of_vmap_of_a_custom_function", lambda x: func.vmap(func.vmap(Twice.apply))(x))


@case(breaks=1)
def gradient_of_a_mapped_custom_function(compile):
    x = numbers(2, 3).requires_grad_()
    y = compile(lambda x: func.vmap(lambda v: Twice.apply(v) + 1)(x))(x)
    y.sum().backward()
    return y, x.grad


class IndexAsIs(torch.overrides.TorchFunctionMode):
    """Takes tensors without dimensions for indices, as masks of attention are written."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.Tensor.__getitem__ and all(isinstance(part, torch.Tensor) for part in args[1]):
            return torch.ops.aten.index(args[0], args[1])
        return function(*args, **(kwargs or {}))


@case(graphs=1)
def index_by_mapped_tensors(compile):
    def mask(table):
        def one(row, column):
            return table[row, column] > 1

        with IndexAsIs():
            rows = func.vmap(one, in_dims=(None, 0))
            return func.vmap(rows, in_dims=(0, None))(torch.arange(2), torch.arange(3))

    return compile(mask)(numbers(2, 3))


@case(graphs=1)
def attributes_that_a_mode_sees(compile):
    def f(x):
        with IndexAsIs():
            return x.T * x.ndim, x.shape, x.dtype, x.device, x.requires_grad, func.vmap(lambda v: v * v.shape[0])(x)

    return compile(f)(numbers(2, 3))


@case(graphs=1)
def index_by_a_tensor_that_a_mode_sees(compile):
    def f(x, i, j):
        with IndexAsIs():
            return x[i, j] * 2

    return compile(f)(numbers(2, 3), torch.tensor(1), torch.tensor(2))


@case(breaks=1)
def break_inside_of_vmap(compile):
    def body(v):
        return v * 2 if v.sum().item is not None and torch.compiler.is_compiling() is None else v * SAID.append(1) or v

    SAID.clear()
    try:
        return compile(lambda x: func.vmap(body)(x) + 1)(numbers(2, 3)), len(SAID)
    except TypeError as error:
        return str(error), len(SAID)


SAID = []


def printing(v):
    print(end="")
    os.getpid()
    return v * 2


@case(breaks=1)
def unknown_call_inside_of_grad(compile):
    return compile(lambda x: func.grad(lambda v: printing(v).sum())(x) + 1)(numbers(3))


# Control flow


@case(graphs=1, backends=ALL)
def cond_by_data(compile):
    f = compile(lambda x: torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,)))
    return f(numbers(3)), f(-numbers(3))


@case(graphs=1)
def cond_with_closures(compile):
    scale = torch.tensor(3.0)
    f = compile(lambda x: torch.cond(x.sum() > 0, lambda v: v * scale, lambda v: v - scale, (x,)) + 1)
    return f(numbers(3)), f(-numbers(3))


@case(graphs=1)
def cond_with_several_results(compile):
    f = compile(lambda x: torch.cond(x.sum() > 0, lambda v: (v + 1, v.sum()), lambda v: (v - 1, v.mean()), (x,)))
    return f(numbers(3)), f(-numbers(3))


@case(graphs=1)
def cond_in_cond(compile):
    def inner(v):
        return torch.cond(v.sum() > 5, lambda u: u * 2, lambda u: u * 3, (v,))

    f = compile(lambda x: torch.cond(x.sum() > 0, inner, lambda v: -v, (x,)))
    return f(numbers(3)), f(numbers(3) * 10), f(-numbers(3))


@case(graphs=1)
def cond_on_a_constant(compile):
    return compile(lambda x: torch.cond(x.shape[0] == 3, lambda v: v + 1, lambda v: v - 1, (x,)))(numbers(3))


@case(graphs=1)
def cond_with_gradient(compile):
    f = compile(lambda x: torch.cond(x.sum() > 0, lambda v: v.sin() * v, lambda v: v.cos(), (x,)))
    grads = []
    for sign in (1, -1):
        x = (numbers(3) * sign).requires_grad_()
        f(x).sum().backward()
        grads.append(x.grad)
    return grads


@case(graphs=1, backends=("eager", "aot_eager"))
def loop_by_data(compile):
    f = compile(lambda x: while_loop(lambda i, v: v.sum() < 100, lambda i, v: (i + 1, v * 2), (torch.tensor(0), x)))
    return f(numbers(3)), f(numbers(3) * 20)


@case(graphs=1)
def scanning(compile):
    return compile(lambda x: scan(lambda c, v: (c + v, c * v), torch.zeros(3), x))(numbers(4, 3))


@case(graphs=1)
def flexible_attention(compile):
    q = torch.randn(1, 2, 16, 8)
    return compile(lambda q: flex_attention(q, q, q, score_mod=lambda s, b, h, i, j: s + (i - j)))(q)


@case(graphs=1)
def flexible_attention_with_bias(compile):
    q, bias = torch.randn(1, 2, 16, 8), torch.randn(16, 16)
    return compile(lambda q: flex_attention(q, q, q, score_mod=lambda s, b, h, i, j: s + bias[i, j]))(q)


@case(graphs=1)
def flexible_attention_with_mask(compile):
    q = torch.randn(1, 2, 128, 8)
    mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 128, 128, device="cpu")
    return compile(lambda q, mask: flex_attention(q, q, q, block_mask=mask))(q, mask)
