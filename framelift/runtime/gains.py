"""Whether capturing a function is worth while: one that never gives a graph is left alone after some time."""

from __future__ import annotations

from types import FunctionType

from framelift import logs, settings
from framelift.interpreter.frame import Program
from framelift.report.records import Compiled


def is_left_alone(program: Program) -> bool:
    """Whether a function, or what continues it, is not to be captured any more."""
    limit = settings.current().fruitless_limit
    written = program.written
    return 0 < limit <= written.fruitless and not written.graphs and not written.shared


def count(program: Program, function: FunctionType, compiled: Compiled) -> bool:
    """Count one more capture of a function; True when it was one too many without a graph."""
    written = program.written
    if program is written and _is_shared(function):
        written.shared = True
    if compiled.graph is not None:
        written.graphs += 1
        return False
    chosen = settings.current()
    if chosen.break_at or chosen.break_every:  # a test asked for breaks; they say nothing about the function
        return False
    written.fruitless += 1
    if not is_left_alone(program):
        return False
    last = compiled.graph_break
    if last is not None:
        name = f"{compiled.name} ({compiled.filename}:{compiled.line})"
        logs.warn(
            f"{name} runs as ordinary Python from now on: it was captured {written.fruitless} times, and broke before "
            f"anything went into a graph, the last time at {last.where} ({last.summary})"
        )
    return True


def _is_shared(function: FunctionType) -> bool:
    """Whether what is found about one use of its code may not hold for another: closures, methods, wrappers."""
    return function.__closure__ is not None or function.__code__.co_varnames[:1] in (("self",), ("cls",), ("args",))
