"""Modes and managers, and what is written for PyTorch's compiler."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def applied(name, function, *shapes, graphs=1, breaks=0, grad=False, backends=("eager", "aot_eager")):
    def run(compile):
        f = compile(function)
        given = [numbers(*shape).requires_grad_(grad) for shape in shapes or ((2, 3),)]
        return f(*given), f(*given)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


def within(manager):
    """The function of a program that does something inside of a manager and outside."""

    def f(x):
        with manager():
            y = x @ x.t() + torch.ones(2)
        return y, y.requires_grad, x * 2

    return f


MANAGERS = {
    "no_grad": (torch.no_grad, 0),
    "enable_grad": (torch.enable_grad, 0),
    "grad_set": (lambda: torch.set_grad_enabled(False), 0),
    "autocast": (lambda: torch.autocast("cpu", dtype=torch.bfloat16), 0),
    "autocast_off": (lambda: torch.autocast("cpu", enabled=False), 0),
    "label": (lambda: torch.profiler.record_function("part"), 0),
    "math_attention": (lambda: sdpa_kernel(SDPBackend.MATH), 0),
    "inference": (torch.inference_mode, 0),
    "device": (lambda: torch.device("cpu"), 0),
}
for _name, (_manager, _breaks) in MANAGERS.items():
    for _grad in (False, True):
        applied(
            f"within_{_name}{'_with_gradient' if _grad else ''}",
            within(_manager),
            graphs=None,
            breaks=_breaks,
            grad=_grad,
        )


def decorated(decorator):
    @decorator
    def f(x):
        return x * 2

    return f


applied("decorated_no_grad", decorated(torch.no_grad()), grad=True)
applied("decorated_enable_grad", decorated(torch.enable_grad()), grad=True)
applied("decorated_autocast", decorated(torch.autocast("cpu", dtype=torch.bfloat16)), grad=True)
applied("attention_by_kernel", lambda q: within_kernel(q), (1, 2, 4, 8), backends=ALL)


def within_kernel(q):
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        return F.scaled_dot_product_attention(q, q, q, is_causal=True)


applied("limits", lambda x: x.clamp(min=torch.finfo(x.dtype).eps) + torch.iinfo(torch.int8).max)
applied("size_of_a_shape", lambda x: x * x.shape.numel() + torch.Size([2, 3]).numel())
applied("made_device", lambda x: x.to(torch.device("cpu")) + torch.zeros(3, device=torch.device("cpu")))
applied("complex", lambda x: torch.fft.fft(x.to(torch.complex64)).abs() + torch.view_as_real(x * 1j).sum())
applied("sparse_made_inside", lambda x: torch.sparse.mm(x.to_sparse(), x.t()) + 1, graphs=None, backends=("eager",))
applied("random", lambda x: F.dropout(x, 0.5) + torch.rand(3) * torch.randn(2, 3))
applied("random_like", lambda x: torch.rand_like(x) + torch.bernoulli(torch.full((3,), 0.5)))
applied("seeded_inside", lambda x: (torch.manual_seed(3), x + torch.rand(3))[1], graphs=1)
applied("is_compiling", lambda x: x + (torch.compiler.is_compiling() is None))
applied("parameter_made_inside", lambda x: nn.Parameter(x * 2) + 1)
applied("data_of_a_tensor", lambda x: x.data * 2 + x.detach())
applied("default_dtype_changed", lambda x: with_doubles(x))


def with_doubles(x):
    torch.set_default_dtype(torch.float64)
    y = torch.ones(3)
    torch.set_default_dtype(torch.float32)
    return x + y


@case()
def own_generator(compile):
    generator = torch.Generator().manual_seed(3)
    f = compile(lambda x, g: x + torch.rand(3, generator=g))
    return f(numbers(3), generator), f(numbers(3), generator), generator.get_state()


@case()
def grad_mode_around(compile):
    f = compile(lambda x: x * 2)
    x = numbers(3).requires_grad_()
    with torch.no_grad():
        first = f(x)
    return first, f(x)


@case()
def autocast_around(compile):
    f = compile(lambda x: x @ x.t())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = f(numbers(2, 3))
    return first, f(numbers(2, 3))


@case()
def default_device_around(compile):
    f = compile(lambda x: x + torch.ones(3))
    with torch.device("cpu"):
        first = f(numbers(3))
    return first, f(numbers(3))


@case()
def inference_around(compile):
    f = compile(lambda x: x * 2 + 1)
    with torch.inference_mode():
        first = f(numbers(3))
    return first, first.is_inference(), f(numbers(3))


@case(breaks=2)
def hooks_on_saved_tensors(compile):
    def f(x):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t * 2):
            return (x * x).sum()

    x = numbers(3).requires_grad_()
    compile(f)(x).backward()
    return x.grad


# Marks that are written for PyTorch's compiler


@torch.compiler.disable
def kept_away(x):
    return x * 2 if x.sum() > 0 else x


@torch.compiler.assume_constant_result
def constant():
    return 3


@torch.compiler.allow_in_graph
def allowed(x):
    return x.sin() + 1


applied("disabled", lambda x: kept_away(x + 1) + 1, graphs=2, breaks=1)
applied("assumed_constant", lambda x: x + constant())
applied("allowed_in_graph", lambda x: allowed(x) * 2)


@case(graphs=1)
def compiled_inside_of_compiled(compile):
    inner = compile(lambda x: x * 2)
    module = compile(nn.Linear(3, 3))
    with torch.no_grad():
        module.weight.fill_(0.5)
        module.bias.fill_(0.1)
    return compile(lambda x: module(inner(x) + 1))(numbers(2, 3))


@case(graphs=1)
def compiled_method_inside(compile):
    class Thing:
        def __init__(self):
            self.k = 3

        def scaled(self, x):
            return x * self.k

    thing = Thing()
    thing.scaled = compile(thing.scaled)
    return compile(lambda x: thing.scaled(x) + 1)(numbers(3))


# NumPy's numbers


applied("numpy_functions_of_constants", lambda x: x * np.sqrt(2.0) + np.mean([1, 2, 3]) + np.pi)
applied("numpy_scalars", lambda x: x * np.float32(3) + np.int64(2) // 2)
applied("numpy_scalar_first", lambda x: np.float64(2) * x)
applied("numpy_product_of_sizes", lambda x: x.reshape(int(np.prod(x.shape))))
applied("numpy_scalars_given_back", lambda x: (x + 1, np.float32(1.5) + 1, np.log(10), np.prod((2, 3))))
applied("numpy_scalar_as_index", lambda x: x[:, : np.int64(2)].sum(np.int64(1)))
applied("numpy_scalar_in_branch", lambda x: x + 1 if np.isnan(np.float64("nan")) else x)
applied("numpy_rounding", lambda x: x + float(np.ceil(2.3)) + int(np.floor(np.float32(2.7))))
