"""Breaks while other calls of the same function are under way, or start in between."""

from __future__ import annotations

import gc
import threading

import pytest
import torch

import framelift
from framelift import settings
from tests.capture.harness import tensor

X = tensor(2, 3)


@pytest.fixture(autouse=True)
def fresh():
    framelift.reset()
    before = settings.change(raise_internal_errors=True)
    yield
    settings.change(raise_internal_errors=before.raise_internal_errors)
    framelift.reset()


def compiled(function):
    return framelift.compile(function, backend="eager")


def same(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


# Recursion


def descends(x, n):
    x = x + n
    framelift.graph_break()
    if n:
        x = descends(x * 2, n - 1)
        framelift.graph_break()
    return x - 1


def test_recursion_through_a_break():
    run = compiled(descends)
    for _ in range(2):
        for n in (0, 3, 1, 5):
            same(run(X, n), descends(X, n))


def test_recursion_through_the_compiled_function():
    def again(x, n):
        x = x + 1
        if x.sum() > 0 and n:
            x = run(x * 2, n - 1) + 1
        return x - 3

    def plain(x, n):
        x = x + 1
        if x.sum() > 0 and n:
            x = plain(x * 2, n - 1) + 1
        return x - 3

    run = compiled(again)
    for n in (4, 0, 2, 4):
        same(run(X, n), plain(X, n))


def test_recursion_in_the_python_part():
    log = []

    @framelift.disable
    def below(x, n):
        log.append(n)
        return run(x, n - 1) if n else x

    def function(x, n):
        x = x + 1
        x = below(x, n)
        return x * 2

    run = compiled(function)
    expected = X
    for _ in range(4):
        expected = expected + 1
    for _ in range(4):
        expected = expected * 2
    for _ in range(2):
        log.clear()
        same(run(X, 3), expected)
        assert log == [3, 2, 1, 0]


def test_exception_through_a_recursion():
    def function(x, n):
        try:
            framelift.graph_break()
            if not n:
                raise ValueError(n)
            return function(x + 1, n - 1)
        finally:
            framelift.graph_break()
            seen.append(n)

    run = compiled(function)
    for n in (2, 3):
        seen = []
        with pytest.raises(ValueError, match="0"):
            run(X, n)
        assert seen == list(range(n + 1))


# Threads


def test_two_threads_at_different_breaks():
    first, second = threading.Event(), threading.Event()

    @framelift.disable
    def meet(which):
        """The first thread waits at the first break until the second has come to the second one."""
        if which == "early":
            second.wait(60)
        if which == "late":
            first.wait(60)
            second.set()

    def function(x, name):
        x = x + 1
        meet("early" if name == "a" else "")
        x = x * 2
        first.set() if name == "a" else meet("late" if name == "b" else "")
        return x - 3

    run = compiled(function)
    same(run(X, "c"), (X + 1) * 2 - 3)
    results = {}

    def call(name):
        results[name] = run(X, name)

    first.set()
    threads = [threading.Thread(target=call, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == ["a", "b"]
    for result in results.values():
        same(result, (X + 1) * 2 - 3)


def test_many_threads_in_one_function():
    def function(x, n):
        total = x * n
        for item in range(3):
            total = total + item
            gc.isenabled()
            total = total * 2
        return total

    run = compiled(function)
    wrong = []

    def call(number):
        for n in range(5):
            found = run(X + number, n)
            if not torch.equal(found, function(X + number, n)):
                wrong.append((number, n))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert wrong == []


# Compiling in between


def test_python_part_that_compiles_something_else():
    def other(x):
        framelift.graph_break()
        return x * 10

    @framelift.disable
    def between(x):
        return compiled(other)(x) + compiled(lambda x: x - 1)(x)

    def function(x):
        x = x + 1
        x = between(x)
        return x + 2

    expected = (X + 1) * 10 + (X + 1) - 1 + 2
    run = compiled(function)
    for _ in range(3):
        same(run(X), expected)


def test_python_part_that_compiles_the_same_function():
    @framelift.disable
    def between(x, deep):
        return compiled(function)(x, deep=False) if deep else x

    def function(x, deep):
        x = x + 1
        x = between(x, deep)
        return x * 2

    for _ in range(2):
        same(compiled(function)(X, deep=True), ((X + 1 + 1) * 2) * 2)


def test_python_part_that_resets():
    @framelift.disable
    def between():
        framelift.reset()

    def function(x):
        x = x + 1
        between()
        x = x * 2
        between()
        return x - 1

    run = compiled(function)
    for _ in range(3):
        same(run(X), (X + 1) * 2 - 1)


def test_python_part_that_changes_what_was_guarded():
    class Holder:
        factor = 2

    @framelift.disable
    def between():
        Holder.factor += 1

    def function(x):
        x = x * Holder.factor
        between()
        return x * Holder.factor

    run = compiled(function)
    same(run(X), X * 2 * 3)
    same(run(X), X * 3 * 4)


# Generators that outlive


def counts(x):
    n = 0
    while True:
        n += 1
        framelift.graph_break()
        yield x * n


def makes(x):
    x = x + 1
    framelift.graph_break()
    made = counts(x)
    return made, x * 2


def test_generator_resumed_after_its_creator_is_gone():
    generator, doubled = compiled(makes)(X)
    same(doubled, (X + 1) * 2)
    gc.collect()
    for n in (1, 2, 3):
        same(next(generator), (X + 1) * n)
    generator.close()


def half_way(x):
    made = counts(x + 1)
    first = next(made)
    framelift.graph_break()
    return made, first * 2


def test_generator_half_consumed_before_the_break():
    for _ in range(2):
        generator, first = compiled(half_way)(X)
        same(first, (X + 1) * 2)
        gc.collect()
        same(next(generator), (X + 1) * 2)
        same(next(generator), (X + 1) * 3)


def test_generator_passed_to_a_compiled_function():
    def takes(generator, x):
        x = x + next(generator)
        framelift.graph_break()
        return x + next(generator)

    def numbers():
        yield X
        yield X * 2
        yield X * 3

    run = compiled(takes)
    generator = numbers()
    same(run(generator, X), X + X + X * 2)
    same(next(generator), X * 3)
