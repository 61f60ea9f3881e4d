"""Tensors of other kinds, and operators of the program's own."""

import torch
from torch import nn
from torch.nn import functional as F

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def applied(name, function, *shapes, graphs=1, breaks=0, grad=False, backends=("eager", "aot_eager"), exact=True):
    def run(compile):
        f = compile(function)
        given = [numbers(*shape).requires_grad_(grad) for shape in shapes or ((2, 3),)]
        results = f(*given), f(*given)
        if grad:
            first = results[0] if isinstance(results[0], torch.Tensor) else results[0][0]
            (first.abs() if first.is_complex() else first).sum().backward()
        return results, [x.grad for x in given]

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=exact)


# Complex numbers

COMPLEX = {
    "made": lambda x: torch.complex(x, x * 2),
    "polar": lambda x: torch.polar(x, x * 2),
    "product": lambda x: x * (1 + 2j),
    "conjugate": lambda x: (x * 1j).conj() @ (x.t() * 2j),
    "conjugate_resolved": lambda x: torch.resolve_conj((x * 1j).conj()),
    "parts": lambda x: (x * (1 + 1j)).real + (x * (2 + 3j)).imag,
    "angle": lambda x: (x * (1 + 1j)).angle() + (x * 1j).abs(),
    "as_real": lambda x: torch.view_as_real(x * (1 + 1j)),
    "as_complex": lambda x: torch.view_as_complex(torch.stack([x, x], -1)),
    "fft": lambda x: torch.fft.fft(x).abs(),
    "rfft": lambda x: torch.fft.irfft(torch.fft.rfft(x, dim=-1) * 2, n=3, dim=-1),
    "fft2": lambda x: torch.fft.fftshift(torch.fft.fft2(x)).real,
    "exp": lambda x: torch.exp(1j * x).sum(),
    "is_complex": lambda x: (x * 1j, (x * 1j).is_complex(), x.is_complex(), torch.is_complex(x)),
    "rotary": lambda x: rotary(x),
    "stft": lambda x: torch.stft(x.reshape(-1).repeat(4), 8, 4, window=torch.hann_window(8), return_complex=True).abs(),
    "dtype": lambda x: x.to(torch.complex64) + x.cfloat(),
    "python": lambda x: x * complex(1, 2) + torch.tensor(1 + 2j),
}


def rotary(x):
    freqs = torch.polar(torch.ones(2, 3), torch.outer(torch.arange(2.0), torch.tensor([1.0, 0.5, 0.25])))
    pairs = torch.view_as_complex(torch.stack([x, x * 2], -1))
    return torch.view_as_real(pairs * freqs).flatten(-2)


for _name, _body in COMPLEX.items():
    applied(f"complex_{_name}", _body, exact=False)
    applied(f"complex_{_name}_with_gradient", _body, grad=True, exact=False)


@case()
def complex_argument(compile):
    f = compile(lambda z: (z * 2, z.conj(), z.real))
    z = torch.tensor([1 + 2j, 3 - 1j])
    return f(z), f(z.conj()), f(z)


@case(graphs=1)
def complex_parameter(compile):
    w = nn.Parameter(torch.tensor([1 + 2j, 3 - 1j]))
    compile(lambda x: (x * w).abs().sum())(torch.tensor([1.0, 2.0])).backward()
    return w.grad


# Sparse ones

SPARSE = {
    "made": lambda x: torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]), (2, 2)) @ x,
    "converted": lambda x: x.to_sparse().to_dense() * 2,
    "product": lambda x: torch.sparse.mm(x.to_sparse(), x.t()),
    "sum": lambda x: torch.sparse.sum(x.to_sparse(), 0).to_dense(),
    "compressed": lambda x: x.to_sparse_csr() @ x.t(),
    "is_sparse": lambda x: (x * 2, x.is_sparse, x.layout),
    "eye": lambda x: torch.eye(2).to_sparse() @ x,
}
for _name, _body in SPARSE.items():
    applied(f"sparse_{_name}", _body, backends=("eager",), graphs=None, breaks=0)


@case(backends=("eager", "aot_eager"))
def sparse_argument(compile):
    f = compile(lambda s, x: torch.sparse.mm(s, x) + 1)
    s = torch.eye(3).to_sparse()
    return f(s, numbers(3, 2)), f(s * 2, numbers(3, 2))


@case(backends=("eager", "aot_eager"))
def sparse_adjacency_of_a_module(compile):
    class Graph(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("adjacency", torch.tensor([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]).to_sparse())
            self.layer = nn.Linear(2, 2)

        def forward(self, x):
            return torch.relu(torch.sparse.mm(self.adjacency, self.layer(x)))

    torch.manual_seed(1)
    model = Graph()
    f = compile(model)
    f(numbers(3, 2)).sum().backward()
    return f(numbers(3, 2)), [p.grad for p in model.parameters()]


@case(backends=("eager",))
def compressed_argument(compile):
    f = compile(lambda s, x: s @ x)
    return f(torch.eye(3).to_sparse_csr(), numbers(3, 2))


# Operators of the program's own

LIBRARY = torch.library.Library("framelift_programs", "FRAGMENT")
if not hasattr(torch.ops.framelift_programs, "scaled"):
    LIBRARY.define("scaled(Tensor x, float k) -> Tensor")
    LIBRARY.define("shifted_(Tensor(a!) x, int k) -> ()")
    LIBRARY.define("split_two(Tensor x) -> (Tensor, Tensor)")
    LIBRARY.impl("scaled", lambda x, k: x * k, "CompositeExplicitAutograd")
    LIBRARY.impl("split_two", lambda x: (x + 1, x - 1), "CompositeImplicitAutograd")

    @torch.library.impl(LIBRARY, "shifted_", "CPU")
    def _shifted(x, k):
        x.add_(k)

    @torch.library.register_fake("framelift_programs::shifted_")
    def _(x, k):
        return None

    @torch.library.register_fake("framelift_programs::scaled", lib=LIBRARY)
    def _(x, k):
        return torch.empty_like(x)

    @torch.library.custom_op("framelift_programs::cube", mutates_args=())
    def cube(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(x.detach().numpy() ** 3)

    @cube.register_fake
    def _(x):
        return torch.empty_like(x)

    cube.register_autograd(
        lambda ctx, grad: grad * 3 * ctx.saved_tensors[0] ** 2,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
    )

    @torch.library.custom_op("framelift_programs::fill", mutates_args={"out"})
    def fill(out: torch.Tensor, value: float) -> None:
        out.fill_(value)

    @torch.library.custom_op("framelift_programs::many", mutates_args=())
    def many(xs: list[torch.Tensor], sizes: list[int], name: str = "a") -> list[torch.Tensor]:
        return [x * k for x, k in zip(xs, sizes, strict=True)]

    @many.register_fake
    def _(xs, sizes, name="a"):
        return [torch.empty_like(x) for x in xs]
else:  # the file was executed before
    from torch._library.custom_ops import OPDEFS

    cube, fill, many = (OPDEFS[f"framelift_programs::{name}"] for name in ("cube", "fill", "many"))


def filled(x):
    out = torch.empty(3)
    fill(out, 2.5)
    return out + x


def shifted(x):
    y = x * 2
    torch.ops.framelift_programs.shifted_(y, 3)
    return y


applied("operator_scaled", lambda x: torch.ops.framelift_programs.scaled(x, 2.0) + 1)
applied("operator_overload", lambda x: torch.ops.framelift_programs.scaled.default(x, k=2.0) + 1)
applied(
    "operator_two_results",
    lambda x: torch.ops.framelift_programs.split_two(x)[0] * torch.ops.framelift_programs.split_two(x)[1],
)
applied("operator_in_place", shifted)
applied("operator_decorated", lambda x: cube(x) + 1, backends=ALL)
applied("operator_decorated_with_gradient", lambda x: cube(x * 2) + 1, grad=True)
applied("operator_decorated_by_name", lambda x: torch.ops.framelift_programs.cube(x) + cube._opoverload(x))
applied("operator_that_changes", filled)
applied("operator_of_lists", lambda x: sum(many([x, x * 2], [1, 2])))
applied("operator_of_lists_with_name", lambda x: many([x, x * 2], [1, x.shape[0]], name="b")[1])
applied(
    "operators_of_aten",
    lambda x: torch.ops.aten.add.Tensor(x, x, alpha=2) + torch.ops.aten.sum.dim_IntList(x, [1], True),
)
applied("operators_of_prims", lambda x: torch.ops.prims.convert_element_type(x, torch.float64))


@case(breaks=1)
def operator_without_fake(compile):
    if not hasattr(torch.ops.framelift_programs, "opaque"):
        LIBRARY.define("opaque(Tensor x) -> Tensor")
        LIBRARY.impl("opaque", lambda x: x * 3, "CPU")
    f = compile(lambda x: torch.ops.framelift_programs.opaque(x + 1) + 1)
    return f(numbers(3))


# Quantised-like


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        weight = torch.randn(4, 3)
        scale = weight.abs().amax(1, keepdim=True) / 127
        self.register_buffer("weight", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype) * self.scale)


@case(graphs=1, backends=ALL)
def quantized_module(compile):
    return compile(Quantized())(numbers(2, 3))


applied("fake_quantized", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127), grad=True)
applied(
    "quantized_tensor", lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8).dequantize(), graphs=None, breaks=2
)
applied("bits", lambda x: x.to(torch.uint8).bitwise_left_shift(2) ^ 3)
applied("views_of_dtype", lambda x: x.view(torch.int32) + 1)
applied("nested", lambda x: torch.nested.nested_tensor([x, x * 2]).to_padded_tensor(0.0), graphs=None, breaks=1)


# Filling with a tensor, of which only the graph knows the number

FILLED = {
    "full": lambda x: (torch.full((2, 2), x[0, 0]), torch.full((3,), x.sum(), dtype=torch.float64)),
    "full_of_ints": lambda x: (torch.full((2,), x.argmax()), torch.full((2,), x.any()), torch.full([], x.int()[0, 1])),
    "full_with_dtype": lambda x: (torch.full((2,), x[1, 1], dtype=torch.int32), torch.full((2,), x.double()[0, 2])),
    "full_like": lambda x: (torch.full_like(x, x.max()), torch.full_like(x, fill_value=x[0, 0], dtype=torch.long)),
    "new_full": lambda x: (x.new_full((2, 1), x[0, 1]), x.new_full((2,), x.long()[1, 1], dtype=torch.bool)),
}
for _name, _function in FILLED.items():
    applied(f"filled_by_a_tensor_{_name}", _function)


@case(breaks=1, graphs=None)
def filled_by_a_tensor_with_gradients(compile):
    """PyTorch takes it for no number."""
    x = numbers(2, 3).requires_grad_()
    f = compile(lambda x: x.new_full((2,), x[0, 0].detach()) + x.new_full((2,), (x * x).sum()))
    outcomes = []
    for _ in range(2):
        try:
            f(x)
        except TypeError as error:
            outcomes.append(str(error))
    return outcomes
