"""Tensors made of literals: their data is known, as far as nothing has changed them."""

import torch

from tests.capture.harness import program, tensor


@program(tensor(2, 3), graphs=1)
def dimensions_from_a_range(x):
    return x.sum(dim=torch.arange(1, x.dim()).tolist())


@program(tensor(4), graphs=1)
def sizes_of_levels(x):
    shapes = torch.tensor([[2, 3], [4, 5]])
    starts = torch.cat((shapes.new_zeros((1,)), shapes.prod(1).cumsum(0)[:-1]))
    if shapes.prod(1).sum() != 26:
        raise ValueError("something is missing")
    return [x[:1] * int(h * w) for h, w in shapes], starts.tolist()


@program(tensor(3), graphs=1)
def grid_of_a_solver(x):
    grid = torch.linspace(0, 1, 4)
    assert (grid[1:] > grid[:-1]).all()
    for start, end in zip(grid[:-1], grid[1:], strict=True):
        x = x + (end - start) * x
        if end < 0.5:
            x = x * 2
    return x


@program(tensor(3), graphs=1)
def one_of_several_results(x):
    largest, where = torch.tensor([3.0, 9.0, 4.0]).max(0)
    return x * largest.item() + float(where)


@program(tensor(3), graphs=1)
def indices_of_a_triangle(x):
    rows, columns = torch.triu_indices(3, 3, offset=1)
    return [x[i] * x[j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]


@program(tensor(3), broken=None)
def changed_in_place(x):
    t = torch.arange(4)
    t[1] = 7
    return x + 1 if t.sum() > 10 else x


@program(tensor(3), broken=None)
def changed_through_a_view(x):
    t = torch.ones(3)
    t.view(3)[:1].add_(1)
    return x + t.sum().item()


@program(tensor(3), broken=None)
def changed_through_its_data(x):
    t = torch.zeros(3)
    t.data[0] = 1
    return x + 1 if t.sum() > 0 else x * 3


@program(tensor(3), broken=None)
def changed_after_it_was_asked(x):
    t = torch.zeros(3)
    before = t.sum().item()
    t += 1
    return x + before, t.sum().item()


@program(tensor(3), broken=None)
def of_a_changed_one(x):
    t = torch.zeros(3)
    t += 1
    return x + (t * 2).sum().item()


@program(tensor(3), broken=None, changed=[(tensor(3) * 2,)])
def of_an_argument(x):
    return x + 1 if (x + torch.ones(3)).sum() > 8 else x


@program(tensor(3), broken=None)
def random_numbers(x):
    torch.manual_seed(3)
    first = torch.rand(3)
    return x + 1 if first.sum() > 1 else x, torch.rand(3)


@program(tensor(3), graphs=1, changed=[(tensor(5),), (tensor(6),)])
def as_many_as_dimensions(x):
    return x * torch.full((x.dim() + 1,), 2).prod().item()
