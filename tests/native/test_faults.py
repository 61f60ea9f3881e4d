"""A call-back that fails: the user's call runs untouched, and the error is reported once."""

# ruff: noqa: PLC3002
from __future__ import annotations

import signal
import sys
import threading
import traceback

import pytest

from framelift import _core
from tests.native.replacing import deeper


def fresh(source="def f(a):\n    return g(a) + 1\ndef g(a):\n    return a * 2"):
    namespace = {}
    exec(source, namespace)
    return namespace["f"], namespace["g"]


@pytest.fixture
def reports(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: seen.append((report.object, report.exc_value)))
    return seen


@pytest.mark.parametrize("error", [ValueError("broken"), AssertionError(), MemoryError(), StopIteration(), OSError(2)])
def test_error_is_reported_once_and_the_code_is_skipped(reports, error):
    f, g = fresh()
    asked = []

    def callback(code, function, backend, args):
        asked.append(code)
        raise error

    with _core.Scope("compile", callback):
        assert list(map(f, range(5))) == [1, 3, 5, 7, 9]
    assert asked == [f.__code__, g.__code__]
    assert reports == [(f.__code__, error), (g.__code__, error)]
    assert _core.actions(g.__code__) == ("skip", "default")
    assert _core.entries(g.__code__) == []


@pytest.mark.parametrize("answer", [3, "text", object(), True, _core.Entry, [], NotImplemented])
def test_wrong_answer_is_a_type_error(reports, answer):
    f, g = fresh()
    with _core.Scope("compile", lambda code, function, backend, args: answer):
        assert list(map(f, range(3))) == [1, 3, 5]
    assert [(code, type(error)) for code, error in reports] == [(f.__code__, TypeError), (g.__code__, TypeError)]
    assert str(reports[0][1]) == f"a compile call-back returns an Entry or None, got {type(answer).__name__}"


def test_callback_with_wrong_parameters_is_reported(reports):
    f, g = fresh()
    with _core.Scope("compile", lambda code: None):
        assert f(1) == 3
    assert [type(error) for _, error in reports] == [TypeError, TypeError]


def test_none_runs_untouched_and_is_asked_again(reports):
    f, g = fresh()
    asked = []
    with _core.Scope("compile", lambda code, function, backend, args: asked.append(code)):
        assert [f(1), f(2)] == [3, 5]
    assert asked == [f.__code__, g.__code__] * 2
    assert reports == []
    assert _core.actions(f.__code__) == ("default", "default")


def test_callback_gets_code_function_and_backend():
    f, g = fresh()
    backend = object()
    asked = []
    with _core.Scope("compile", lambda *given: asked.append(given[:3]), backend):
        f(1)
    assert asked == [(f.__code__, f, backend), (g.__code__, g, backend)]


def test_entry_of_another_code_or_backend_is_not_used(reports):
    f, g = fresh()
    other = _core.add_entry(f.__code__, f.__code__.replace(), "another backend")
    with _core.Scope("compile", lambda code, function, backend, args: other if code is f.__code__ else None):
        assert f(1) == 3
    stale = _core.add_entry(g.__code__, (lambda a: "wrong").__code__)
    _core.reset(g.__code__)
    with _core.Scope("compile", lambda code, function, backend, args: stale):
        assert (f(1), g(1)) == (3, 2)
    assert reports == []


def test_callback_that_removes_what_it_made():
    f, g = fresh()

    def callback(code, function, backend, args):
        entry = _core.add_entry(code, code.replace(), backend)
        entry.invalidate()
        return entry

    with _core.Scope("compile", callback):
        assert f(2) == 5
    assert _core.entries(f.__code__) == []


def test_callback_that_ends_its_scope():
    f, g = fresh()
    asked = []

    def callback(code, function, backend, args):
        asked.append(code)
        scope.__exit__(None, None, None)
        return _core.add_entry(code, code.replace(), backend)

    _core.set_actions(f.__code__, below="compile")
    scope = _core.Scope("compile", callback)
    scope.__enter__()
    del callback
    assert f(2) == 5
    assert not _core.hook_installed()
    assert asked == [f.__code__]


def test_callback_that_ends_the_hook_of_every_thread():
    f, g = fresh()
    asked = []

    def install():
        def callback(code, function, backend, args):
            asked.append(code)
            _core.hook_every_thread("default")
            return _core.add_entry(code, code.replace(), backend)

        _core.hook_every_thread("compile", callback, object())

    _core.set_actions(f.__code__, below="compile")
    _core.set_actions(install.__code__, below="skip")
    install()
    assert f(2) == 5
    assert asked == [f.__code__]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, BaseException])
def test_what_is_no_exception_propagates(reports, kind):
    f, g = fresh("def f(a):\n    x = a\n    return g(x)\ndef g(a):\n    return a")
    held = object()
    before = sys.getrefcount(held)

    def callback(code, function, backend, args):
        if code is g.__code__:
            raise kind("stop")
        return _core.add_entry(code, code.replace(), backend)

    with _core.Scope("compile", callback):
        for _ in range(20):
            with pytest.raises(kind, match="stop") as caught:
                f(held)
            names = [frame.name for frame in traceback.extract_tb(caught.tb)]
            del caught
            sys.exception()
            assert [name for name in names[1:] if name != "g"] == ["f", "callback"]  # 3.13 also lists the frame itself
    assert sys.getrefcount(held) == before
    assert reports == []
    assert _core.actions(g.__code__) == ("default", "default")
    assert f(3) == 3


@pytest.mark.parametrize(
    "source",
    [
        "def f(a): yield a",
        "async def f(a): return a",
        "async def f(a): yield a",
        "def f(a): return lambda: a",
        "def f(*args, **kwargs): return args",
    ],
)
def test_interrupt_while_asking_for_code_of_any_kind(source):
    namespace = {}
    exec(source, namespace)
    held = object()
    before = sys.getrefcount(held)

    def interrupts(code, function, backend, args):
        raise KeyboardInterrupt

    with _core.Scope("compile", interrupts):
        for _ in range(5):
            with pytest.raises(KeyboardInterrupt):
                namespace["f"](held)
    assert sys.getrefcount(held) == before


def test_interrupt_by_a_signal_in_the_callback():
    f, g = fresh()

    def callback(code, function, backend, args):
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with _core.Scope("compile", callback):
            with pytest.raises(KeyboardInterrupt):
                f(1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert f(1) == 3


def test_interrupt_is_seen_by_the_callers_handlers():
    source = """
def f(a):
    log = []
    try:
        g(a)
    except KeyboardInterrupt as error:
        log.append(type(error.__context__))
    finally:
        log.append("finally")
    return log
def g(a):
    return a
"""
    f, g = fresh(source)

    def callback(code, function, backend, args):
        if code is g.__code__:
            raise KeyboardInterrupt

    with _core.Scope("compile", callback):
        assert f(1) == [type(None), "finally"]


def test_recursion_error_is_not_reported_and_the_call_goes_on(reports):
    def deep(n):
        return 0 if n == 0 else 1 + deep(n - 1)

    def callback(code, function, backend, args):
        deep(200)
        return _core.add_entry(code, code.replace(), backend)

    def down(n):
        return leaf(n) if n == 0 else down(n - 1)

    def leaf(n):
        return "leaf"

    limit = sys.getrecursionlimit()
    base = len(traceback.extract_stack())
    sys.setrecursionlimit(base + 400)
    try:
        with _core.Scope("compile", callback):
            assert down(300) == "leaf"
            assert _core.entries(leaf.__code__) == []
            assert _core.actions(leaf.__code__) == ("default", "default")
            assert leaf(0) == "leaf"
            assert len(_core.entries(leaf.__code__)) == 1
    finally:
        sys.setrecursionlimit(limit)
    assert reports == []


def test_callback_of_the_same_code_fails_in_two_threads_and_is_reported_once(reports):
    f, g = fresh()
    both = threading.Barrier(2)

    def callback(code, function, backend, args):
        if code is g.__code__:
            both.wait(10)
            raise ValueError("in both")

    def run():
        with _core.Scope("compile", callback):
            g(1)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(code, str(error)) for code, error in reports] == [(g.__code__, "in both")]


def test_hook_is_off_inside_the_callback():
    f, g = fresh()
    depth = 0
    deepest = 0

    def callback(code, function, backend, args):
        nonlocal depth, deepest
        depth += 1
        deepest = max(depth, deepest)
        assert (lambda x: [y for y in [x]])(3) == [3]
        depth -= 1
        return _core.add_entry(code, code.replace(), backend)

    with _core.Scope("compile", callback):
        f(1)
    assert deepest == 1


def test_exception_being_handled_is_still_there_after_the_callback():
    def f():
        try:
            raise ValueError("handled")
        except ValueError as error:
            g()
            return sys.exception() is error

    def g():
        return None

    def callback(code, function, backend, args):
        try:
            raise KeyError
        except KeyError:
            return _core.add_entry(code, code.replace(), backend)

    with _core.Scope("compile", callback):
        assert f()


@pytest.mark.parametrize("resize", [deeper(3), deeper(4000)])
def test_failing_unraisable_hook_does_no_harm(monkeypatch, capfd, resize):
    f, g = fresh()

    def hook(report):
        raise RuntimeError("in the hook")

    monkeypatch.setattr(sys, "unraisablehook", hook)

    def callback(code, function, backend, args):
        if code is g.__code__:
            raise ValueError("broken")
        return _core.add_entry(code, resize(code), backend)

    with _core.Scope("compile", callback):
        assert f(1) == 3
    assert "in the hook" in capfd.readouterr().err
