"""Forty programs with a graph break in a loop, a handler, a manager, a comprehension or an inlined call.

Of each is stated how many operations every graph has that its first call compiles, in the order of compiling, and how
often the graph breaks. None gives a frame up: what comes before a break is captured, and what comes after it too.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

import framelift


class Program(NamedTuple):
    """A program, the operations of its graphs, and how often it breaks."""

    function: Callable[..., Any]
    graphs: list[int]
    breaks: int


PROGRAMS: dict[str, Program] = {}


def program(*graphs: int, breaks: int = 1) -> Callable[[Any], Any]:
    """Declare a program: the operations of each graph, and the number of breaks."""

    def declare(function: Any) -> Any:
        assert function.__name__ not in PROGRAMS
        PROGRAMS[function.__name__] = Program(function, list(graphs), breaks)
        return function

    return declare


def pause() -> None:
    """Break the graph."""
    gc.isenabled()


# Loops


@program(2, 2, 2, 2, breaks=3)
def for_loop(x):
    x = x + 1
    for _ in range(3):
        x = x * 2
        framelift.graph_break()
        x = x - 1
    return x + 5


@program(1, 1, 1, breaks=2)
def for_loop_over_tensors(x):
    total = x
    for row in [x, x * 2]:
        framelift.graph_break()
        total = total + row
    return total


@program(1, 1, breaks=2)
def while_loop(x):
    n = 0
    while n < 2:
        x = x + n
        framelift.graph_break()
        n += 1
    return x


@program(2, 1, 3, 1, breaks=3)
def nested_loops(x):
    for _ in range(2):
        x = x + 1
        for _ in range(2):
            x = x * 2
            framelift.graph_break()
        x = x - 1
    return x


@program(1, 2, breaks=2)
def loop_with_else(x):
    for _ in range(2):
        framelift.graph_break()
        x = x + 1
    else:
        x = x * 3
    return x


@program(1, 1, 1, breaks=2)
def loop_that_is_left(x):
    for n in range(5):
        x = x + 1
        framelift.graph_break()
        if n == 1:
            break
    return x * 2


@program(1, 1, breaks=2)
def loop_that_skips(x):
    for n in range(3):
        if n == 1:
            continue
        x = x + 1
        framelift.graph_break()
    return x


@program(1, 2, 1, breaks=2)
def loop_over_a_dict(x):
    for name, factor in {"a": 2, "b": 3}.items():
        x = x * factor
        framelift.graph_break()
        x = x + len(name)
    return x


@program(2, 1)
def loop_over_a_generator(x):
    def numbers():
        yield 1
        yield 2

    for n in numbers():
        x = x + n
    framelift.graph_break()
    return x * 2


@program(3, 4, 1, breaks=2)
def branch_on_a_tensor_in_a_loop(x):
    for _ in range(2):
        x = x + 1
        if x.sum() > 0:
            x = x * 2
        else:
            x = x - 1
    return x


@program(2, 2, 1, breaks=2)
def number_of_a_tensor_in_a_loop(x):
    total = 0
    for _ in range(2):
        x = x + 1
        total = total + x.max().item()
    return x * 2, total


# Handlers


@program(1, 2)
def try_body(x):
    try:
        x = x + 1
        framelift.graph_break()
        x = x * 2
    except ValueError:
        x = x - 1
    return x + 3


@program(2, 1)
def except_block(x):
    try:
        x = x + 1
        raise ValueError(1)
    except ValueError as error:
        x = x * 2
        framelift.graph_break()
        x = x + error.args[0]
    return x


@program(2, 1)
def finally_block(x):
    try:
        x = x + 1
    finally:
        x = x * 2
        framelift.graph_break()
        x = x - 1
    return x


@program(2, 1)
def finally_behind_a_return(x):
    try:
        return x + 1
    finally:
        x = x * 2
        framelift.graph_break()
        x = x - 1


@program(1, 1)
def else_block(x):
    try:
        x = x + 1
    except ValueError:
        return x
    else:
        framelift.graph_break()
        x = x * 2
    return x


@program(1, 1)
def bare_raise_after_a_break(x):
    try:
        try:
            raise KeyError("a")
        except KeyError:
            x = x + 1
            framelift.graph_break()
            raise
    except KeyError as error:
        return x * 2, str(error)


@program(1, 2)
def exception_of_the_python_part(x):
    x = x + 1
    try:
        gc.get_referrers(x, **{"no": 1})
    except TypeError:
        x = x * 2
    return x - 1


@program(1, 2)
def handler_in_a_loop(x):
    for n in range(2):
        try:
            x = x + 1
            if n:
                raise ValueError
            framelift.graph_break()
        except ValueError:
            x = x * 2
    return x


# Managers


class Manager:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return 2

    def __exit__(self, *raised):
        self.log.append(raised[0])
        return True


@contextlib.contextmanager
def doubling(log):
    log.append("in")
    yield 2
    log.append("out")


@program(1, 2)
def users_manager(x):
    log = []
    with Manager(log) as factor:
        x = x + 1
        framelift.graph_break()
        x = x * factor
    return x - 1, log


@program(1, 1)
def users_manager_that_swallows(x):
    log = []
    with Manager(log):
        x = x + 1
        framelift.graph_break()
        raise ValueError
    return x * 2, log


@program(1, 1)
def generator_manager(x):
    log = []
    with doubling(log) as factor:
        x = x + factor
    framelift.graph_break()
    return x * 2, log


@program(1, 1)
def exit_stack(x):
    log = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(Manager(log))
        x = x + 1
        framelift.graph_break()
        x = x * 2
    return x, log


@program(4, 3)
def no_grad(x):
    y = x.clone().requires_grad_()
    with torch.no_grad():
        z = y + 1
        framelift.graph_break()
        z = z * 2
    return z, y * 3, z.requires_grad


@program(6, 7)
def autocast(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ x.T
        framelift.graph_break()
        y = y @ y
    return y, x + 1


@program(1, 2, 1, breaks=2)
def manager_in_a_loop(x):
    log = []
    for _ in range(2):
        with Manager(log) as factor:
            x = x * factor
            framelift.graph_break()
        x = x + 1
    return x, log


@program(1, 1)
def break_while_entering(x):
    class Entering:
        def __enter__(self):
            framelift.graph_break()
            return 3

        def __exit__(self, *raised):
            return False

    x = x + 1
    with Entering() as factor:
        x = x * factor
    return x


# Comprehensions and the middle of expressions


@program(1, 1, 1, breaks=2)
def list_comprehension(x):
    return [pause() or item + 1 for item in [x, x * 2]]


@program(1, 1, breaks=2)
def dict_comprehension(x):
    return {n: pause() or x + n for n in range(2)}


@program(1, 1, 1, breaks=3)
def nested_comprehension(x):
    return [[pause() or x + n for n in range(2)] for _ in range(2)]


@program(2, 3)
def middle_of_an_expression(x):
    return (x + 1) * (x.sum().item() + 2) - (x * 3)


@program(1, 3)
def middle_of_a_call(x):
    return torch.stack([x + 1, x * 2 if gc.isenabled() else x, x - 1])


@program(2, 2)
def conditional_expression(x):
    return (x + 1 if x.sum() > 0 else x - 1) * 2


@program(1, 1)
def match_statement(x):
    match {"kind": "a", "value": 3}:
        case {"kind": "a", "value": value}:
            x = x + 1
            framelift.graph_break()
            return x * value
    return x


# Inlined calls


def third(x):
    x = x * 3
    framelift.graph_break()
    return x + 3


def second(x):
    return third(x + 2) - 2


def first(x):
    return second(x + 1) - 1


@program(3, 4)
def three_calls_deep(x):
    return first(x) * 2


@program(1, 3, 2, breaks=2)
def two_breaks_in_two_calls(x):
    return third(x) + third(x * 2)


@program(1, 2, 1, breaks=2)
def inlined_call_in_a_loop(x):
    for _ in range(2):
        x = third(x)
    return x


@program(2, 2, 1, breaks=2)
def inlined_call_in_a_handler(x):
    try:
        x = third(x + 1)
        raise ValueError
    except ValueError:
        x = third(x)
    return x


@program(1, 2, 1, breaks=2)
def inlined_method(x):
    class Layer:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            x = x * self.factor
            framelift.graph_break()
            return x + 1

    return Layer(3)(Layer(2)(x))


@program(1, 2, 1, breaks=2)
def closure_with_a_cell(x):
    count = 0

    def step(x):
        nonlocal count
        x = x + 1
        framelift.graph_break()
        count += 1
        return x * 2

    x = step(step(x))
    return x, count


@program(3, 1, breaks=2)
def callback_of_a_polyfill(x):
    return max([x + 1, x * 2], key=lambda item: item.sum().item())


def raises_after_a_break(x):
    x = x + 1
    framelift.graph_break()
    raise ValueError(x.shape[0])


@program(1, 1)
def exception_of_an_inlined_call(x):
    try:
        x = raises_after_a_break(x)
    except ValueError as error:
        return x * 2, str(error)
    return x


@program(2, 1)
def exception_of_an_inlined_call_two_calls_up(x):
    def between(x):
        return raises_after_a_break(x * 3)

    try:
        return between(x)
    except ValueError as error:
        return x * 2, type(error)


# What operators and attributes call


class Breaking:
    """Every method has an operation before its break, and one after it."""

    def __init__(self, x):
        x = x + 1
        framelift.graph_break()
        self.x = x * 2

    def __add__(self, other):
        x = self.x + 1
        framelift.graph_break()
        return x * other

    def __lt__(self, other):
        return NotImplemented

    def __gt__(self, other):
        x = self.x + 1
        framelift.graph_break()
        return x * 2

    def __neg__(self):
        x = self.x + 1
        framelift.graph_break()
        return x * 2

    def __getitem__(self, key):
        x = self.x + key
        framelift.graph_break()
        return x * 2

    def __setitem__(self, key, value):
        x = value + 1
        framelift.graph_break()
        self.x = x * 2

    def __contains__(self, item):
        x = self.x + 1
        framelift.graph_break()
        self.x = x * 2
        return True

    def __iter__(self):
        x = self.x + 1
        framelift.graph_break()
        return iter([x * 2])

    def __enter__(self):
        x = self.x + 1
        framelift.graph_break()
        return x * 2

    def __exit__(self, *raised):
        x = self.x + 1
        framelift.graph_break()
        self.x = x * 2
        return True

    def __getattr__(self, name):
        x = self.x + 1
        framelift.graph_break()
        return x * len(name)

    @property
    def twice(self):
        x = self.x + 1
        framelift.graph_break()
        return x * 2

    @twice.setter
    def twice(self, value):
        x = value + 1
        framelift.graph_break()
        self.x = x * 2


class Plain(Breaking):
    """The same without a break when it is made."""

    def __init__(self, x):
        self.x = x


@program(2, 2)
def constructor(x):
    return Breaking(x + 1).x - 1


@program(2, 2)
def operator_of_an_object(x):
    return (Plain(x + 1) + 3) - 1


@program(2, 2)
def operator_left_to_the_other_object(x):
    return (Plain(x) < Plain(x + 1)) - 1


@program(2, 2)
def sign_of_an_object(x):
    return -Plain(x + 1) - 1


@program(2, 2)
def item_of_an_object(x):
    return Plain(x + 1)[2] - 1


@program(2, 2)
def item_of_an_object_set(x):
    made = Plain(x)
    made[0] = x + 1
    return made.x - 1


@program(2, 2)
def search_in_an_object(x):
    made = Plain(x + 1)
    return made.x - 1 if 3 in made else x


@program(2, 2)
def iteration_over_an_object(x):
    for item in Plain(x + 1):
        x = item - 1
    return x


@program(2, 3, 2, breaks=2)
def methods_of_a_manager(x):
    made = Plain(x + 1)
    with made as entered:
        x = entered - 1
    return x + made.x


@program(3, 2, breaks=1)
def manager_that_swallows(x):
    class Swallowing(Plain):
        def __enter__(self):
            return self

    with Swallowing(x + 1) as made:
        made.x = made.x * 3
        raise ValueError
    return made.x - 1


@program(2, 2)
def property_read(x):
    return Plain(x + 1).twice - 1


@program(2, 2)
def property_set(x):
    made = Plain(x)
    made.twice = x + 1
    return made.x - 1


@program(2, 2)
def attribute_that_is_missing(x):
    return Plain(x + 1).four - 1


# Generators


@contextlib.contextmanager
def cleaning(log):
    log.append("in")
    try:
        yield 2
    finally:
        log.append("out")


@program(1, 2)
def manager_that_is_a_generator(x):
    log = []
    with cleaning(log) as factor:
        x = x + 1
        framelift.graph_break()
        x = x * factor
    return x - 1, log


@program(2, 3, 2, breaks=2)
def loop_over_a_generator_of_tensors(x):
    def rows():
        for factor in range(1, 3):
            yield x * factor

    total = x
    for row in rows():
        total = total + row
        framelift.graph_break()
        total = total * 2
    return total - 1


# Exceptions that were raised before


def fails(depth):
    if depth == 0:
        raise ValueError("failed")
    fails(depth - 1)


@program(2, 1)
def handler_of_a_call(x):
    try:
        x = x + 1
        fails(2)
    except ValueError as error:
        x = x * 2
        framelift.graph_break()
        x = x + len(str(error))
    return x


@program(2, 1)
def handler_in_a_handler(x):
    try:
        raise ValueError
    except ValueError as outer:
        try:
            raise KeyError
        except KeyError as inner:
            x = (x + 1) * 2
            framelift.graph_break()
            return x + (inner.__context__ is outer)


@program(2, 2)
def finally_under_an_exception(x):
    try:
        try:
            x = x + 1
            raise ValueError
        finally:
            x = x * 2
            framelift.graph_break()
            x = x + 3
    except ValueError:
        x = x - 1
    return x


@program(1, 1)
def handler_of_what_python_ran(x):
    x = x + 1
    try:
        refuses()
    except ValueError as error:
        x = x * error.args[1]
    return x


@framelift.disable
def refuses():
    raise ValueError("refused", 3)
