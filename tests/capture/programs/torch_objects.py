"""Small objects of PyTorch's: limits of number types, TorchScript functions."""

import torch
from torch._subclasses.fake_tensor import FakeTensor

from tests.capture.harness import program, tensor

limits = torch.finfo(torch.float16)


@torch.jit.script
def scripted(x, n: int = 2):
    return x * n + 1


@program(tensor(2), graphs=1)
def number_limits(x):
    info = torch.finfo(x.dtype)
    whole = torch.iinfo(torch.int8)
    return x + info.min, info.max, info.eps, info.tiny, info.bits, info.dtype, whole.min, whole.max, whole.bits


@program(tensor(2), graphs=1)
def limits_from_before(x):
    return torch.clamp(x, max=limits.max), limits.eps, torch.finfo().dtype


@program(tensor(2), graphs=1)
def limits_of_the_wrong_type(x):
    said = []
    for kind, dtype in ((torch.finfo, torch.int32), (torch.iinfo, torch.float32), (torch.finfo, 3)):
        try:
            kind(dtype)
        except TypeError as error:
            said.append(str(error))
    return x + 1, said


@program(tensor(2), graphs=1)
def limits_returned(x):
    return x + 1, torch.finfo(torch.float64), torch.iinfo(torch.int16).max


@program(tensor(2), graphs=1)
def script_functions(x):
    return scripted(x), scripted(x, 3), scripted(x, n=4)


linear = torch.nn.Linear(2, 2)
torch.nn.init.constant_(linear.weight, 0.5)
torch.nn.init.constant_(linear.bias, 0.25)


@program(tensor(2), graphs=1)
def instance_checks(x):
    return x + 1, isinstance(x, FakeTensor), isinstance(x, torch.Tensor), isinstance(linear.weight, FakeTensor)


@program(tensor(2), graphs=1)
def module_converted_to_what_it_is(x):
    return linear.to(torch.float32)(x), linear.to(x)(x)


@program(tensor(2), broken="mutation")
def module_converted(x):
    other = torch.nn.Linear(2, 2)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.fill_(2)
    linear.double()
    y = linear(x.double())
    linear.float()
    return y + linear(x) + other(x)


@program(tensor(2), graphs=1, changed=[(tensor(2, start=3),), (tensor(2, start=-3),)], steady=False)
def checked_values(x):
    try:
        torch._check_tensor_all(x > 0, lambda: f"not positive: {x.shape}")
    except RuntimeError as error:
        return x - 1, str(error)
    return x * 2


class Slotted:
    __slots__ = ("scale",)

    def __init__(self, scale):
        self.scale = scale


@program(tensor(2, 3), Slotted(3), graphs=1)
def attribute_by_its_descriptor(x, found):
    made = Slotted(4)
    scales = Slotted.scale.__get__(found), type(made).__dict__["scale"].__get__(made, Slotted)
    return x * scales[0] + scales[1], torch.Tensor.shape.__get__(x), torch.Tensor.T.__get__(x)
