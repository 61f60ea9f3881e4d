"""Arrays of NumPy with real backends."""

import weakref

import numpy as np
import torch
from torch import nn

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape, dtype=np.float64):
    return (np.arange(1, 1 + int(np.prod(shape)), dtype=dtype) / 4).reshape(shape)


def told(value):
    """Arrays as what can be compared: their type, dtype and layout, and a tensor."""
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.strides, torch.from_numpy(value.copy())
    if isinstance(value, np.generic):
        return type(value), torch.from_numpy(np.asarray(value))
    if isinstance(value, list | tuple):
        return [told(item) for item in value]
    return value


@case(graphs=1, backends=ALL)
def in_and_out(compile):
    f = compile(lambda a: np.sin(a) + a.sum())
    return told([f(numbers(2, 3)), f(numbers(2, 3) * 2)])


@case(graphs=1, backends=ALL)
def changed_in_place(compile):
    def f(a, b):
        a += b
        a[0] = b.max()
        return a.T, b @ a.T

    given = numbers(2, 3), numbers(2, 3)
    return told([compile(f)(*given), *given])


@case(graphs=1, backends=ALL)
def views_and_copies(compile):
    def f(a):
        row = a[1]
        row *= 2
        return row, a.reshape(-1), a.astype(np.float32), np.flip(a, 1), a[:, [0, 2]]

    a = numbers(2, 3)
    found = compile(f)(a)
    return told([a, found, [np.shares_memory(one, a) for one in found]])


@case(graphs=1, backends=ALL)
def model_fed_with_arrays(compile):
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)

    def f(a):
        x = torch.from_numpy((a - a.mean(0)) / (a.std(0) + 1e-5)).float()
        loss = layer(x).square().mean()
        loss.backward()
        return loss.detach().numpy()

    found = compile(f)(numbers(4, 3))
    return told([found, layer.weight.grad])


@case(graphs=1, backends=ALL)
def constants_of_numpy(compile):
    def f(x):
        n = x.shape[-1]
        angles = np.arange(n)[:, None] / np.power(10000, 2 * (np.arange(n)[None] // 2) / n)
        angles[:, 0::2] = np.sin(angles[:, 0::2])
        angles[:, 1::2] = np.cos(angles[:, 1::2])
        mask = np.triu(np.ones((n, n)), k=1).astype("uint8")
        scores = (x @ x.transpose(-1, -2)).masked_fill(torch.from_numpy(mask) == 1, float("-inf"))
        return scores.softmax(-1) @ x + torch.from_numpy(angles).float()

    f = compile(f)
    x = torch.from_numpy(numbers(5, 5, dtype=np.float32))
    return f(x), f(x)


@case(graphs=1, backends=ALL)
def detached_statistics(compile):
    torch.manual_seed(0)
    layer = nn.Linear(3, 3)

    def f(x):
        y = layer(x)
        a = y.detach().numpy()
        return y.sum(), a.mean(axis=0), np.quantile(a, 0.5), a.max() - a.min()

    return told(compile(f)(torch.ones(2, 3)))


@case(graphs=2)
def sizes_that_vary(compile):
    f = compile(lambda a: np.concatenate([a, np.zeros(a.shape)]) * np.arange(a.shape[1]))
    return told([f(numbers(2, size)) for size in (3, 4, 5, 6)])


@case(graphs=2)
def dtypes_that_vary(compile):
    f = compile(lambda a: (a * 2, a.sum(), a / 2))
    return told([f(numbers(2, 3)), f(numbers(2, 3, dtype=np.float32)), f(numbers(2, 3))])


@case(graphs=1)
def arrays_that_die(compile):
    """A compiled function keeps no array alive."""
    f = compile(lambda a: a * 2)
    a = np.ones(3)
    result, gone = f(a), weakref.ref(a)
    del a
    return gone() is None, told(result)


@case(graphs=2)
def numbers_that_change(compile):
    f = compile(lambda x, scale: x * scale)
    return [f(torch.ones(2), np.float64(n)) for n in range(2, 7)]


@case(breaks=1)
def under_autocast(compile):
    def f(a, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return a @ a.T, x @ x

    return told(compile(f)(numbers(2, 3), torch.ones(2, 2)))


@case(breaks=1)
def errors_that_raise(compile):
    def f(a):
        return a / (a - a)

    with np.errstate(all="raise"):
        try:
            return compile(f)(numbers(2))
        except FloatingPointError as error:
            return str(error)


@case(graphs=1, backends=ALL)
def memory_that_two_arguments_share(compile):
    """Only Python knows what comes of that: a backend is told of inputs that have nothing in common."""

    def f(a, b, x):
        a[1:] = 9
        return a + b, x + b.sum()

    f, shared, x = compile(f), numbers(8), torch.ones(8, dtype=torch.float64)
    first = f(numbers(3), numbers(3), x)
    second = f(shared[:3], shared[1:4], x)
    return told([first, second, f(shared[:3], numbers(3), torch.from_numpy(shared))])


def numbers_of_every_type(name, function, breaks=1):
    """To PyTorch a number of NumPy's is not always the plain number of the same value."""

    def run(compile):
        f = compile(function)
        kinds = (np.float64, np.float32, np.float16, np.int64, np.int32, np.uint8, np.bool_)
        return [[f(torch.arange(1.0, 4), kind(value)) for value in (1, 1, 0, 1)] for kind in kinds]

    add(globals(), f"types_of_numbers_{name}", run, breaks=breaks)  # where the number of an argument varies


numbers_of_every_type("made", lambda x, s: (x + 1, torch.tensor(s), torch.as_tensor(s), torch.full((2,), s)))
numbers_of_every_type("in_lists", lambda x, s: (x + 1, torch.tensor([s, s]), torch.tensor([[s]])), breaks=7)
numbers_of_every_type("operands", lambda x, s: (x * s, x.half() + s, x.int() * s, s * x.int(), s + x, torch.add(x, s)))
numbers_of_every_type("filled", lambda x, s: (x.masked_fill(x > 0, s), torch.full_like(x, s), torch.where(x > 0, s, x)))
numbers_of_every_type("ranges", lambda x, s: (x + 1, torch.arange(s), torch.linspace(0, s, 3)))
numbers_of_every_type(
    "constants",
    lambda x, s: (x + 1, torch.tensor(np.int8(3)), torch.tensor([np.float16(1), 2.0]), torch.tensor(np.True_)),
    breaks=0,
)
