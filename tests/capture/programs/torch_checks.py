"""Checks of the data in tensors: they do not split the graph, and raise what and where they always did."""

import random

import torch
from torch import nn

from tests.capture.harness import program, tensor


@program(tensor(3), graphs=1, changed=[(-tensor(3),), (tensor(3),), (-tensor(3),)])
def assertion(x):
    y = x * 2
    assert (y > 0).all(), f"not positive: {y}"
    return y + 1


@program(tensor(3), broken=None, changed=[(-tensor(3),)] * 5 + [(tensor(3),)])
def assertion_that_fails_often(x):
    y = x * 2
    assert (y > 0).all(), f"not positive: {y}"
    return y + 1


@program(tensor(3), graphs=1, changed=[(torch.tensor([1.0, float("nan"), 2.0]),)])
def raise_in_an_inlined_call(x):
    def checked(value):
        if torch.isnan(value).any():
            raise ValueError(f"there are {int(torch.isnan(value).sum())} of them")
        return value

    return checked(x * 2) + checked(x + 1)


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def two_conditions(x):
    y = x + 1
    if (y < 0).any() or not torch.isfinite(y).all():
        raise RuntimeError("bad data")
    return y.sqrt()


@program(tensor(3), [1], graphs=1, changed=[(-tensor(3), [1])])
def effects_are_those_of_python(x, items):
    items.append(2)
    y = x * 2
    assert (y > 0).all()
    items.append(3)
    return y + len(items)


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def random_numbers_are_drawn_once(x):
    y = x + torch.rand(3)
    assert (y > 0).all()
    return torch.nn.functional.dropout(y, 0.5)


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def caught_by_a_caller(x):
    def positive(value):
        if not (value > 0).all():
            raise ValueError
        return value

    try:
        return positive(x * 2)
    except ValueError:
        return x.abs()


@program(tensor(3), broken="a branch on a tensor", changed=[(-tensor(3),)])
def a_way_through_the_function(x):
    y = x * 2
    try:
        if (y < 0).any():
            raise ValueError
    except ValueError:
        y = -y
    return y + 1


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def tensor_changed_before(x):
    x.add_(1)
    assert (x > 0).all()
    return x * 2


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def tensor_changed_afterwards(x):
    y = x + 1
    assert (y > 0).all()
    x.mul_(2)
    return x + y


@program(tensor(300, 300), broken="a branch on a tensor", changed=[(-tensor(300, 300),)])
def large_tensor_changed(x):
    y = x[:2, :2] + 1
    assert (y > 0).all()
    x.mul_(2)
    return y


@program(make=True, broken="a branch on a tensor")
def changed_tensor_with_a_history():
    weight = tensor(3, grad=True)

    def run(x):
        y = x + 1
        assert (y > 0).all()
        x.mul_(2)
        return y

    return run, lambda: (weight * 1,)


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def tensor_changed_in_secret(x):
    y = x + 1
    assert (y > 0).all()
    x.data.mul_(2)
    return x + y


@program(make=True, graphs=1)
def statistics_of_a_batch():
    layer = nn.BatchNorm1d(3)

    def run(x):
        y = layer(x)
        assert torch.isfinite(y).all()
        return y

    return run, (tensor(4, 3),)


@program(make=True, broken=None, steady=False)
def statistics_of_a_bad_batch():
    layer = nn.BatchNorm1d(3)

    def run(x):
        y = layer(x)
        assert y.sum() > 100
        return y

    return run, (tensor(4, 3),)


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def inside_of_no_grad(x):
    with torch.no_grad():
        y = x * 2
        if (y < 0).any():
            raise ValueError("negative")
    return y + x


@program(tensor(3), broken=None, changed=[(-tensor(3),)])
def before_a_break(x):
    y = x * 2
    assert (y > 0).all(), "before the break"
    print(y)
    z = y + 1
    assert (z > 2).all(), "after the break"
    return z


@program(tensor(3), 1, changed=[(-tensor(3), 2)], graphs=1)
def arguments_of_every_kind(x, /, a, *rest, b=3, **others):
    y = x * a + b
    assert (y > 0).all(), (a, b, rest, others)
    return y + len(rest) + len(others)


@program(make=True, graphs=1)
def closure_and_cells():
    limit = 0

    def run(x):
        def above():
            return x * 2 > limit

        assert above().all(), limit
        return x + limit

    return run, (tensor(3),)


@program(tensor(3), torch.tensor(True), graphs=1, changed=[(tensor(3), torch.tensor(False))])
def a_flag_that_is_an_argument(x, flag):
    y = x * 2
    assert flag
    return y


@program(torch.tensor([0, 1, 2]), graphs=1, changed=[(torch.tensor([0, 9, 2]),)])
def what_the_graph_raises_is_not_seen(index):
    assert (index < 3).all(), "out of range"
    return torch.arange(3)[index] + 1


@program(tensor(3), graphs=1, changed=[(-tensor(3),)])
def distribution(x):
    normal = torch.distributions.Normal(torch.zeros(3), x * 2)
    return normal.rsample() + normal.log_prob(x)


@program(tensor(3), broken=None, changed=[(-tensor(3),)])
def in_a_mode_that_is_left_later(x):
    with torch.no_grad():
        y = x * 2
        assert (y > 0).all()
        print(y)
    return y + x, torch.is_grad_enabled()


@program(graphs=1)
def data_that_is_known(x):
    nothing = torch.tensor([])
    one = torch.tensor(3)
    if one > 2 and not torch.tensor(False):
        x = x + one.item()
    return x, nothing.tolist(), int(one), float(torch.tensor(2.5)), torch.zeros(2, 0).tolist()


@program(broken="a branch on a tensor")
def data_that_is_no_longer_known(x):
    one = torch.tensor(3)
    one.add_(x.sum().long())
    if one > 2:
        return x + 1
    return x - 1


@program(tensor(2, 3), graphs=1)
def distribution_with_lazy_parts(x):
    choice = torch.distributions.Categorical(logits=x * 2)
    return choice.entropy(), choice.log_prob(torch.tensor([0, 1]))


@program(tensor(2), False, broken=".item()", changed=[(-tensor(2), True)])
def handler_that_reads_more_than_what_follows(x, fails):
    def inner(value):
        print(value.sum().item())
        if fails:
            raise ValueError
        return value

    try:
        return inner(x * 2)
    except ValueError:
        return x.abs()


@program(
    torch.eye(3).repeat(2, 1, 1),
    graphs=1,
    changed=[(-torch.eye(3).repeat(2, 1, 1),), (torch.eye(3).repeat(2, 1, 1) + torch.arange(3.0),), (tensor(2, 2, 3),)],
)
def constraints_on_matrices(matrix):
    found = [
        constraint.check(matrix * 1)
        for constraint in (
            torch.distributions.constraints.symmetric,
            torch.distributions.constraints.positive_definite,
            torch.distributions.constraints.positive_semidefinite,
        )
    ]
    return found


@program(tensor(3), graphs=1)
def distribution_of_vectors(x):
    normal = torch.distributions.MultivariateNormal(x * 1, torch.eye(3))
    return normal.log_prob(x + 1)


@program(graphs=1)
def constructors_of_old(x):
    made = torch.FloatTensor([1, 2, 3])
    return (
        x + made,
        torch.LongTensor([[1, 2]]),
        torch.FloatTensor(2, 3).shape,
        torch.BoolTensor([True]),
        torch.device("cpu"),
    )


@program(broken="random number of Python", steady=False)
def random_numbers_of_python(x):
    y = x * 2
    return y * random.randint(2, 9) + random.random() + random.choice([3.0, 4.0]), random.sample(range(9), 3)


class Columns(nn.Module):
    """Keeps in a tensor which columns are numbers."""

    def __init__(self):
        super().__init__()
        self.numeric = torch.tensor([True, False, True])
        self.register_buffer("limit", torch.tensor(2.0))

    def forward(self, x):
        found = []
        for index, numeric in enumerate(self.numeric):
            found.append(x[:, index] * 2 if numeric else x[:, index].abs())
        if self.limit > 1:
            return torch.stack(found, 1) / self.limit
        return torch.stack(found, 1)


columns = Columns()


@program(tensor(4, 3), graphs=1)
def state_of_a_module_decides(x):
    return columns(x) + 1


class Prepared(nn.Module):
    """Prepares itself at its first call."""

    def __init__(self):
        super().__init__()
        self.register_buffer("prepared", torch.tensor(False))
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        if not self.prepared:
            self.scale.copy_(x.abs().mean(0))
            self.prepared.fill_(True)
        return x / self.scale


@program(make=True, graphs=None, steady=False, changed=[])
def state_that_changes_once():
    module = Prepared()

    def call(x):
        return module(x) * 2

    return call, (tensor(4, 3),)


class Alternating(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("turn", torch.tensor(0))

    def forward(self, x):
        self.turn.add_(1)
        if self.turn % 2 == 0:
            return x * 2
        return x - self.turn


@program(make=True, graphs=None, broken=None, steady=False, changed=[])
def state_that_changes_at_every_call():
    module = Alternating()

    def call(x):
        return module(x) + 1

    return call, (tensor(4, 3),)


@program(tensor(3), graphs=1, changed=[(-tensor(3),), (tensor(3),)])
def number_of_a_condition(x):
    y = x * 2
    assert torch.all(y > 0).item(), "not positive"
    if (y > 100).any().item():
        raise ValueError("too much")
    return y + 1


@program(tensor(3), broken=None, changed=[(-tensor(3),)] * 5 + [(tensor(3),)])
def number_of_a_condition_that_fails_often(x):
    assert torch.all(x > 0).item(), "not positive"
    return x + 1


@program(tensor(3), broken=None, changed=[(-tensor(3),)])
def number_of_a_condition_kept(x):
    positive = torch.all(x > 0).item()
    if not positive:
        raise ValueError(positive)
    return x + 1, positive, type(positive)
