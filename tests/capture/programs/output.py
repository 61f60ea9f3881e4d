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


@program(graphs=1)
def prints_a_tensor(x):
    y = x * 2
    print(y)
    return y + 1


@program(tensor(3), graphs=1)
def prints_a_tensor_that_changes(x):
    y = x * 2
    print(f"first {y}, {y.sum():.3f} and {y.sum()}")
    y.add_(1)
    print("then", y, "%s|%8.2f" % (y, y.sum()), "{} {:>9.1e}".format(y, y.mean()), sep="; ")
    x.mul_(2)
    print("at last", x, repr(x), ascii(x), str(x) + "!", ", ".join([str(x), f"{x!r}"]))
    return y + 1


@program(tensor(3).requires_grad_(), graphs=1)
def prints_numbers_with_a_history(x):
    loss = (x * 2).sum()
    print(f"loss {loss:.3f} {loss}", loss.detach())
    return loss


@program(tensor(3).requires_grad_(), broken="the text of a tensor")
def prints_a_history(x):
    y = x * 2
    print(y)
    return y + 1


@program(torch.arange(4), True, graphs=1, changed=[(torch.arange(4) + 1, False)])
def texts_of_tensors_that_are_kept(x, flag):
    seen = {"text": f"{x.sum()}", "all": [f"{x + 1}", f"{x.max():04d}"]}
    message = "sum is %d" % x.sum() if flag else "none"
    return seen, message, isinstance(seen["text"], str), callable(message), x * 2


class Wrong(Exception):
    pass


@program(torch.arange(4), graphs=1, changed=[(torch.arange(4) - 2,), (torch.arange(5) * 2,)])
def messages_about_tensors(x):
    message = f"negative: {x.min()} in {x}"
    if (x < 0).any():
        raise Wrong(message)
    return x + 1


@program(torch.arange(4), graphs=1)
def exceptions_that_hold_tensors_as_texts(x):
    try:
        raise Wrong(f"at {x.sum()}")
    except Wrong as error:
        return x + 1, error.args


@program(torch.arange(4), broken=True)
def text_of_a_tensor_that_is_read(x):
    text = f"{x.sum()}"
    if len(text) > 1:
        return x + 1
    return x - 1


@program(torch.arange(4), broken=True)
def text_of_a_tensor_as_a_key(x):
    found = {f"{x.sum()}": 1}
    return x + found["6"]


@program(torch.arange(4), broken=True)
def text_of_a_tensor_compared(x):
    return x + (1 if f"{x.sum()}" == "6" else 2)


@program(torch.arange(4.0), broken=None)
def text_of_a_tensor_in_a_wrong_format(x):
    y = x * 2
    return f"{y.sum():d}", y


@program(torch.arange(4.0), broken=None)
def text_of_tensors_in_a_list(x):
    y = x * 2
    print([y, y + 1])
    return y


class Shown:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Shown({self.x})"


@program(torch.arange(4.0), graphs=1)
def text_of_an_object_with_a_tensor(x):
    shown = Shown(x * 2)
    print(shown)
    return f"{shown!r:s}", str(shown), x + 1


@program(graphs=1)
def prints_elsewhere(x):
    print("to stdout, given", file=sys.stdout, flush=True)
    return x + 1


@program(graphs=1)
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


class Name(str):
    pass


@program(torch.arange(4), broken=None)
def text_of_a_tensor_in_a_subclass(x):
    name = Name(f"{x.sum()}")
    return x + 1, name, type(name), str(name)


class Attributes:
    a6 = 5


@program(torch.arange(4), broken="the text of a tensor", changed=[(torch.arange(4) + 1,)])
def text_of_a_tensor_as_a_name(x):
    return x + getattr(Attributes, f"a{x.sum()}", 3), hasattr(Attributes, f"a{x.sum()}")
