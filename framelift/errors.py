"""The exceptions framelift raises. Everything a user may want to catch derives from `FrameliftError`."""

from __future__ import annotations

from typing import Any


class FrameliftError(Exception):
    """The base of every error that framelift raises on its own account."""


class UnsupportedVersionError(FrameliftError, ImportError):
    """This Python or this torch is not one that framelift supports. Raised at import, hence an `ImportError` too."""


class CompileError(FrameliftError):
    """Compiling failed in a way the caller asked to be told of: it is raised from the call itself."""


class FullGraphError(CompileError):
    """`fullgraph=True`, and something could not be captured. The message names it, its line and what to do."""


class DynamicError(CompileError):
    """A dimension marked as dynamic has to have one size, by what the program does with it."""


class StrictError(CompileError):
    """Strict mode: Python measured something else than the native guards said. A bug in framelift."""


class BackendError(CompileError):
    """A backend raised while compiling a graph, which is kept in `graph` for whoever wants to repeat it."""

    def __init__(self, message: str, graph: Any = None) -> None:
        super().__init__(message)
        self.graph = graph
