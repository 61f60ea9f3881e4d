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


@program(1, 1, 1, breaks=2)
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


@program(1, 1, breaks=2)
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


@program(2, 1, 1, 1, breaks=2)
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
