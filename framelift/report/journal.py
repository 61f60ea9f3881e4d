"""Tells whoever listens what was compiled: the log, and explanations in the making."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import NamedTuple

from torch.fx import GraphModule

from framelift import _core, logs
from framelift.code import read
from framelift.code.listing import listing
from framelift.report import graphs, guards
from framelift.report.breaks import BreakRecord
from framelift.report.recompiles import Recompile
from framelift.report.records import Compiled


class Published(NamedTuple):
    """An entry that was just made."""

    compiled: Compiled
    entry: _core.Entry


Listener = Callable[[Published], None]

_listeners: dict[int, tuple[object, Listener]] = {}


@contextmanager
def listening(options: object, listener: Listener) -> Iterator[None]:
    """Have everything told that is compiled with these very options."""
    before = _listeners.get(id(options))
    _listeners[id(options)] = (options, listener)
    try:
        yield
    finally:
        if before is None:
            del _listeners[id(options)]
        else:
            _listeners[id(options)] = before


def published(code: CodeType, compiled: Compiled, entry: _core.Entry) -> None:
    """An entry was made."""
    logs.say("guards", lambda: f"guards of {compiled.title}\n" + _indented("\n".join(guards.lines(compiled))))
    logs.say("bytecode", lambda: f"code of {compiled.title}\n" + _indented(listing(read(code))))
    logs.say("bytecode", lambda: f"residual of {compiled.title}\n" + _indented(residual(entry)))
    found = _listeners.get(id(entry.backend))
    if found is not None:
        found[1](Published(compiled, entry))


def graph_made(compiled: Compiled, graph: GraphModule) -> None:
    """A graph is about to be handed to a backend."""
    logs.say("graph_code", lambda: f"graph of {compiled.title}\n" + _indented(graphs.code(graph)))
    logs.say("graph_sizes", lambda: f"sizes in the graph of {compiled.title}\n" + _indented(graphs.sizes(graph)))


def broken(record: BreakRecord) -> None:
    """The graph breaks."""
    logs.say("graph_breaks", lambda: str(record))


def recompiling(recompile: Recompile) -> None:
    """A function is compiled again."""
    logs.say("recompiles", lambda: str(recompile))


def residual(entry: _core.Entry) -> str:
    """The code that runs in place of the user's."""
    return listing(read(entry.code)).rstrip()


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip().split("\n"))
