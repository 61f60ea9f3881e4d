"""Arguments of operations that are not quite what PyTorch wants: `x.to(int)`, a text that is a member of an enum."""

import enum

import torch
from torch.nn import functional

from tests.capture.harness import program, tensor


@program(tensor(3), graphs=1)
def converted(x):
    return x.to(int), x.to(float), x.to(bool), x.to(complex)


@program(tensor(3), graphs=1)
def made(x):
    ones = torch.ones(3, dtype=int)
    return ones * x, torch.zeros(3, dtype=bool), torch.full((3,), 2, dtype=float)


@program(tensor(3), graphs=1)
def indices_of_a_window(x):
    shift = torch.tensor([-1], dtype=int, device=x.device)
    return x[torch.arange(3, dtype=int) + shift]


@program(tensor(3), graphs=1)
def made_like_others(x):
    return x.new_zeros(3, dtype=int) + 1, torch.empty_like(x, dtype=bool).fill_(1), torch.ones_like(x, dtype=float)


@program(tensor(3), graphs=1)
def computed_in(x):
    return x.sum(dtype=float), torch.cumsum(x, 0, dtype=int), functional.softmax(x, 0, dtype=float)


@program(tensor(3), graphs=1)
def legacy_types(x):
    return x.type(torch.LongTensor), x.type("torch.DoubleTensor"), x.type(torch.FloatTensor) * 2


@program(tensor(3), graphs=1)
def chosen_by_the_program(x):
    return [x.to(kind) + 1 for kind in (int, float, complex)]


@program(tensor(3), broken="operation failed on fake tensors")
def not_a_dtype(x):
    return x.type(int)


class Reduction(str, enum.Enum):
    MEAN = "mean"
    SUM = "sum"


class Text(str):
    pass


@program(tensor(3), graphs=1)
def texts_of_other_classes(x):
    total = functional.mse_loss(x, x + 1, reduction=Reduction.MEAN)
    return total + functional.l1_loss(x, x * 2, reduction=Text("sum")), torch.einsum(Text("i,i->"), x, x)
