"""Tracers, profilers, debuggers and coverage switched on and off in the middle of replaced code."""

from __future__ import annotations

import bdb
import cProfile
import gc
import io
import pdb  # noqa: T100
import pstats
import re
import sys
import threading
import trace

import coverage
import pytest

from framelift import _core
from tests.native.replacing import RESIZES, Replacing

SIZES = ["same", "reassembled", "deeper by 7", "deeper by 5000", "wider by 3", "wider by 4000"]
HERE = __file__


class Switches:
    """A program that switches a tracer on and off in itself, in what it calls, and while it leaves frames."""

    def __init__(self, on, off):
        self.on, self.off = on, off

    def run(self):
        def steps(n):
            total = 0
            for i in range(n):
                if i == 2:
                    self.on()
                total += inner(i)
                if i == 4:
                    self.off()
            return total

        def inner(i):
            if i == 3:
                self.off()
                self.on()
            return sum(squares(i))

        def squares(n):
            for i in range(n):
                if i == 1:
                    self.on()
                yield i * i

        def raising():
            try:
                self.on()
                raise ValueError("inside")
            finally:
                self.off()

        total = steps(6)
        try:
            raising()
        except ValueError:
            total += 1
        self.on()
        total += steps(3)
        self.off()
        return total


class Recorder:
    """A tracer or profiler that writes events down, for frames of this file alone."""

    def __init__(self, switch, catch_up=False):
        self.events = []
        self.switch = switch
        self.catch_up = catch_up

    def __call__(self, frame, event, arg):
        if frame.f_code.co_filename == HERE and frame.f_code.co_name not in ("on", "off"):
            self.events.append((frame.f_code.co_name, event, frame.f_lineno))
        elif frame.f_code.co_filename != HERE:
            self.events.append(("foreign", frame.f_code.co_filename, frame.f_code.co_name))
        return self

    def on(self):
        self.switch(self)
        if self.catch_up:  # frames that run already are traced too
            frame = sys._getframe(1)
            while frame is not None and frame.f_code.co_filename == HERE:
                frame.f_trace = self
                frame = frame.f_back

    def off(self):
        self.switch(None)


def run_with(recorder, resize=None):
    program = Switches(recorder.on, recorder.off)
    try:
        if resize is None:
            with _core.Scope("skip"):
                result = program.run()
        else:
            with resize.scope():
                result = program.run()
    finally:
        recorder.switch(None)
    return result, [event for event in recorder.events if event[0] not in ("run_with", "scope")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("catch_up", [False, True])
@pytest.mark.parametrize("switch", [sys.settrace, sys.setprofile])
def test_same_events_when_switched_in_the_middle(switch, catch_up, size):
    expected = run_with(Recorder(switch, catch_up))
    replacing = Replacing(RESIZES[size])
    for _ in range(2):
        assert run_with(Recorder(switch, catch_up), replacing) == expected
    assert len(expected[1]) > 20
    assert {"run", "steps", "inner", "squares", "raising"} <= set(replacing.names())


@pytest.mark.parametrize("size", SIZES)
def test_tracer_that_raises(size):
    def program(depth):
        if depth:
            return program(depth - 1)
        return [i for i in range(3)]

    def run():
        seen = []

        def tracer(frame, event, arg):
            if frame.f_code.co_name == "program":
                seen.append((event, frame.f_lineno))
                if len(seen) == 9:
                    raise KeyError("from the tracer")
            return tracer

        sys.settrace(tracer)
        try:
            program(5)
        except KeyError as error:
            seen.append(str(error))
        finally:
            sys.settrace(None)
        return seen, sys.gettrace()

    expected = run()
    with Replacing(RESIZES[size]).scope():
        assert run() == expected
    assert expected[0][-1] == "'from the tracer'"


@pytest.mark.filterwarnings("ignore:assigning None")  # on 3.12+, to the locals that the replacement has more
@pytest.mark.parametrize("size", SIZES)
def test_tracer_that_jumps(size):
    def program():
        a = 1
        a = 2
        a = 3
        return a

    def run():
        def tracer(frame, event, arg):
            if frame.f_code.co_name != "program":
                return None
            if event == "line" and frame.f_lineno == program.__code__.co_firstlineno + 2:
                frame.f_lineno += 2
            return tracer

        sys.settrace(tracer)
        try:
            return program()
        finally:
            sys.settrace(None)

    assert run() == 1
    with Replacing(RESIZES[size]).scope():
        assert run() == 1


def debugged(n):
    total = 0
    for i in range(n):
        total += helper(i)
    return total


def helper(i):
    j = i * 2
    return j


class Debugger(bdb.Bdb):
    """Steps, and writes down where it stops."""

    def __init__(self, command):
        super().__init__()
        self.stops = []
        self.command = command

    def user_call(self, frame, arguments):
        self.stop("call", frame)

    def user_line(self, frame):
        self.stop("line", frame)

    def user_return(self, frame, value):
        self.stop("return", frame)

    def stop(self, what, frame):
        self.stops.append((what, frame.f_code.co_name, frame.f_lineno))
        if len(self.stops) > 30:
            self.set_quit()
        elif self.command == "next":
            self.set_next(frame)
        elif self.command == "return":
            self.set_return(frame)
        elif self.command == "until":
            self.set_until(frame)
        else:
            self.set_step()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("command", ["step", "next", "return", "until"])
def test_debugger_stops_at_the_same_places(command, size):
    def run(scope):
        debugger = Debugger(command)
        with scope:
            try:
                debugger.runcall(debugged, 3)
            except bdb.BdbQuit:
                pass
            finally:
                sys.settrace(None)
        return [stop for stop in debugger.stops if stop[1] in ("debugged", "helper")]

    expected = run(_core.Scope("skip"))
    replacing = Replacing(RESIZES[size])
    assert run(replacing.scope()) == expected
    assert expected
    assert "debugged" in replacing.names()


@pytest.mark.parametrize("size", SIZES)
def test_breakpoint_set_while_the_code_runs(size):
    def run(scope):
        debugger = Debugger("step")
        debugger.command = "continue"
        debugger.stop = lambda what, frame: (
            debugger.stops.append((what, frame.f_code.co_name, frame.f_lineno)),
            debugger.set_continue(),
        )
        line = helper.__code__.co_firstlineno + 2
        with scope:
            debugger.set_break(HERE, line)
            debugger.runcall(debugged, 3)
            debugger.clear_all_breaks()
            sys.settrace(None)
        return debugger.stops

    expected = run(_core.Scope("skip"))
    assert run(Replacing(RESIZES[size]).scope()) == expected
    assert len(expected) >= 3


def test_pdb_session():
    def run(scope):
        output = io.StringIO()
        commands = io.StringIO("step\nstep\nargs\nwhere\nnext\np locals()\nup\np n\ndown\nreturn\nquit\n")
        debugger = pdb.Pdb(stdin=commands, stdout=output, nosigint=True, readrc=False)
        with scope:
            try:
                debugger.runcall(helper, 4)
            except bdb.BdbQuit:
                pass
            finally:
                sys.settrace(None)
        return re.sub("0x[0-9a-f]+", "0x…", output.getvalue())

    expected = run(_core.Scope("skip"))
    assert run(Replacing().scope()) == expected
    assert "j = i * 2" in expected


def test_profiler_counts_the_same_calls():
    def counts(scope):
        profile = cProfile.Profile()
        with scope:
            profile.enable()
            debugged(20)
            profile.disable()
        stats = pstats.Stats(profile).stats
        return sorted((name, calls[0]) for (_, _, name), calls in stats.items() if name in ("debugged", "helper"))

    expected = counts(_core.Scope("skip"))
    assert counts(Replacing().scope()) == expected == [("debugged", 1), ("helper", 20)]


def test_trace_module_counts_the_same_lines():
    def lines(scope):
        tracer = trace.Trace(count=1, trace=0)
        with scope:
            tracer.runfunc(debugged, 5)
        return {line: n for (file, line), n in tracer.results().counts.items() if file == HERE}

    expected = lines(_core.Scope("skip"))
    assert lines(Replacing().scope()) == expected
    assert len(expected) >= 6


@pytest.mark.parametrize("size", SIZES)
def test_coverage_started_and_stopped_in_the_middle(size):
    def measured(scope):
        cover = coverage.Coverage(data_file=None, include=[HERE], branch=True)
        with scope:
            debugged(1)
            cover.start()
            before = sys.gettrace()
            debugged(2)
            cover.stop()
            debugged(1)
        data = cover.get_data()
        return sorted(data.lines(HERE) or []), sorted(data.arcs(HERE) or [])

    outer = sys.gettrace()
    expected = measured(_core.Scope("skip"))
    assert measured(Replacing(RESIZES[size]).scope()) == expected
    assert helper.__code__.co_firstlineno + 1 in expected[0]
    assert sys.gettrace() is outer


def test_tracing_switched_by_another_thread():
    """`threading.settrace` for threads to come, while they run replaced code."""
    seen = []

    def tracer(frame, event, arg):
        if frame.f_code.co_name in ("debugged", "helper"):
            seen.append((frame.f_code.co_name, event, frame.f_lineno))
        return tracer

    def run(action):
        seen.clear()
        replacing = Replacing()
        _core.hook_every_thread(action, replacing, replacing)
        threading.settrace(tracer)
        try:
            thread = threading.Thread(target=debugged, args=(4,))
            thread.start()
            thread.join()
        finally:
            threading.settrace(None)
            _core.hook_every_thread("default")
        return list(seen)

    expected = run("skip")
    assert run("compile") == expected
    assert len(expected) > 20


def test_collector_runs_while_traced_and_asked_for_entries():
    def callback(code, function, backend, args):
        gc.collect()
        return _core.add_entry(code, code.replace(co_stacksize=code.co_stacksize + 50), backend)

    events = []

    def tracer(frame, event, arg):
        if frame.f_code.co_filename == HERE:
            events.append((frame.f_code.co_name, event))
        return tracer

    gc.callbacks.append(watcher := lambda phase, info: None)
    try:
        with _core.Scope("compile", callback):
            sys.settrace(tracer)
            result = debugged(3)
            sys.settrace(None)
    finally:
        gc.callbacks.remove(watcher)
    assert result == 6
    assert ("callback", "call") not in events
    assert events.count(("helper", "call")) == 3
