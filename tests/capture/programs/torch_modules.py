"""nn.Module: parameters, buffers, submodules and plain attributes, found and missing."""

import torch

from tests.capture.harness import meanwhile, program, tensor


class Parts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(tensor(2))
        self.register_buffer("scale", tensor(2, start=3))
        self.register_parameter("nothing", None)
        self.layers = torch.nn.ModuleList(torch.nn.ReLU() for _ in range(3))
        self.named = torch.nn.ModuleDict({"a": torch.nn.Tanh()})
        self.size = 2

    def forward(self, x):
        for layer in self.layers[:2]:
            x = layer(x)
        return self.named["a"](x) * self.weight + self.scale


class Falling(Parts):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name != "unknown":
                raise
            return name * 2


parts, falling = Parts(), Falling()


@program(tensor(2), graphs=1)
def parts_are_found(x):
    return parts(x), parts.nothing, parts.size, len(parts.layers), "a" in parts.named


@program(tensor(2), graphs=1)
def parts_are_missing(x):
    try:
        parts.missing
    except AttributeError as error:
        said = str(error)
    return x + 1, said, hasattr(parts, "other"), getattr(parts, "none", 5)


@program(tensor(2), graphs=1)
def own_fallback(x):
    return falling(x), falling.unknown, falling.size


@program(tensor(2), graphs=1)
def part_replaced(x):
    before = parts.scale
    parts.scale = before * 2
    y = parts(x)
    parts.scale = before
    return y, parts.scale is before


@program(tensor(2), graphs=1)
def without_holders(x):
    bare = torch.nn.Module.__new__(torch.nn.Module)
    try:
        bare.weight
    except AttributeError as error:
        return x + 1, str(error)
    return x


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (torch.nn.Linear(2, 2) for _ in range(3))

    def forward(self, x):
        return x + sum(1 for _ in self.parameters())


TIED = Tied()


@program(
    torch.ones(2),
    None,
    graphs=1,
    changed=[
        (torch.ones(2), meanwhile(lambda: setattr(TIED.second, "weight", TIED.first.weight))),
        (torch.ones(2), meanwhile(lambda: setattr(TIED.third, "weight", TIED.first.weight))),
    ],
)
def parameters_tied_since(x, _):
    return TIED(x)
