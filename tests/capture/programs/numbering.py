"""Objects and classes that the program numbers with a counter of its own."""

import itertools

import torch

from tests.capture.harness import program, tensor

numbers, odd, parts, huge = itertools.count(5), itertools.count(1, 2), itertools.count(0.5), itertools.count(10**30)


class Numbered:
    def __init__(self, x):
        self.number = next(numbers)
        self.x = x


@program(tensor(2), graphs=1)
def numbered(x):
    first = Numbered(x + 1)
    second = Numbered(first.x * 2)
    return second.x, second.number, first.number * 2 + second.number, [next(odd), next(odd)]


@program(tensor(2), graphs=1)
def number_as_name(x):
    first = Numbered(x + 1)
    return first.x * 2, f"object {first.number}"


@program(tensor(2), graphs=1, broken=True)
def unusual_counters(x):
    return x + 1, next(parts), next(huge)


def rounded(x):
    class Rounding(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 3

    return Rounding.apply(x * 2) + 1


@program(tensor(2), graphs=1)
def function_of_autograd_made_in_the_call(x):
    return rounded(x)


@program(tensor(3), graphs=1)
def masked_operations(x):
    return torch.masked.sum(x, 0), torch.masked.mean(x, 0, mask=x > 0)
