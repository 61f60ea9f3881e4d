"""Tensors made of lists with tensors in them, as models collect offsets, losses and scores."""

import torch

from tests.capture.harness import program, tensor


@program(tensor(2, 3), graphs=1)
def largest_and_smallest(x):
    return torch.tensor([x.max(), x.min()]) * 2


@program(tensor(2, 3), graphs=1)
def offsets_of_a_batch(x):
    deltas = []
    for row in x:
        positions = torch.arange(len(row)) + row.argmax()
        deltas.append(positions.max() + 1 - len(row))
    return x + torch.tensor(deltas, device=x.device).unsqueeze(1)


@program(tensor(4), graphs=1)
def tensors_beside_numbers(x):
    return (
        torch.tensor([x.argmax(), 3]),
        torch.tensor([x.argmax(), 3.5]),
        torch.tensor([x[0], True]),
        torch.tensor([x[0].half(), 2.0]),
        torch.tensor([x[0].double(), 2]),
        torch.tensor((x[0] > 0, False)),
    )


@program(tensor(4), graphs=1)
def nested(x):
    return torch.tensor([[x[0], x[1]], [x[2], 4]]), torch.tensor([[x[0]], (x[1],)])


@program(tensor(4), graphs=1)
def one_element_of_any_shape(x):
    return torch.tensor([x[:1], x[1:2].view(1, 1)])


@program(tensor(4), graphs=1)
def other_makers(x):
    first = torch.as_tensor([x[0], x[1]])
    second = x.new_tensor([x[2], 1])
    third = torch.LongTensor([x.argmax(), x.argmin()])
    return first, second, third, torch.asarray([x[3], 2], dtype=torch.float64)


@program(tensor(4), graphs=1)
def without_a_gradient(x):
    w = x.clone().requires_grad_()
    made = torch.tensor([w[0].detach(), (w * 2).sum().detach()])
    return made, made.requires_grad, torch.tensor([x[0]], requires_grad=True)


@program(tensor(4), graphs=1)
def of_a_dtype(x):
    return torch.tensor([x[0], x[1]], dtype=torch.float64), torch.tensor([x[0] > 0, 0], dtype=torch.bool)


@program(tensor(4), broken="operation failed on fake tensors")
def integers_of_fractions(x):
    return torch.tensor([x[0], x[1]], dtype=torch.int32)


@program(tensor(4), broken="operation failed on fake tensors")
def several_elements(x):
    return torch.tensor([x[:2], x[2:]])
