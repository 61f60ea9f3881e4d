"""Silent wrong results reported of other systems of this kind; here they come out right."""

import functools

from tests.capture.harness import program, tensor


class Registry:
    entries = []

    def add(self, item):
        self.entries.append(item)


@program(graphs=1, steady=False)
def class_level_list_mutated_in_a_method(x):
    Registry().add(3)
    return x + len(Registry.entries)


class Node:
    def __init__(self, value):
        self.value = value


A_NODE = Node(1)


@program(tensor(2), Node(1), Node(2), graphs=1)
def branch_on_identity(x, a, b):
    if a is b:
        return x + 1
    return x - 1


@program(make=True, graphs=1)
def branch_on_identity_changes():
    one = Node(1)

    def run(x, a, b):
        return x + 1 if a is b else x - 1

    return run, (tensor(2), one, one)


class Holder:
    def __init__(self):
        value = 1

        def bump():
            nonlocal value
            value += 1

        def read():
            return value

        self.bump = bump
        self.read = read


@program(make=True, graphs=1, steady=False)
def closure_of_a_method_mutated_during_the_call():
    holder = Holder()

    def run(x):
        before = holder.read()
        holder.bump()
        return x * before + holder.read()

    return run, (tensor(2),)


@functools.lru_cache
def squared(n):
    CALLS.append(n)
    return n * n


CALLS = []


@program(tensor(2), 3, steady=False, broken=True)
def cached_function(x, n):
    return x + squared(n) + squared(n), squared.cache_info().hits


@program(tensor(2), *[[1, 2]] * 2, graphs=1, changed=[(tensor(2), [1, 2], [1, 2])])
def same_list_passed_twice(x, a, b):
    a.append(3)
    return x + len(b)


def remembers(x, seen=[]):
    seen.append(1)
    return x + len(seen)


@program(graphs=1, steady=False)
def default_mutated_across_calls(x):
    return remembers(x)


@program(tensor(3), tensor(3), graphs=1)
def branch_on_tensor_identity(x, y):
    return x + 1 if x is y else x - y


@program(tensor(2), {"b": 1, "a": 2}, graphs=1, changed=[(tensor(2), {"a": 2, "b": 1})])
def order_of_keys(x, d):
    return x * len(d), list(d), list(d.values())


@program(tensor(2), [tensor(2), tensor(2)], graphs=1)
def tensors_in_a_list_replaced(x, items):
    items[0] = items[0] + x
    items[1].add_(1)
    return items


@program(tensor(2), graphs=1)
def result_is_the_argument(x):
    y = x
    x + 1
    return y, [y]


class Model:
    def __init__(self):
        self.history = []
        self.step = 0

    def __call__(self, x):
        self.step += 1
        self.history.append(x * self.step)
        return self.history[-1]


@program(make=True, graphs=1, steady=False)
def state_of_an_object_across_calls():
    model = Model()

    def run(x):
        return model(x) + len(model.history)

    return run, (tensor(2),)


@program(tensor(2), True, graphs=1, changed=[(tensor(2), 1), (tensor(2), 1.0), (tensor(2), False)])
def equal_arguments_of_other_types(x, flag):
    return x + 1, type(flag), flag


@program(tensor(2), [1, 2, 3], graphs=1, changed=[(tensor(2), (1, 2, 3)), (tensor(2), [1, 2])])
def container_of_another_type(x, items):
    return x + sum(items), items
