"""Many calls leave reference counts and memory as they were."""

from __future__ import annotations

import gc
import os
import resource
import sys

import pytest

import framelift
from framelift import _core
from tests.native.replacing import Replacing, deeper, same, wider

MILLION = 1_000_000
MEGABYTE = 1024  # in the kilobytes that Linux counts
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # which keeps freed memory for a while


class Argument:
    pass


def resident():
    """The most memory the process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def steady(work, calls, watched):
    """Assert that `work(calls)` leaves the watched reference counts, the blocks and the memory as they were."""
    work(calls // 100)  # caches fill
    gc.collect()
    counts = [sys.getrefcount(x) for x in watched]
    blocks, memory = sys.getallocatedblocks(), resident()
    work(calls)
    gc.collect()
    assert [sys.getrefcount(x) for x in watched] == counts
    assert sys.getallocatedblocks() - blocks < 200  # fewer there may be: tests before this one leave things to be freed
    assert SANITIZED or resident() - memory < 8 * MEGABYTE


def function(a, b=None, *rest, key=None):
    c = a
    return c


def small(a):
    return a


def generator(a):
    yield a


def raising(a):
    raise ValueError(a)


def test_a_million_calls_through_the_callable():
    argument = Argument()
    compiled = framelift.compile(small)
    compiled(argument)
    (entry, *_) = _core.entries(small.__code__)

    def work(calls):
        for _ in range(calls):
            compiled(argument)

    steady(work, MILLION, [argument, small, small.__code__, entry, entry.code, compiled])


def test_a_million_hooked_calls():
    argument = Argument()
    replacing = Replacing(deeper(4))
    with replacing.scope():
        small(argument)
    entry = _core.entries(small.__code__)[0]

    def work(calls):
        with replacing.scope():
            for _ in range(calls):
                small(argument)

    steady(work, MILLION, [argument, small, small.__code__, entry, entry.code, replacing])
    assert entry.hits >= MILLION


def test_a_million_skipped_calls():
    argument = Argument()

    def skipped(a):
        return a

    _core.set_actions(skipped.__code__, here="skip")
    replacing = Replacing()

    def work(calls):
        with replacing.scope():
            for _ in range(calls):
                skipped(argument)

    steady(work, MILLION, [argument, skipped, skipped.__code__, replacing])
    assert "skipped" not in replacing.names()


@pytest.mark.parametrize("resize", [same, deeper(100), deeper(4000), wider(50), wider(4000)])
def test_calls_of_every_kind(resize):
    argument = Argument()
    replacing = Replacing(resize)

    def every_kind():
        function(argument, argument, argument, key=argument)
        for _ in generator(argument):
            pass
        next(generator(argument))
        try:
            raising(argument)
        except ValueError:
            pass
        return [x for x in (argument,)]

    def work(calls):
        with replacing.scope():
            for _ in range(calls):
                every_kind()

    work(10)
    steady(work, 10_000, [argument, function, generator, raising, function.__code__, replacing])


def test_callables_made_and_dropped():
    argument = Argument()

    def work(calls):
        for _ in range(calls):
            compiled = framelift.compile(lambda a: a, backend="eager")
            assert compiled(argument) is argument
            compiled.reset()

    steady(work, 3_000, [argument])


def test_code_objects_made_and_dropped():
    argument = Argument()
    replacing = Replacing(deeper(30))

    def work(calls):
        for i in range(calls):
            namespace = {}
            exec("def f(a):\n    return [a for _ in (1, 2)]", namespace)
            with replacing.scope():
                assert namespace["f"](argument) == [argument] * 2
            _core.scratch(namespace["f"].__code__)["seen"] = argument
        replacing.replaced.clear()

    steady(work, 3_000, [argument, replacing])


def test_entries_made_and_dropped():
    argument = Argument()
    code = function.__code__

    def work(calls):
        for _ in range(calls):
            entry = _core.add_entry(code, code.replace(), argument, argument)
            entry.depends_on(dependency := Argument())
            entry.depends_on(argument)
            with _core.Scope("lookup", None, argument):
                function(argument)
            del dependency
            assert not entry.valid

    steady(work, 20_000, [argument, function, code])


def test_calls_left_by_an_interrupt():
    argument = Argument()

    def interrupted(a, b=None):
        return a

    def callback(code, function, backend, args):
        raise KeyboardInterrupt

    def work(calls):
        with _core.Scope("compile", callback):
            for _ in range(calls):
                try:
                    interrupted(argument, argument)
                except KeyboardInterrupt:
                    pass

    steady(work, 20_000, [argument, interrupted, interrupted.__code__, callback])


def test_collector_inside_callbacks():
    argument = Argument()
    collected = 0

    def callback(code, function, backend, args):
        nonlocal collected
        cycle = [code, function]
        cycle.append(cycle)
        del cycle
        collected += gc.collect()
        return _core.add_entry(code, code.replace(), backend)

    def target(a):
        return [a, *generator(a)]

    def work(calls):
        for _ in range(calls):
            for code in (target.__code__, generator.__code__):
                _core.reset(code)
            with _core.Scope("compile", callback):
                assert target(argument) == [argument, argument]

    work(3)
    counts = [sys.getrefcount(x) for x in (argument, target, target.__code__)]
    work(8)
    assert [sys.getrefcount(x) for x in (argument, target, target.__code__)] == counts
    assert collected >= 8


@pytest.mark.slow
def test_ten_million_calls():
    argument = Argument()
    compiled = framelift.compile(small)
    replacing = Replacing(wider(9))

    def work(calls):
        with replacing.scope():
            for _ in range(calls):
                small(argument)
                compiled(argument)

    steady(work, 10 * MILLION, [argument, small, small.__code__, compiled])
