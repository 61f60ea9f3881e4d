"""Tensor subclasses with `__torch_function__`, torch-function modes, custom operators."""

import torch

from tests.capture.torch_cases import add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


class Plain(torch.Tensor):
    pass


class Cosine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.sin:
            func = torch.cos
        if func is torch.Tensor.add:
            func = torch.Tensor.sub
        return super().__torch_function__(func, types, args, kwargs or {})


class Counting(torch.Tensor):
    calls = 0

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls += 1
        return super().__torch_function__(func, types, args, kwargs or {})


class Unwrapping(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))


OPERATIONS = {
    "function": lambda x: torch.sin(x),
    "method": lambda x: x.exp().sum(0),
    "plus": lambda x: x + 1,
    "reflected_plus": lambda x: 1 + x,
    "minus": lambda x: 3 - x,
    "times_itself": lambda x: x * x,
    "matmul": lambda x: x @ x.t(),
    "index": lambda x: x[0] + x[:, 1:].sum(),
    "comparison": lambda x: x > 1,
    "negation": lambda x: -x,
    "concatenation": lambda x: torch.cat([x, x * 2]),
    "activation": lambda x: torch.nn.functional.relu(x - 1),
    "softmax": lambda x: torch.nn.functional.softmax(x, -1),
    "linear": lambda x: torch.nn.functional.linear(x, torch.ones(2, 3)),
    "in_place": lambda x: x.mul_(2),
    "with_plain": lambda x: torch.ones(3) * x,
    "several_results": lambda x: x.max(dim=1),
    "unwrapped": lambda x: x.as_subclass(torch.Tensor) + 1,
    "other_type": lambda x: x.double().float(),
    "asked_for_type": lambda x: (x * 2, isinstance(x * 2, type(x)), type(x) is torch.Tensor),
}

for _cls in (Plain, Cosine, Counting, Unwrapping):
    for _name, _operation in OPERATIONS.items():

        def _run(compile, cls=_cls, operation=_operation):
            f = compile(operation)
            Counting.calls = 0
            x = numbers(2, 3).as_subclass(cls)
            first = f(x)
            return first, x, f(numbers(2, 3).as_subclass(cls)), Counting.calls

        add(globals(), f"{_cls.__name__.lower()}_{_name}", _run)


@case(graphs=1)
def made_inside(compile):
    return compile(lambda x: torch.sin(x.as_subclass(Cosine)))(numbers(3))


@case(graphs=1)
def of_a_parameter(compile):
    class Special(torch.nn.Parameter):
        pass

    w = Special(numbers(3))
    result = compile(lambda x: x * w)(numbers(3))
    result.sum().backward()
    return result, w.grad


class Swapping(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return (torch.cos if func is torch.sin else func)(*args, **(kwargs or {}))


@case(breaks=1)
def mode_around(compile):
    f = compile(lambda x: torch.sin(x) + 1)
    before = f(numbers(3))
    with Swapping():
        inside = f(numbers(3))
    return before, inside, f(numbers(3))


@case(graphs=1)
def mode_inside(compile):
    def f(x):
        with Swapping():
            y = torch.sin(x)
        return y + torch.sin(x)

    return compile(f)(numbers(3))


@torch.library.custom_op("framelift_tests::doubled", mutates_args=())
def doubled(x: torch.Tensor, by: float = 2.0) -> torch.Tensor:
    return x * by


@doubled.register_fake
def _(x, by=2.0):
    return torch.empty_like(x)


doubled.register_autograd(lambda ctx, grad: (grad * 7, None))


@torch.library.custom_op("framelift_tests::bump", mutates_args=("x",))
def bump(x: torch.Tensor) -> None:
    x.add_(1)


@bump.register_fake
def _(x):
    return None


@case(graphs=1)
def custom_operator(compile):
    return compile(lambda x: doubled(x) + torch.ops.framelift_tests.doubled(x, 3.0))(numbers(3))


@case(graphs=1)
def custom_operator_with_gradient(compile):
    x = numbers(3).requires_grad_()
    compile(lambda x: doubled(x * 2).sum())(x).backward()
    return x.grad


@case(graphs=1)
def custom_operator_that_changes_its_argument(compile):
    def f(x):
        y = x * 2
        torch.ops.framelift_tests.bump(y)
        return y

    return compile(f)(numbers(3))


@case(graphs=1)
def aten_operator(compile):
    return compile(lambda x: torch.ops.aten.sin.default(x) + torch.ops.aten.add(x, x, alpha=2))(numbers(3))


IMPLEMENTED = {torch.mean: lambda measured: measured.value.mean() * 100}


class Measured:
    """No tensor, but says itself what operations do with it."""

    def __init__(self, value, unit):
        self.value = value
        self.unit = unit

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in IMPLEMENTED:
            return IMPLEMENTED[func](*args, **(kwargs or {}))
        if not all(issubclass(kind, torch.Tensor | Measured) for kind in types):
            return NotImplemented
        units = [arg.unit for arg in args if isinstance(arg, Measured)]
        args = [arg.value if isinstance(arg, Measured) else arg for arg in args]
        return cls(func(*args, **(kwargs or {})), f"{func.__name__}({', '.join(units)})")


class Length(Measured):
    pass


@case()
def things_like_tensors(compile):
    layer = torch.nn.Linear(3, 2, bias=False)
    torch.nn.init.ones_(layer.weight)

    def measure(measured, x):
        found = [torch.add(measured, x), x * measured, x - measured, x.add(measured), torch.sin(measured)]
        found += [layer(measured), torch.nn.functional.relu(measured), torch.where(x > 1, measured, x)]
        return [(type(one), one.value, one.unit) for one in found], torch.mean(measured)

    f = compile(measure)
    x = numbers(2, 3).requires_grad_()
    results = [f(Measured(x, "m"), numbers(2, 3)), f(Length(x * 2, "km"), Measured(numbers(2, 3), "cm").value)]
    results[0][0][1][1].sum().backward()
    return results, x.grad


@case(breaks=1)
def things_like_tensors_that_refuse(compile):
    class Refusing:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    def refused(x, other):
        try:
            return torch.add(x, other)
        except TypeError:
            return x * 2

    f = compile(refused)
    return f(numbers(3), Refusing()), f(numbers(3), numbers(3))
