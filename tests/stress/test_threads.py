"""Many threads that hook and unhook, compile and forget, while they run the same code."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import framelift
from framelift import _core
from tests.native import programs
from tests.native.replacing import Replacing, deeper, same, wider

THREADS = 8
RESIZES = [same, deeper(3), deeper(400), deeper(4000), wider(5), wider(300), wider(3000), same]

# Those that change nothing outside of themselves, and so can run at the same time.
PROGRAMS = [
    programs.argument_binding,
    programs.methods,
    programs.closures,
    programs.recursion,
    programs.class_bodies,
    programs.generators,
    programs.exceptions,
    programs.frames,
    programs.supers,
]


@pytest.fixture(autouse=True)
def switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(work, count=THREADS):
    """Run `work(number)` in `count` threads that begin together; the first error is raised here."""
    begin = threading.Barrier(count)

    def run(number):
        begin.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(run, number) for number in range(count)]]


def test_scopes_come_and_go_in_every_thread():
    expected = [program() for program in PROGRAMS]

    def work(number):
        replaced = 0
        for _ in range(2):
            replacing = Replacing(RESIZES[number])
            for program, result in zip(PROGRAMS, expected):
                with replacing.scope():
                    assert program() == result
                assert program() == result
            replaced += len(replacing.replaced)
        return replaced

    assert all(count > 60 for count in in_threads(work))
    assert not _core.hook_installed()


def test_hook_of_every_thread_goes_on_and_off():
    expected = [program() for program in PROGRAMS]
    stop = threading.Event()
    switched = 0

    def switch():
        nonlocal switched
        while not stop.is_set():
            replacing = Replacing(RESIZES[switched % len(RESIZES)])
            _core.hook_every_thread("compile", replacing, replacing)
            for program in PROGRAMS[:3]:
                program()
            _core.hook_every_thread("default")
            switched += 1

    def work(number):
        if number == 0:
            return switch()
        try:
            for _ in range(2):
                for program, result in zip(PROGRAMS, expected):
                    assert program() == result
        finally:
            finished.append(number)
            if len(finished) == THREADS - 1:
                stop.set()

    finished = []
    in_threads(work)
    assert switched > 3
    assert not _core.hook_installed()


def test_scopes_and_the_hook_of_every_thread_together():
    expected = [program() for program in PROGRAMS]

    def work(number):
        for turn in range(3):
            replacing = Replacing(RESIZES[(number + turn) % len(RESIZES)])
            for program, result in zip(PROGRAMS[number:], expected[number:]):
                if (turn + number) % 3 == 0:
                    _core.hook_every_thread("compile", replacing, replacing)
                    assert program() == result
                    _core.hook_every_thread("default")
                else:
                    with replacing.scope(), _core.Scope("lookup", None, replacing), replacing.scope():
                        assert program() == result

    in_threads(work)
    _core.hook_every_thread("default")
    assert not _core.hook_installed()


def test_entries_added_used_and_dropped_by_all():
    def shared(n, *rest, key=1):
        return n + sum(x for x in rest) + key

    expected = shared(3, 1, 2, key=4)

    class Dependency:
        pass

    def work(number):
        backend = backends[number % 2]
        code = shared.__code__
        for turn in range(300):
            with backend.scope():
                assert shared(3, 1, 2, key=4) == expected
            if turn % 7 == 0:
                _core.reset(code)
            elif turn % 5 == 0:
                for entry in _core.entries(code):
                    entry.depends_on(dependency := Dependency())
                    del dependency
            elif turn % 3 == 0:
                for entry in _core.entries(code):
                    entry.invalidate()
            _core.scratch(code)[number] = turn

    backends = [Replacing(deeper(2)), Replacing(deeper(3000))]
    in_threads(work)
    assert backends[0].replaced and backends[1].replaced


def test_one_callable_in_all_threads():
    def function(n, scale=2):
        return [i * scale for i in range(n)]

    compiled = framelift.compile(function)

    def work(number):
        for turn in range(500):
            assert compiled(5) == [0, 2, 4, 6, 8]
            if turn % 50 == number:
                compiled.reset()

    in_threads(work)
    assert compiled(2) == [0, 2]


def test_code_objects_made_and_freed_in_all_threads():
    def work(number):
        replacing = Replacing(RESIZES[number])
        for turn in range(150):
            namespace = {}
            exec(f"def f(a):\n    b = a + {turn}\n    return [b for _ in range(2)]", namespace)
            with replacing.scope():
                assert namespace["f"](number) == [number + turn] * 2
            replacing.replaced.clear()

    in_threads(work)
