"""NumPy: arrays as arguments and results, its functions on tensors of the graph, and arrays made of constants."""

import copy
import math

import numpy as np
import torch

from tests.capture.harness import meanwhile, program, tensor

F64 = np.arange(6.0).reshape(2, 3)
F32 = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
I64 = np.arange(6).reshape(2, 3)
TABLE = np.array([[1.0, 2.0, 4.0], [0.5, 0.25, 0.125]])
STEP = np.float32(0.5)
KIND = np.dtype("float32")


# Arrays in and out


@program(F64, graphs=1, changed=[(F64.T,), (F32,), (np.arange(4.0),), (I64,)])
def in_and_out(a):
    return a * 2 + 1


@program(F64, graphs=1)
def itself_given_back(a):
    b = a + 1
    return a, b, b is a, a is a


@program(F64, graphs=1)
def changed_in_place(a):
    a += 1
    a[0] = 7
    a[:, 1] *= 3
    return a.sum()


@program(F64, graphs=1)
def views_of_an_argument(a):
    row = a[1]
    row[:] = 9
    return row, a.T, a.reshape(3, 2), a.ravel(), a[:, ::2], a.copy()


@program(F64, F64, graphs=1)
def two_arguments(a, b):
    a[0] += b[1]
    return a @ b.T, a - b


def same_twice():
    def f(a, b):
        a += 1
        return a + b, a is b

    shared = np.arange(3.0)
    return f, lambda: (shared, shared)


program(make=True, graphs=1, steady=False)(same_twice)


@program(I64, graphs=1)
def integers(a):
    return a // 2, a % 2, a / 2, -a, abs(a - 3), a**2, a << 1, a & 3, a | 8, a ^ 1, ~a


@program(F64, graphs=1)
def comparisons(a):
    return a > 2, a == 2, a != 2, a <= 3, (a > 1) & (a < 4), ~(a > 1)


@program(I64.astype(np.int32), graphs=1, changed=[(I64.astype(np.int16),), (I64 > 2,)])
def small_integers(a):
    return a.sum(), a.sum(axis=0), a.prod(), a.cumsum(), a.mean(), a.max(), np.sum(a, dtype=np.float32)


@program(F32, graphs=1)
def single_precision(a):
    return a + 1.5, a * np.float64(2), a * np.float32(2), a.sum(), a.mean(axis=1), a + np.arange(3), a + np.ones(3)


@program(F64.astype(np.float16), graphs=1)
def half_precision(a):
    return a + 1, a * 2.0, a.max()


@program((F64 + 1j * F64), graphs=1)
def complex_numbers(a):
    return a * 1j, a.real, a.imag, a.conj(), np.abs(a).astype(np.int64), a + 1


@program(np.array([True, False, True]), graphs=1)
def booleans(a):
    return a & True, a | False, ~a, a.sum(), a.all(), a.any(), a * 2, np.logical_not(a)


# Numbers out of arrays


@program(F64, graphs=1)
def reductions(a):
    return a.sum(), a.mean(), a.min(), a.max(), a.argmax(), a.argmin(axis=1), a.prod(axis=0), np.ptp(a)


@program(F64, graphs=1)
def kept_dimensions(a):
    return a.sum(axis=1, keepdims=True), np.max(a, axis=0, keepdims=True), a.mean((0, 1)), a - a.mean(0, keepdims=True)


@program(F64, graphs=1)
def arithmetic_with_numbers(a):
    total = a.sum()
    first = a[0, 1]
    return total + 1, total * first, first + a, total / 2, -first, total > 3, 2 - total, total // 4, total % 4


@program(F64, graphs=1)
def a_number_is_no_view(a):
    first = a[0, 1]
    a[0, 1] = 100
    return first, a[0, 1]


@program(F64, graphs=1)
def attributes_of_numbers(a):
    total = a.sum()
    return total.shape, total.ndim, total.dtype, total.size, type(total) is np.float64, isinstance(total, float)


@program(F64, graphs=None, broken="value of a tensor needed")
def item_needed(a):
    return a * 2, float(a.sum())


@program(F64, graphs=None, broken="value of a tensor needed")
def branch_on_data(a):
    if (a > 2).any():
        return a + 1
    return a - 1


@program(F64, graphs=None, broken="value of a tensor needed")
def boolean_mask(a):
    return a[a > 2] * 2


# Functions


@program(F64, F64, graphs=1)
def joining(a, b):
    return (
        np.concatenate([a, b]),
        np.concatenate((a, b), axis=1),
        np.stack([a, b]),
        np.vstack([a, b]),
        np.hstack([a, b]),
        np.column_stack([a[0], b[1]]),
        np.tile(a, 2),
        np.repeat(a, 2, axis=0),
        np.split(np.concatenate([a, b]), 2)[1],
    )


@program(F64, graphs=1)
def shapes(a):
    return (
        np.reshape(a, (3, 2)),
        np.transpose(a),
        np.expand_dims(a, 0),
        np.squeeze(a[None]),
        np.swapaxes(a, 0, 1),
        np.moveaxis(a, 0, 1),
        a[None, :, None].shape,
        np.broadcast_to(a[0], (2, 3)).sum(),
        a.flatten(),
        np.flip(a, 0).copy(),
        np.roll(a, 1),
    )


@program(F64, graphs=1)
def elementwise(a):
    return (
        np.sqrt(a * a),
        np.abs(-a),
        np.maximum(a, 2),
        np.minimum(a, 2.5),
        np.clip(a, 1, 4),
        np.where(a > 2, a, -a),
        np.sign(a - 2),
        np.floor(a / 2),
        np.ceil(a / 2),
        np.round(a / 3, 2),
        np.square(a),
        np.isnan(a),
        np.isfinite(a),
        np.round(np.exp(-a) + np.sin(a) + np.log1p(a) + np.tanh(a), 6),
    )


@program(F64, graphs=1)
def scans(a):
    return np.cumsum(a), np.cumsum(a, axis=1), np.cumprod(a + 1, axis=0), np.diff(a), np.triu(a), np.tril(a)


@program(F64, F64, graphs=1)
def products(a, b):
    return (
        a @ b.T,
        np.dot(a, b.T),
        np.matmul(a, b.T),
        np.outer(a[0], b[1]),
        np.inner(a[0], b[0]),
        np.einsum("ij,ij->i", a, b),
    )


@program(np.array([[4.0, 0.0], [0.0, 2.0]]), graphs=1)
def linear_algebra(a):
    return np.linalg.inv(a), np.linalg.norm(np.array([3.0, 4.0])), np.linalg.norm(a), np.trace(a), np.diag(a)


@program(F64, graphs=1)
def statistics(a):
    return (
        np.var(a),
        np.std(a, axis=0, ddof=1).shape,
        np.median(a),
        np.quantile(a, 0.5),
        np.percentile(a, 50),
        np.average(a),
    )


@program(F64, graphs=1)
def sorting(a):
    return np.sort(-a), np.argsort(a, axis=1, kind="stable"), np.flip(np.sort(a[0]))


@program(F64, graphs=None, broken="torch._numpy may answer otherwise")
def order_of_equal_items(a):
    return np.argsort(a)


@program(F64, graphs=1)
def into_another(a):
    b = np.zeros((2, 3))
    np.add(a, 1, out=b)
    c = np.empty_like(a) if False else np.zeros_like(a)
    np.copyto(c, a)
    return b, c


@program(F64, graphs=1)
def conversions(a):
    return (
        a.astype(np.float32),
        a.astype("int64"),
        a.astype(int),
        a.astype(bool),
        np.float32(a[0, 1]),
        a.astype(a.dtype),
    )


@program(F64, graphs=1)
def a_converted_array_is_another(a):
    b = a.astype(np.float64)
    b += 1
    c = np.asarray(a)
    d = np.array(a)
    d -= 1
    return a, b, c is a, d


@program(F64, np.array([1, 0, 1]), graphs=1)
def indexed_by_arrays(a, index):
    a[0, index] = 5
    return a[:, index], a[index[:2]], np.take(a, index), a[..., -1], a[1, :2], a[np.array([1, 0])]


@program(F64, graphs=1)
def iterated(a):
    total = 0
    for row in a:
        total = total + row * 2
    first, second = a
    return total, first - second, len(a), [value for value in a[0]]


@program(F64, graphs=1)
def attributes(a):
    return (
        a.shape,
        a.ndim,
        a.size,
        a.dtype,
        a.itemsize,
        a.nbytes,
        len(a),
        a.T.shape,
        a.dtype == np.float64,
        a.dtype.kind,
    )


@program(F64, graphs=1)
def questions_about_kinds(a):
    return (
        isinstance(a, np.ndarray),
        type(a) is np.ndarray,
        np.issubdtype(a.dtype, np.floating),
        hasattr(a, "shape"),
        callable(a),
        a + 0,
    )


# Between tensors and arrays


@program(graphs=1)
def tensor_to_array_and_back(x):
    a = x.numpy()
    return torch.from_numpy(a * 2) + x, a


@program(graphs=1)
def memory_is_shared(x):
    a = x.numpy()
    a[0] = 0
    y = torch.from_numpy(a)
    y += 1
    return x, a, y


@program(F32, graphs=1)
def tensors_from_an_argument(a):
    one, two = torch.from_numpy(a), torch.as_tensor(a)
    one[0] = 3
    return one, two, torch.tensor(a), torch.tensor(a, dtype=torch.float64), torch.as_tensor(a, dtype=torch.int64), a


@program(tensor(2, 3, grad=True), graphs=1)
def detached(x):
    return (x * 2).sum(), x.detach().numpy() + 1, x.detach().cpu().numpy().mean(), x.numpy(force=True)


@program(tensor(2, 3, grad=True))
def with_gradient(x):
    try:
        return x.numpy()
    except RuntimeError as error:
        return str(error), x * 2


@program(tensor(2, 3, grad=True))
def with_gradient_uncaught(x):
    return x.numpy() + 1


@program(F64, graphs=1)
def gradient_of_what_came_from_an_array(a):
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    loss = (torch.from_numpy(a) * w).sum()
    return torch.autograd.grad(loss, w)[0].numpy()


@program(tensor(2, 3), np.array([1, 0, 1]), graphs=1)
def tensor_indexed_by_array(x, index):
    y = x.clone()
    y[:, index] = 0
    return x[:, index], x[index[:2]], x[np.array([0, 1])], y, x[np.array([True, False])]


@program(graphs=1)
def tensor_and_number_of_an_array(x):
    scale = x.numpy().max()
    return x * scale, scale * x, x / scale, x - scale


@program(tensor(2, 3, dtype=torch.bfloat16), broken=None)
def no_such_array(x):
    return x.numpy()


# Arrays of constants


@program(graphs=1)
def mask_of_constants(x):
    n = x.shape[1]
    mask = torch.from_numpy(np.tril(np.ones((n, n), dtype=np.float32)))
    weight = np.cos(np.linspace(0, math.pi, n)).astype(np.float32)
    return x @ mask * torch.as_tensor(weight)


@program(graphs=1)
def large_constants(x):
    table = np.arange(60.0, dtype=np.float32).reshape(20, 3)
    return x @ torch.from_numpy(table).T, torch.tensor(table).sum()


@program(graphs=1)
def constants_changed(x):
    a = np.zeros((5, 5))
    a[1] = 3
    view = a[:, 0]
    view += 1
    a[np.arange(5), np.arange(5)] = -1
    return x + float(a.sum()), a, view, a[0]


@program(graphs=1)
def large_constant_changed_by_the_graph(x):
    a = np.zeros((8, 3), dtype=np.float32)
    t = torch.from_numpy(a)
    t += x[0]
    return a, t


@program(graphs=1)
def constants_decide(x):
    plan = np.array([4, 8, 16]) // 4
    if (plan % 2 == 0).any():
        x = x + int(plan.sum())
    for step in plan:
        x = x * step
    return x, plan.tolist(), np.where(plan > 1)[0], plan.argmax()


@program(F64, graphs=1)
def constants_and_arguments(a):
    grid = np.arange(3.0)
    a[1] = grid
    grid[0] = 5
    return a * grid, a + np.eye(2, 3), np.full((2, 3), 2) * a, grid


@program(F64, graphs=1)
def argument_written_into_constant(a):
    out = np.zeros((2, 4))
    out[:, 1:] = a
    out[0, 0] = a.sum()
    return out


@program(graphs=1)
def shared_constants_given_back(x):
    a = np.arange(6.0)
    b = a.reshape(2, 3)
    c = b[1]
    return x + 1, a, b, c, b is not a


@program(graphs=1)
def constant_numbers(x):
    return x * np.sqrt(2.0) + np.pi, np.float32(1) / 3, np.prod([2, 3]), np.max([1.5, 2.5]), np.int64(7) // 2


@program(graphs=1)
def meshes(x):
    rows, columns = np.meshgrid(np.arange(2), np.arange(3), indexing="ij")
    return x + torch.from_numpy(rows + columns), np.indices((2, 2)), np.linspace(0, 1, 5), np.triu_indices(3)


# Globals


@program(graphs=1)
def global_array(x):
    return x * torch.from_numpy(TABLE), TABLE.sum(axis=1), KIND == np.float32


@program(graphs=1)
def global_array_changed(x):
    global TABLE
    TABLE[0, 0] += 1
    TABLE = TABLE * 2
    return x + 1


@program(graphs=1)
def global_number(x):
    return x * STEP


# Left to Python


@program(broken="random number of NumPy")
def seeded(x):
    np.random.seed(0)
    return x + np.random.uniform(0, 1)


@program(broken="random number of NumPy")
def generator_made_in_the_call(x):
    rng = np.random.default_rng(0)
    return x * torch.from_numpy(rng.normal(size=3))


def drawn():
    def f(x, rng):
        noise = rng.normal(size=(2, 3)) + rng.random(3)
        return x + torch.from_numpy(noise), rng.integers(5), rng.uniform(1, 2, 3), type(rng.integers(3))

    return f, lambda: (torch.ones(2, 3), np.random.default_rng(0))


program(make=True, graphs=1)(drawn)


@program(graphs=1, steady=False, changed=[(meanwhile(lambda: np.random.seed(0)), tensor(2, 3))] * 2)
def drawn_from_the_shared_generator(nothing, x=None):
    if nothing is None:
        return (
            x * np.random.uniform(0, 1),
            np.random.rand(2),
            np.random.randint(0, 5, (2,)),
            np.random.standard_normal(),
        )
    return nothing + 1


@program(np.array(["a", "b"]), broken=True)
def text_array(a):
    return a[0], a.shape


@program(np.array([1, None], dtype=object), broken=True)
def object_array(a):
    return a[0], len(a)


def backwards_strides():
    def f(a):
        return a + 1

    return f, lambda: (np.arange(6.0)[::-1],)


program(make=True, broken=True)(backwards_strides)


@program(F64, graphs=1)
def backwards_views(a):
    flipped = np.flip(a, 0)
    return a[:, ::-1] + 1, flipped * 2, a[::-1, 0], flipped, a.T[::-1].copy()


@program(F64, broken=True)
def backwards_view_written(a):
    view = a[::-1]
    view[0] = 1
    return a + view


@program(F64, broken=True)
def backwards_view_of_what_is_written(a):
    view = a[::-1]
    a[0] = 7
    return view + 1


@program(np.broadcast_to(np.arange(3.0), (2, 3)), graphs=1)
def read_only(a):
    return a + 1, a[0]


@program(np.broadcast_to(np.arange(3.0), (2, 3)))
def read_only_written(a):
    a[0] = 1
    return a


@program(F64, tensor(2, 3), broken=True)
def array_and_tensor(a, x):
    return x * a


@program(F64, broken=None)
def bad_shapes(a):
    return a + np.zeros(7)


@program(F64, broken="NumPy raises ValueError")
def bad_shapes_caught(a):
    try:
        return a.reshape(4, 4)
    except ValueError as error:
        return str(error)


@program(graphs=1)
def constant_errors_caught(x):
    try:
        np.zeros(3).reshape(2, 2)
    except ValueError as error:
        return str(error), x + 1


@program(F64, broken=None)
def printed(a):
    print(a)
    return a + 1


@program(F64, graphs=1)
def copied(a):
    b, c = copy.copy(a), copy.deepcopy(a)
    b += 1
    return a, b, c


@program(F64, graphs=1)
def through_containers(a):
    state = {"a": a, "list": [a, a * 2]}
    state["list"][1] += 1
    return state


class Holder:
    def __init__(self, scale):
        self.scale = scale
        self.seen = []


@program(Holder(np.arange(3.0)), F64, graphs=1)
def kept_by_an_object(holder, a):
    holder.last = a * holder.scale
    holder.seen.append(holder.last.sum())
    holder.scale += 1
    return holder.last


@program(F64, graphs=1, changed=[(np.arange(8.0).reshape(2, 4),), (np.arange(10.0).reshape(2, 5),), (F64,)])
def sizes_that_vary(a):
    return a * np.arange(a.shape[1]), np.zeros(a.shape) + a.sum(), a.reshape(-1), a.size


@program(I64.astype(np.uint8), graphs=1)
def bytes_(a):
    return a + 250, a * 2, a.max(), a // 2, a.astype(np.int64).sum(), np.clip(a, 1, 3), a / 2


@program(I64.astype(np.uint8), graphs=1)
def sum_of_bytes(a):
    return a.sum(), a.cumsum(), a.prod(axis=0), np.sum(a), a.mean()


@program(F64, graphs=1)
def keyword_arguments(a):
    return np.sum(a, axis=0, dtype=np.float32), np.concatenate(arrays(a), axis=-1), np.stack(axis=1, arrays=[a, a])


def arrays(a):
    return tuple(a * n for n in range(2))


@program(tensor(2, 3), graphs=1)
def loss_with_numpy_schedule(x):
    betas = np.linspace(1e-4, 0.02, 10, dtype=np.float64)
    alphas = np.cumprod(1.0 - betas, axis=0)
    before = np.append(1.0, alphas[:-1])
    scale = torch.from_numpy(np.sqrt(alphas)).to(x.dtype)
    return x * scale[3] + torch.tensor(before[2], dtype=x.dtype), alphas.shape


@program(tensor(3, 4), graphs=1)
def sinusoidal_positions(x):
    table = np.array([[pos / np.power(10000, 2 * (j // 2) / 4) for j in range(4)] for pos in range(3)])
    out = torch.empty(3, 4)
    out[:, 0:2] = torch.FloatTensor(np.sin(table[:, 0::2]))
    out[:, 2:] = torch.FloatTensor(np.cos(table[:, 1::2]))
    return x + out


@program(tensor(4), [0.5, 1.5, 2.5], graphs=1, changed=[(tensor(4), [1.0, 2.0])])
def array_of_a_list(x, numbers):
    a = np.array(numbers)
    return x * a.mean(), a, a.std() > 0, np.asarray(numbers, dtype=np.float32).dtype


@program(tensor(2, 3), graphs=1)
def sizes_through_numpy(x):
    size = int(np.prod(x.shape))
    half = np.array(x.shape) // 2
    return x.reshape(size), tuple(half), torch.zeros(tuple(half.tolist())), np.product if False else size


@program(F64, graphs=1)
def closures_and_comprehensions(a):
    scale = a.max()
    rows = [row / scale for row in a]
    return np.array(rows), np.stack(rows), sum(rows), {i: row.sum() for i, row in enumerate(a)}


@program(F64, broken=None)
def formatted_number(a):
    return f"{a.shape} {a.dtype}", a + 1


@program(tensor(2, 3), np.float64(1.5), graphs=1, changed=[(tensor(2, 3), np.float64(n / 2)) for n in range(6)])
def number_as_argument(x, scale):
    return x * scale, scale + 1, scale.dtype


@program(tensor(2, 3), np.float32(1.5), steady=False, changed=[(tensor(2, 3), np.float32(n / 2)) for n in range(6)])
def single_number_as_argument(x, scale):
    return x * scale, scale + 1, type(scale)


@program(tensor(2, 3), np.int64(2), steady=False, broken=None, changed=[(tensor(2, 3), np.int64(n)) for n in range(4)])
def whole_number_as_argument(x, n):
    return x[:, :n] * n, n // 2, x * n


@program(F32, tensor(2, 3), broken="value of a tensor needed", changed=[(F32 * n, tensor(2, 3)) for n in range(4)])
def number_across_a_break(a, x):
    total = a.sum()
    if total > 3:
        x = x + 1
    return x * total


def overlapping():
    def f(a, b):
        a[:2] = 9
        return a + b, b

    def given():
        shared = np.arange(4.0)
        return shared[:3], shared[1:]

    return f, given


program(make=True, graphs=1)(overlapping)


@program(broken=None)
def tensors_given_to_numpy(x):
    shared = np.asarray(x)
    shared[0] = 5
    return (
        np.array(x),
        shared,
        x,
        np.stack([x, x * 2]),
        np.concatenate((x, x)),
        np.array([x, x]),
        np.array(x, np.float64),
    )


@program(np.arange(24.0).reshape(2, 3, 4), graphs=1)
def backwards_slices(a):
    return (
        a[..., ::-1] + 0,
        a[:, 2:0:-1] + 0,
        a[None, ..., 3:0:-2] + 0,
        a[0, ::-1, 1] + 0,
        a[::-1, ..., ::-1] + 0,
        a[:, 5:1:-1, None, ::-2] + 0,
        a[:, :-3:-1] + 0,
        a[:, 0:2:-1] + 0,
    )


@program(tensor(2, 3, grad=True), broken=None)
def tensor_with_gradient_given_to_numpy(x):
    try:
        return np.asarray(x)
    except RuntimeError as error:
        return str(error)


@program((np.arange(48) % 255).astype(np.uint8).reshape(1, 4, 4, 3), graphs=1)
def pictures(a):
    mean, std = np.array([0.5, 0.25, 0.75], dtype=np.float32), np.array([0.5, 1, 2], dtype=np.float32)
    x = (a[..., ::-1].astype(np.float32) / 256 - mean) / std
    return torch.from_numpy(x.transpose(0, 3, 1, 2)).sum((2, 3)), x.shape


@program(graphs=1)
def limits(x):
    return x.masked_fill(x > 2, np.finfo(np.float32).min), np.iinfo(np.int32).max, np.finfo("float64").eps


@program(np.array([[0.0, 1.0], [0.5, 2.0], [3.0, 4.0]]), graphs=1)
def overlaps_of_intervals(b):
    first, last = np.maximum(b[:, None, 0], b[None, :, 0]), np.minimum(b[:, None, 1], b[None, :, 1])
    inner, size = np.clip(last - first, 0, None), b[:, 1] - b[:, 0]
    return inner / (size[:, None] + size[None] - inner)
