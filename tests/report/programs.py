"""Programs whose reports are compared word by word: their lines are part of the texts."""

import gc

import torch

import framelift

SCALE = 2


def shows(x, note):
    y = x * SCALE
    gc.isenabled()
    return y + note


def outer(x):
    return middle(x) + 1


def middle(x):
    return innermost(x * 2) - 1


def innermost(x):
    if x.sum() > 0:
        return x + 3
    return x


def asks(x):
    x = x + 1
    framelift.graph_break("for the sake of it")
    return x * 2


def spreads(x):
    # fmt: off
    return x + float(
        x.sum()
        + 1
        + 2
        + 3
    )
    # fmt: on


def breaks_in_a_polyfill(x):
    return all(item > 0 for item in [x.sum(), x.mean()]), x + 1


def umlauts(x):
    text = "äöü" * gc.isenabled()
    return x + len(text)


@framelift.disable(reason="it is hopeless")
def hopeless(x):
    return x.sum().item()


def calls_hopeless(x):
    return x + hopeless(x)


@torch.compiler.disable(reason="they say so")
def theirs(x):
    return x + 1


def calls_theirs(x):
    return theirs(x) * 2


def plain(x, n):
    return x + n


class Box:
    def __init__(self, size):
        self.size = size
        self.items = [1, 2]


def reads(x, box, flags):
    if flags.get("double"):
        x = x * 2
    return x + box.size + len(box.items)


def never_gives_a_graph(n):
    total = 0
    for i in range(n):
        gc.isenabled()
        total += i
    return total


def empty(n):
    return n + 1


def raises(x):
    raise ValueError(str(x.shape))


def uses_late(x, n):
    return x * 2 + n
