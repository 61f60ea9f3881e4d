"""print and warnings without tensors' data in them do not split the graph."""

import io
import sys
import warnings

import torch

from tests.capture.harness import program, tensor


@program(graphs=1)
def prints(x):
    y = x * 2
    print("twice", tuple(y.shape), y.dtype)
    print("a", 1, None, [1, (2.5, "b")], {"k": {3}}, sep="-", end="|\n")
    print()
    return y + 1


class Point:
    def __init__(self, a):
        self.a = a

    def __str__(self):
        return f"<{self.a}>"


@program(graphs=1)
def prints_an_object_as_it_was(x):
    point = Point([1])
    print(point)
    point.a.append(2)
    print(point)
    return x + len(point.a)


@program(tensor(2), [1], graphs=1)
def prints_between_other_effects(x, items):
    items.append(2)
    print(items)
    items.append(3)
    print(items)
    return x + len(items)


@program(tensor(2), graphs=1)
def prints_in_a_loop(x):
    for i in range(3):
        x = x * 2
        print(f"step {i}")
    return x


@program(broken="the text of a tensor")
def prints_a_tensor(x):
    y = x * 2
    print(y)
    return y + 1


@program(graphs=1)
def prints_elsewhere(x):
    print("to stdout, given", file=sys.stdout, flush=True)
    return x + 1


@program(broken=True)
def prints_into_a_new_file(x):
    file = io.StringIO()
    print("hidden", file=file)
    return x + len(file.getvalue())


@program(broken=None)
def wrong_separator(x):
    y = x * 2
    print("a", sep=3)
    return y


@program(torch.tensor([0, 1]), graphs=1, changed=[(torch.tensor([0, 7]),), (torch.tensor([1, 1]),)])
def printed_before_the_graph_raises(index):
    print("before")
    y = torch.arange(3)[index]
    print("after")
    return y + 1


@program(tensor(300, 300), broken="print", changed=[(-tensor(300, 300),)])
def printed_in_a_graph_that_changes_large_tensors(x):
    x.add_(1)
    print("changed")
    return x * 2


@program(graphs=1)
def warns(x):
    y = x * 2
    warnings.warn("careful")
    warnings.warn("gone soon", DeprecationWarning, stacklevel=2)
    warnings.warn("far up", stacklevel=3)
    return y + 1


@program(graphs=1)
def warns_in_an_inlined_call(x):
    def inner(value):
        warnings.warn("in the call", RuntimeWarning)
        warnings.warn("of the caller", RuntimeWarning, stacklevel=2)
        warnings.warn("of the caller's caller", RuntimeWarning, stacklevel=3)
        return value + 1

    return inner(x) * 2


class Unheard(UserWarning):
    pass


@program(graphs=1)
def warns_of_a_kind_of_its_own(x):
    warnings.warn(f"shape {tuple(x.shape)}", category=Unheard)
    return x + 1


@program(broken=True)
def warns_with_an_object(x):
    y = x * 2
    warnings.warn(Unheard("made by the program"))
    return y + 1
