"""Iterators that existed before: arguments, and those of loops that a break splits."""

import functools
import itertools

import torch

from framelift.controls import graph_break
from tests.capture.harness import program, tensor


def breaks():
    """Something that is not captured."""
    graph_break()


def tensors(count):
    return [tensor(2, start=start) for start in range(count)]


@program(tensor(2), tensors(6), broken="asked for")
def list_loop(x, items):
    for item in items:
        x = x * item
        breaks()
        x = x + 1
    return x


@program(tensor(2), tuple(tensors(4)), broken="asked for")
def tuple_loop_with_else(x, items):
    for item in items:
        x = x + item
        breaks()
    else:
        x = x * 2
    return x


@program(tensor(2), broken="asked for")
def range_loop(x):
    for i in range(3, 20, 4):
        x = x * 2 + i
        breaks()
    return x


@program(tensor(2), {"a": tensor(2), "b": tensor(2, start=5)}, broken="asked for")
def dict_loops(x, d):
    for key in d:
        x = x + len(key)
        breaks()
    for value in d.values():
        x = x + value
        breaks()
    for key, value in d.items():
        x = x * value + len(key)
        breaks()
    return x


@program(tensor(2), tensors(5), broken="asked for")
def enumerate_loop(x, items):
    numbers = []
    for number, item in enumerate(items, 7):
        x = x + item
        breaks()
        numbers.append(number)
    return x, numbers


@program(tensor(2), tensors(5), {"a": 1.5, "b": 2.5, "c": 3.5}, broken="asked for")
def zip_loop(x, items, d):
    for item, (key, value) in zip(items, d.items()):
        x = x + item * value
        breaks()
    return x


@program(tensor(2), broken="asked for")
def map_and_filter_loop(x):
    for number in map(lambda n: n * 2, filter(lambda n: n != 2, reversed([1, 2, 3, 4]))):
        x = x + number
        breaks()
    return x


@program(tensor(2), [1, 2, 3, 4, 5, 6], broken="asked for")
def nested_loops(x, items):
    for i in items:
        for j in zip(items, range(i)):
            x = x + sum(j)
            if sum(j) % 3 == 0:
                breaks()
        if i == 4:
            break
        if i == 2:
            continue
        breaks()
    return x


@program(tensor(2), broken="asked for")
def only_the_first_round_breaks(x):
    for i, layer in enumerate([torch.sin, torch.cos, torch.tanh, torch.exp]):
        x = layer(x)
        if i == 0:
            breaks()
    return x


@program(tensor(2), [1, 2, 3], broken="asked for")
def list_changed_while_iterating(x, items):
    iterator = iter(items)
    first = next(iterator)
    breaks()
    y = x + first + next(iterator)
    items.append(5)
    return y, next(iterator), next(iterator), next(iterator, None), items


@program(tensor(2), {"a": 1, "b": 2}, broken="asked for")
def dict_changed_while_iterating(x, d):
    try:
        for key in d:
            breaks()
            x = x + d[key]
            d["c"] = 3
    except RuntimeError as error:
        return x, str(error), d
    return x


@program(make=True, steady=False)
def list_iterator_argument():
    def given(x, iterator):
        return x + next(iterator), next(iterator), next(iterator, "end"), next(iterator, "end")

    return given, lambda: (tensor(2), iter([1, 2]))


@program(make=True, steady=False)
def half_used_argument():
    def given(x, iterator):
        return x + next(iterator), list(iterator), next(iterator, "end")

    def args():
        iterator = iter([1, 2, 3, 4])
        next(iterator)
        return tensor(2), iterator

    return given, args


@program(make=True, steady=False)
def one_iterator_twice():
    def given(x, first, second):
        return x + next(first), next(second), list(zip(first, second))

    def args():
        iterator = iter([1, 2, 3, 4, 5])
        return tensor(2), iterator, iterator

    return given, args


@program(make=True, steady=False)
def strict_zip_argument():
    def given(x, pairs):
        said = []
        try:
            for a, b in pairs:
                x = x + a * b
                said.append(a)
        except ValueError as error:
            said.append(str(error))
        return x, said

    return given, lambda: (tensor(2), zip([1, 2, 3], [4, 5], strict=True))


@program(make=True, steady=False)
def combined_argument():
    def given(x, iterator):
        number, item = next(iterator)
        return x + item, number, next(iterator), list(iterator)

    def args():
        return tensor(2), enumerate(map(functools.partial(max, 2), iter((1, 2, 3, 4))), 5)

    return given, args


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(4))
        self.rounds = 0

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            self.rounds += 1
            breaks()
        return x, self.rounds


@program(make=True, broken="asked for", steady=False)
def modules_in_a_list():
    torch.manual_seed(0)
    stack = Stack()
    return (lambda x: stack(x)), (tensor(2),)


# ---- chain, which has a place of its own


@program(tensor(2), tensors(2), tuple(tensors(3)), broken="asked for")
def chain_loop(x, first, second):
    for item in itertools.chain(first, second, [x + 1]):
        x = x * item
        breaks()
        x = x + 1
    return x


@program(tensor(2), broken="asked for")
def chain_made_before_a_break(x):
    items = itertools.chain([x, x + 1], (n * x for n in range(3)), {"a": x}.values())
    breaks()
    first = next(items)
    return first, list(items), next(items, "end")


@program(tensor(2), broken="asked for")
def chain_from_iterable_in_the_middle(x):
    items = itertools.chain.from_iterable([[x], [], [x + 1, x + 2], [x + 3]])
    y = next(items) + next(items)
    breaks()
    z = next(items) * y
    breaks()
    return list(items), z


def _chain_of_an_argument():
    def advance(x, items):
        return x + next(items), type(items)

    return advance, lambda: (tensor(2), itertools.chain([tensor(2)], iter([tensor(2, start=3), 5])))


@program(make=True)
def chain_as_an_argument():
    return _chain_of_an_argument()


ITEMS = itertools.chain([1, 2], (3, 4), range(5, 8))


@program(tensor(2), graphs=1, steady=False, changed=[(tensor(2),)] * 6)
def chain_of_the_program(x):
    return x + next(ITEMS, 10)


ENDLESS = itertools.chain.from_iterable([1, 2] for _ in range(3))


@program(tensor(2), steady=False, broken=None, changed=[(tensor(2),)] * 6)
def chain_over_a_generator_of_the_program(x):
    return x + next(ENDLESS, 10)


def _bad_chain():
    return lambda x, items: x + next(items), lambda: (tensor(2), itertools.chain([], 5))


@program(make=True)
def chain_of_what_is_no_iterable():
    return _bad_chain()


@program(tensor(2))
def chain_that_ends_in_an_error(x):
    items = itertools.chain([x], 5, [x])
    y = next(items)
    try:
        next(items)
    except TypeError as error:
        return y, str(error), list(items)


@program(tensor(2))
def chain_given_back_half_way(x):
    items = itertools.chain([x], [x + 1, x + 2], [x + 3])
    next(items), next(items)
    return items


@program(tensor(2))
def chain_over_itself(x):
    items = []
    links = itertools.chain([x], items)
    items.append(links)
    return next(links), items
