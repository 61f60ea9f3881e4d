"""Gradients: functions of the program's own in all their forms, checkpoints, hooks, second derivatives."""

import functools

import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.utils import checkpoint as checkpoints
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def network(*sizes):
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))


def state_of(model):
    return [p.detach() for p in model.parameters()], [p.grad for p in model.parameters()]


def custom(name, call, breaks=0, graphs=1, backends=("eager", "aot_eager"), grad=(True, True), exact=True):
    def run(compile):
        x, y = numbers(2, 3).requires_grad_(grad[0]), numbers(2, 3).sqrt().detach().requires_grad_(grad[1])
        f = compile(call)
        for _ in range(2):
            result = f(x, y)
            result = result if isinstance(result, tuple) else (result,)
            if any(grad):
                sum(
                    part.pow(2).sum() for part in result if isinstance(part, torch.Tensor) and part.requires_grad
                ).backward()
        return result, x.grad, y.grad

    add(globals(), name, run, breaks=breaks, backends=backends, graphs=graphs, exact=exact)


class Needs(Function):
    """Asks which inputs need a gradient in forward too."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x if ctx.needs_input_grad[1] else None, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad * w, grad * x if ctx.needs_input_grad[1] else None


class Plain(Function):
    """Marks a result as not differentiable."""

    @staticmethod
    def forward(ctx, x):
        top, where = x.max(-1)
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(where)
        ctx.shape = x.shape
        return top, where

    @staticmethod
    def backward(ctx, grad, _):
        (where,) = ctx.saved_tensors
        return torch.zeros(ctx.shape).scatter_(-1, where.unsqueeze(-1), grad.unsqueeze(-1))


class PlainFloat(Function):
    @staticmethod
    def forward(ctx, x):
        y, aside = x * 2, x.detach() + 1
        ctx.mark_non_differentiable(aside)
        return y, aside

    @staticmethod
    def backward(ctx, grad, _):
        return grad * 3


class Arguments(Function):
    """Takes things that are no tensors."""

    @staticmethod
    def forward(ctx, x, power, options, names=("a",), flag=None):
        ctx.power, ctx.options = power, options
        ctx.save_for_backward(x)
        return x**power * options["scale"] + len(names)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.power * x ** (ctx.power - 1) * ctx.options["scale"], None, None, None, None


class Setup(Function):
    @staticmethod
    def forward(x, y, scale):
        return x * y * scale, x + y

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, scale = inputs
        ctx.save_for_backward(x, y)
        ctx.scale = scale

    @staticmethod
    def backward(ctx, first, second):
        x, y = ctx.saved_tensors
        return first * y * ctx.scale + second, first * x * ctx.scale + second, None


class Once(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.exp()


class Dirty(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class DirtyPair(Function):
    """Changes two of its inputs, one of them without a gradient, and uses what the other was."""

    @staticmethod
    def forward(ctx, x, w, mean):
        ctx.mark_dirty(x, mean)
        ctx.save_for_backward(x.clone(), w)
        mean.mul_(0.9).add_(x.mean(0) / 10)
        x.mul_(w)
        return x, mean, x.sum(0)

    @staticmethod
    def backward(ctx, grad, _, total):
        x, w = ctx.saved_tensors
        grad = grad + total
        return grad * w, grad * x, None


class DirtyAndSaved(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x.exp_())
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0] * 2


def dirty_twice(x, y):
    made = x * y
    result = Dirty.apply(Dirty.apply(made))
    made.add_(1)
    return result * made, result is made


def dirty_view(x, y):
    made = x * y
    part = Dirty.apply(made[0])
    return made, part * 2


def dirty_with_views(x, y):
    made = x * y
    flat = made.view(-1)
    return Dirty.apply(made), flat * 1


def dirty_pair(x, y):
    made, mean = x * 2, torch.ones(3)
    first, second, total = DirtyPair.apply(made, y, mean)
    return first, second, total, first is made, second is mean


def dirty_without_gradient(x, y):
    made = x * y
    with torch.no_grad():
        result = Dirty.apply(made.detach())
    return result, made


class Reversal(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.neg() * ctx.alpha, None


class Lists(Function):
    """Takes a list of tensors, spread out."""

    @staticmethod
    def forward(ctx, count, *tensors):
        ctx.count = count
        ctx.save_for_backward(*tensors)
        return sum(tensors[1:], tensors[0]) * count

    @staticmethod
    def backward(ctx, grad):
        return (None, *(grad * ctx.count for _ in ctx.saved_tensors))


class Optional(Function):
    @staticmethod
    def forward(ctx, x, bias):
        ctx.has_bias = bias is not None
        return x * 2 if bias is None else x * 2 + bias

    @staticmethod
    def backward(ctx, grad):
        return grad * 2, grad if ctx.has_bias else None


class Unmaterialized(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        total = None
        if a is not None:
            total = a * 2
        if b is not None:
            total = b * 3 if total is None else total + b * 3
        return total


class Casting(Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w, grad.t() @ x


class Module(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.function = function

    def forward(self, x):
        return self.function.apply(x, self.scale)


class Scalar(Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        return grad * scale, (grad * x).sum()


class Jvp(Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * x

    @staticmethod
    def vmap(info, in_dims, x):
        return Jvp.apply(x), in_dims[0]


class Generated(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.cos() * 3


custom("function_needs", lambda x, y: Needs.apply(x, y), backends=ALL)
custom("function_needs_one", lambda x, y: Needs.apply(x, y), grad=(True, False))
custom("function_needs_other", lambda x, y: Needs.apply(x, y), grad=(False, True))
custom("function_plain_result", lambda x, y: Plain.apply(x * y))
custom("function_plain_float", lambda x, y: PlainFloat.apply(x * y))
custom("function_arguments", lambda x, y: Arguments.apply(x * y, 2, {"scale": 3.0}))
custom("function_more_arguments", lambda x, y: Arguments.apply(x * y, 2, {"scale": 3.0}, ("a", "b"), None))
custom("function_setup", lambda x, y: Setup.apply(x, y, 0.5))
custom("function_once", lambda x, y: Once.apply(x) * y)
custom("function_dirty", lambda x, y: Dirty.apply(x * y))
custom("function_dirty_twice", dirty_twice)
custom("function_dirty_view", dirty_view)
custom("function_dirty_with_views", dirty_with_views)
custom("function_dirty_pair", dirty_pair)
custom("function_dirty_and_saved", lambda x, y: DirtyAndSaved.apply(x * y))
custom("function_dirty_without_gradient", dirty_without_gradient)
custom("function_reversal", lambda x, y: Reversal.apply(x * y, 0.1))
custom("function_list", lambda x, y: Lists.apply(2, x, y, x * y))
custom("function_same_twice", lambda x, y: Lists.apply(2, x, x, y))
custom("function_optional", lambda x, y: Optional.apply(x, None) + Optional.apply(x, y))
custom("function_unmaterialized", lambda x, y: Unmaterialized.apply(x * y))
custom("function_unmaterialized_one", lambda x, y: Unmaterialized.apply(x * y)[1])
custom("function_casting", lambda x, y: Casting.apply(x, y))
custom("function_casting_in_autocast", lambda x, y: in_autocast(x, y), graphs=None, exact=False)
custom("function_by_name", lambda x, y: by_name(Needs.apply, x, y))
custom("function_partial", lambda x, y: functools.partial(Needs.apply, x)(y))
custom("function_in_comprehension", lambda x, y: torch.stack([Reversal.apply(row, k) for k, row in enumerate(x * y)]))
custom("function_of_views", lambda x, y: Needs.apply(x.t(), y.t()).reshape(-1))
custom("function_result_unused", lambda x, y: (Needs.apply(x, y), x * y)[1])
custom("function_in_function", lambda x, y: Once.apply(Needs.apply(x, y) / 10))
custom("function_vmapped", lambda x, y: torch.func.vmap(Jvp.apply)(x) * y, graphs=None, breaks=1)
custom("function_generated_vmap", lambda x, y: torch.func.vmap(Generated.apply)(x) * y, graphs=None, breaks=1)
custom(
    "function_in_func_grad", lambda x, y: torch.func.grad(lambda v: Jvp.apply(v).sum())(x) * y, graphs=None, breaks=1
)


def by_name(apply, x, y):
    return apply(x, y)


def in_autocast(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return Casting.apply(x, y).float()


@case(graphs=1)
def function_of_a_module(compile):
    model = Module(Scalar)
    f = compile(model)
    x = numbers(3).requires_grad_()
    for _ in range(2):
        f(x).sum().backward()
    return x.grad, model.scale.grad


@case()
def function_second_derivative(compile):
    x = numbers(3).requires_grad_()
    y = compile(lambda x: Needs.apply(x, x * 2).sum())(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return g


# Checkpoints


def checkpointed(name, body, backends=("eager", "aot_eager"), breaks=0, graphs=1):
    def run(compile):
        model = network()
        x = numbers(2, 3).requires_grad_()
        f = compile(lambda x: body(model, x))
        for _ in range(2):
            result = f(x)
            result.sum().backward()
        return result, x.grad, state_of(model)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


checkpointed("checkpoint_with_keywords", lambda m, x: checkpoint(lambda v, *, k: m(v) * k, x, use_reentrant=False, k=2))
checkpointed("checkpoint_without_rng", lambda m, x: checkpoint(m, x, use_reentrant=False, preserve_rng_state=False))
checkpointed("checkpoint_no_check", lambda m, x: checkpoint(m, x, use_reentrant=False, determinism_check="none"))
checkpointed("checkpoint_no_early_stop", lambda m, x: checkpoint(m, x, use_reentrant=False, early_stop=False))
checkpointed("checkpoint_of_parts", lambda m, x: checkpoint_sequential(m, 2, x, use_reentrant=False))
checkpointed(
    "checkpoint_in_a_loop",
    lambda m, x: functools.reduce(lambda v, _: checkpoint(m, v, use_reentrant=False), range(3), x),
)
checkpointed(
    "checkpoint_with_constants", lambda m, x: checkpoint(lambda v, k, name: m(v) * k, x, 3, "a", use_reentrant=False)
)
checkpointed(
    "checkpoint_of_a_list",
    lambda m, x: sum(checkpoint(lambda parts: [m(p) for p in parts], [x, x * 2], use_reentrant=False)),
)
checkpointed(
    "checkpoint_of_a_dict", lambda m, x: checkpoint(lambda v: {"a": m(v), "b": v * 2}, x, use_reentrant=False)["a"]
)
checkpointed(
    "checkpoint_with_none", lambda m, x: checkpoint(lambda v, mask: (m(v), mask), x, None, use_reentrant=False)[0]
)
checkpointed("checkpoint_not_told", lambda m, x: checkpoint(m, x), breaks=1, graphs=None)
checkpointed(
    "checkpoint_by_partial", lambda m, x: checkpoint(functools.partial(scaled_by, m, k=2), x, use_reentrant=False)
)
checkpointed("checkpoint_under_autocast", lambda m, x: autocast_checkpoint(m, x))
checkpointed(
    "checkpoint_selective",
    lambda m, x: checkpoint(m, x, use_reentrant=False, context_fn=selective),
    breaks=1,
    graphs=None,
)
checkpointed(
    "checkpoint_of_a_function_of_its_own",
    lambda m, x: checkpoint(lambda v: Reversal.apply(m(v), 2.0), x, use_reentrant=False),
)


def scaled_by(model, x, k):
    return model(x) * k


def autocast_checkpoint(m, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return checkpoint(m, x, use_reentrant=False).float()


def selective():
    return checkpoints.create_selective_checkpoint_contexts([torch.ops.aten.mm.default])


@case(graphs=1, backends=("eager",))
def checkpoint_counts_batches(compile):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    f = compile(lambda x: checkpoint(model, x, use_reentrant=False).sum())
    for _ in range(2):
        f(numbers(4, 3)).backward()
    return dict(model.state_dict()), [p.grad for p in model.parameters()]


@case(graphs=None, breaks=1, backends=("aot_eager",))
def checkpoint_counts_batches_twice(compile):
    """The backward pass computes it again, and counts again."""
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    f = compile(lambda x: checkpoint(model, x, use_reentrant=False).sum())
    for _ in range(2):
        f(numbers(4, 3)).backward()
    return dict(model.state_dict()), [p.grad for p in model.parameters()]


# Second derivatives and what autograd is asked


def differentiated(name, function, graphs=1, breaks=0, backends=("eager", "aot_eager")):
    def run(compile):
        x = numbers(3).requires_grad_()
        f = compile(function)
        return f(x), f(x)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


def leaf(x):
    return x.detach().requires_grad_()


def double_backward(x):
    x = leaf(x)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    return g, h


def backward_to_new_leaf(x):
    y = leaf(x)
    (y**3).sum().backward()
    return y.grad


def backward_with_inputs(x):
    (x**2).sum().backward(inputs=[x])
    return x * 2


def backward_of_vector(x):
    (x**2).backward(torch.ones(3))
    return x.detach() * 2


def hooked_inside(x):
    y = x * 2
    y.register_hook(lambda g: g * 3)
    return y.sum()


def retained(x):
    y = x * 2
    y.retain_grad()
    y.sum().backward()
    return y.grad


def grad_fn_asked(x):
    y = x * 2
    return y, y.grad_fn is None, x.grad_fn is None, y.requires_grad


differentiated("double_backward", double_backward)
differentiated("backward_to_new_leaf", backward_to_new_leaf, graphs=None)
differentiated("backward_of_vector", backward_of_vector, graphs=2)
differentiated("backward_with_inputs", backward_with_inputs, graphs=None)
differentiated("retained_gradient", retained, graphs=None)
differentiated("grad_fn_asked", grad_fn_asked, breaks=1)
differentiated("jacobian", lambda x: torch.autograd.functional.jacobian(lambda v: v**2, x), graphs=None, breaks=0)
differentiated("hessian", lambda x: torch.autograd.functional.hessian(lambda v: (v**3).sum(), x), graphs=None, breaks=0)
differentiated("vjp", lambda x: torch.autograd.functional.vjp(lambda v: v**2, x, torch.ones(3)), graphs=None, breaks=0)
differentiated("detach_in_place", lambda x: (x * 2).detach_() + 1)
differentiated("requires_grad_in_place", lambda x: torch.ones(3).requires_grad_() * x)


def dirty_argument(compile):
    found = []
    f = compile(lambda x: (Dirty.apply(x), x))
    for rows in (2, 2, 4, 5):
        x = numbers(rows, 3).requires_grad_()
        x.sum().backward()
        given = x * 3
        result, same = f(given)
        (result * 2 + given).pow(2).sum().backward()
        found.append((result, given, result is same is given, x.grad))
    return found


add(globals(), "dirty_argument", dirty_argument, backends=("eager",))
add(globals(), "dirty_argument_of_autograd", dirty_argument, breaks=1, backends=("aot_eager",))


@case(graphs=1)
def hook_on_a_value(compile):
    x = numbers(3).requires_grad_()
    compile(hooked_inside)(x).backward()
    return x.grad


@case(graphs=1, backends=ALL)
def double_backward_through_outside(compile):
    w = nn.Parameter(numbers(3))
    f = compile(lambda x: (x * w).sin().sum())
    x = numbers(3).requires_grad_()
    return torch.autograd.grad(f(x), x)[0]


@case(graphs=1, backends=("eager",))
def double_backward_outside(compile):
    w = nn.Parameter(numbers(3))
    f = compile(lambda x: (x * w).sin().sum())
    x = numbers(3).requires_grad_()
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    g.pow(2).sum().backward()
    return g, x.grad, w.grad


@case(graphs=1)
def sparse_gradients(compile):
    torch.manual_seed(1)
    layer = nn.Embedding(5, 3, sparse=True)
    compile(lambda i: layer(i).sum())(torch.tensor([1, 3])).backward()
    return layer.weight.grad.to_dense()
