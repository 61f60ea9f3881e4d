"""Weak proxies: found in the call and made in it."""

import weakref

import torch

from tests.capture.harness import meanwhile, program, tensor

X = tensor(2, 3)


class Thing:
    def __init__(self, size=2):
        self.size = size
        self.items = [1, 2]

    def scaled(self, x):
        return x * self.size

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __add__(self, other):
        return self.size + other

    def __radd__(self, other):
        return ("reflected", other)

    def __eq__(self, other):
        return isinstance(other, Thing) and self.size == other.size

    def __lt__(self, other):
        return self.size < other.size

    def __str__(self):
        return f"thing of {self.size}"

    __hash__ = None


class Called(Thing):
    def __call__(self, x, *, by=1):
        return x + self.size + by


THING, CALLED, OTHER = Thing(), Called(3), Thing(5)
PROXY, CALLING = weakref.proxy(THING), weakref.proxy(CALLED)


@program(
    X,
    None,
    graphs=1,
    steady=False,
    changed=[
        (X, meanwhile(lambda: setattr(THING, "size", 9))),
        (X, meanwhile(lambda: setattr(Thing, "scaled", lambda self, x: x - self.size))),
        (X, meanwhile(lambda: globals().__setitem__("PROXY", weakref.proxy(OTHER)))),
    ],
)
def attributes_through_a_proxy(x, _):
    y = PROXY.scaled(x)
    shown = [PROXY.size, hasattr(PROXY, "new"), PROXY.__class__ is Thing, type(PROXY) is weakref.ProxyType]
    PROXY.new = [PROXY.size]
    return y, shown


@program(graphs=1, steady=False)
def operators_through_a_proxy(x):
    shown = [len(PROXY), list(PROXY), PROXY[1], PROXY + 1, 1 + PROXY, PROXY == THING, THING == PROXY, PROXY != OTHER]
    shown += [PROXY < OTHER, OTHER > PROXY, str(PROXY), f"{PROXY}", 2 in PROXY, bool(PROXY), [*PROXY], max(PROXY)]
    shown += [isinstance(PROXY, Thing), PROXY is THING, callable(PROXY)]
    PROXY[0] = 5
    return x + len(shown), shown


@program(graphs=1)
def proxy_that_is_called(x):
    return CALLING(x, by=4), callable(CALLING), CALLING.size, type(CALLING).__name__


@program(graphs=1)
def proxy_of_a_made_object(x):
    made = Thing(4)
    proxy = weakref.proxy(made)
    proxy.size += 1
    return proxy.scaled(x), made, made.size, proxy == made


@program(graphs=1)
def proxies_returned(x):
    return x + 1, [weakref.proxy(THING).size, weakref.proxy(CALLED)(x)], weakref.proxy(OTHER) == OTHER


@program
def proxy_as_a_key(x):
    y = x + 1
    try:
        return y, {PROXY: 1}
    except TypeError as error:
        return y, str(error)


class Layer(torch.nn.Module):
    def __init__(self, owner):
        super().__init__()
        self.owner = weakref.proxy(owner)
        self.linear = torch.nn.Linear(3, 3)
        torch.nn.init.ones_(self.linear.weight)
        torch.nn.init.zeros_(self.linear.bias)

    def forward(self, x):
        return self.linear(x) * self.owner.size


LAYER = Layer(THING)


@program(graphs=1)
def module_with_a_proxy(x):
    return LAYER(x)
