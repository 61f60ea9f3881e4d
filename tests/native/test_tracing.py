"""Tracers, profilers and monitoring tools see the user's frames, as without the hook, and none of framelift's."""

# ruff: noqa: PLC3002
from __future__ import annotations

import sys

import pytest

from framelift import _core
from tests.native.replacing import RESIZES, Replacing, deeper, same

EVENTS = ["same", "deeper by 7", "deeper by 5000", "wider by 3", "wider by 4000"]
HERE = __file__


def program():
    def raises():
        raise ValueError("traced")

    def generator(n):
        for i in range(n):
            yield i

    class Body:
        x = [i for i in range(2)]

        def method(self):
            return len(self.x)

    total = 0
    for i in generator(3):
        total += i
    try:
        raises()
    except ValueError:
        total += Body().method()
    squares = {k: k * k for k in map(lambda n: n + 1, range(2))}
    exec("a = 1\nb = a", {})
    return total, squares, (lambda: sorted([2, 1], key=lambda v: -v))()


def traced(run, switch_on=sys.settrace):
    """The events of `run()`, without those of the test's own frames."""
    events = []

    def trace(frame, event, arg):
        code = frame.f_code
        if code.co_filename in (HERE, "<string>"):
            what = arg.__name__ if event.startswith("c_") else arg[0].__name__ if event == "exception" else None
            events.append((code.co_name, event, frame.f_lineno - code.co_firstlineno, what))
        elif code.co_name not in ("run", "scope"):
            events.append(("foreign", code.co_filename, code.co_name))
        return trace

    switch_on(trace)
    try:
        result = run()
    finally:
        switch_on(None)
    return result, [event for event in events if event[3:] not in (("setprofile",), ("settrace",))]


def hooked(resize, function):
    replacing = Replacing(resize)

    def run():
        with scope:
            return function()

    scope = replacing.scope()
    return run, replacing


@pytest.mark.parametrize("resize", EVENTS)
@pytest.mark.parametrize("switch_on", [sys.settrace, sys.setprofile])
def test_same_events_as_plain(switch_on, resize):
    def plainly():
        with nothing:
            return program()

    nothing = _core.Scope("skip")
    expected = traced(plainly, switch_on)
    run, replacing = hooked(RESIZES[resize], program)
    renamed = [("plainly" if name == "run" else name, *rest) for name, *rest in traced(run, switch_on)[1]]
    assert renamed == expected[1]
    assert len(renamed) >= 40
    assert {"program", "generator", "Body", "raises"} <= set(replacing.names())


@pytest.mark.parametrize("resize", EVENTS)
def test_same_opcode_events_as_plain(resize):
    def events_of(run):
        events = []

        def trace(frame, event, arg):
            frame.f_trace_opcodes = True
            if event == "opcode":
                events.append((frame.f_code.co_name, frame.f_lasti))
            return trace

        sys.settrace(trace)
        try:
            run()
        finally:
            sys.settrace(None)
        return [event for event in events if event[0] not in ("run", "events_of")]

    events_of(program)  # on 3.12 the first frame that asks for them gets none yet
    expected = events_of(program)
    run, replacing = hooked(RESIZES[resize], program)
    assert events_of(run) == expected
    assert len(expected) > 100


def test_tracer_sees_nothing_of_the_callback():
    seen = []

    def trace(frame, event, arg):
        seen.append((frame.f_code.co_name, event))
        return trace

    def ours(code):
        return code

    def callback(code, function, backend, args):
        return _core.add_entry(ours(code), code.replace(), backend)

    def target():
        return 1

    for switch_on in (sys.settrace, sys.setprofile):
        seen.clear()
        _core.reset(target.__code__)
        with _core.Scope("compile", callback):
            switch_on(trace)
            target()
            switch_on(None)
        names = {name for name, _ in seen}
        assert "target" in names
        assert not names & {"callback", "ours", "add_entry", "replace"}
        assert len(_core.entries(target.__code__)) == 1


def test_tracing_still_works_after_a_callback_that_fails(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda report: None)
    seen = []

    def trace(frame, event, arg):
        seen.append((frame.f_code.co_name, event))
        return trace

    def callback(code, function, backend, args):
        raise ValueError

    def target():
        return 1

    with _core.Scope("compile", callback):
        sys.settrace(trace)
        target()
        sys.settrace(None)
    assert seen == [("target", "call"), ("target", "line"), ("target", "return")]


def test_interrupt_in_the_callback_while_traced():
    def target():
        return 1

    def callback(code, function, backend, args):
        if code is target.__code__:
            raise KeyboardInterrupt

    seen = []

    def trace(frame, event, arg):
        seen.append(frame.f_code.co_name)
        return trace

    interrupted = 0
    for switch_on in (sys.settrace, sys.setprofile):
        with _core.Scope("compile", callback):
            switch_on(trace)
            try:
                target()
            except KeyboardInterrupt:
                interrupted += 1
            switch_on(None)
    assert interrupted == 2
    assert "callback" not in seen
    assert target() == 1


monitoring = pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="sys.monitoring came with Python 3.12")
TOOL = 4


@pytest.fixture
def tool():
    sys.monitoring.use_tool_id(TOOL, "framelift tests")
    yield sys.monitoring
    sys.monitoring.set_events(TOOL, 0)
    for event in (1 << n for n in range(17)):
        sys.monitoring.register_callback(TOOL, event, None)
    sys.monitoring.free_tool_id(TOOL)


@monitoring
def test_code_with_local_events_runs_untouched(tool):
    def watched(a):
        b = a
        return b

    lines = []
    tool.register_callback(TOOL, tool.events.LINE, lambda code, line: lines.append((code, line)))
    tool.set_local_events(TOOL, watched.__code__, tool.events.LINE)
    replacing = Replacing(deeper(5))
    with replacing.scope():
        assert watched(1) == 1
    tool.set_local_events(TOOL, watched.__code__, 0)
    first = watched.__code__.co_firstlineno
    assert lines == [(watched.__code__, first + 1), (watched.__code__, first + 2)]
    assert "watched" not in replacing.names()
    with replacing.scope():
        assert watched(1) == 1
    assert "watched" in replacing.names()


@monitoring
def test_code_replaced_before_gets_local_events_again(tool):
    def watched():
        return 1

    starts = []
    tool.register_callback(TOOL, tool.events.PY_START, lambda code, offset: starts.append(code))
    replacing = Replacing()
    with replacing.scope():
        watched()
        tool.set_local_events(TOOL, watched.__code__, tool.events.PY_START)
        watched()
    assert starts == [watched.__code__]
    assert [entry.hits for entry in _core.entries(watched.__code__)] == [0]


@monitoring
@pytest.mark.parametrize("resize", EVENTS)
def test_same_global_events_as_plain(tool, resize):
    events = tool.events
    wanted = [
        name
        for name in ("PY_START", "PY_RETURN", "PY_YIELD", "PY_RESUME", "PY_UNWIND", "PY_THROW", "LINE", "RAISE", "CALL")
    ]
    seen = []

    def recorder(name):
        def record(code, *rest):
            if code.co_filename in (HERE, "<string>") and code.co_name not in ("run", "seen_in"):
                # Where in a caller an exception arrives is another place under any hook: calls are not inlined then.
                seen.append((name, code.co_name, None if name in ("RAISE", "PY_UNWIND") else rest[0]))

        return record

    for name in wanted:
        tool.register_callback(TOOL, getattr(events, name), recorder(name))

    def seen_in(run):
        seen.clear()
        mask = 0
        for name in wanted:
            mask |= getattr(events, name)
        tool.set_events(TOOL, mask)
        try:
            run()
        finally:
            tool.set_events(TOOL, 0)
        return list(seen)

    expected = seen_in(program)
    run, replacing = hooked(RESIZES[resize], program)
    assert seen_in(run) == expected
    assert len(expected) > 60
    assert {"program", "generator", "Body", "raises"} <= set(replacing.names())


@monitoring
def test_monitoring_sees_nothing_of_the_callback_and_of_an_interrupt_there(tool):
    def target():
        return 1

    def callback(code, function, backend, args):
        if code is not target.__code__:
            return None
        if interrupt:
            raise KeyboardInterrupt
        return _core.add_entry(code, same(code), backend)

    seen = []
    events = tool.events
    for event in (events.PY_START, events.RAISE, events.PY_UNWIND, events.PY_THROW, events.LINE):
        tool.register_callback(TOOL, event, lambda code, *rest: seen.append(code.co_name))
    for interrupt in (True, False):
        with _core.Scope("compile", callback):
            tool.set_events(TOOL, events.PY_START | events.RAISE | events.PY_UNWIND | events.PY_THROW | events.LINE)
            try:
                target()
            except KeyboardInterrupt:
                pass
            tool.set_events(TOOL, 0)
    assert "target" in seen
    assert not set(seen) & {"callback", "same"}
