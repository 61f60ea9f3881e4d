"""The log: one stream per artifact, each off until somebody asks for it.

`FRAMELIFT_LOGS=graph_breaks,recompiles` or `framelift.set_logs("graph_breaks", "recompiles")` switch streams on. Each
is a logger `framelift.<artifact>` of the standard library, and goes to stderr unless the program has set logging up
itself. What is to be said is put into words only when somebody listens.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable

ARTIFACTS: dict[str, str] = {
    "graph_code": "the Python code of every graph handed to a backend",
    "graph_sizes": "the shape and dtype of every tensor in such a graph",
    "graph_breaks": "every graph break: where, why, what to do",
    "guards": "the guards of every new cache entry, with the line that asked for each",
    "recompiles": "which guards failed when a function is compiled again, with the old and the new value",
    "bytecode": "the user's code and the residual code that runs in its place",
    "trace": "every source line as it is traced",
    "dynamic": "decisions about sizes and numbers that may change",
}

VARIABLE = "FRAMELIFT_LOGS"


class _Stderr(logging.Handler):
    """Writes to whatever `sys.stderr` is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


_handler = _Stderr()
_handler.setFormatter(logging.Formatter("[%(name)s] %(message)s"))

_loggers: dict[str, logging.Logger] = {name: logging.getLogger(f"framelift.{name}") for name in ARTIFACTS}
_on: set[str] = set()


def wanted(artifact: str) -> bool:
    """Whether anybody listens."""
    return artifact in _on


def say(artifact: str, text: Callable[[], str]) -> None:
    """Log what `text` gives, if anybody listens."""
    if artifact in _on:
        _loggers[artifact].info("%s", text())


def checked(names: Iterable[str]) -> set[str]:
    """The names, if all are artifacts; otherwise an error that says which are."""
    found = set(names)
    for name in sorted(found - ARTIFACTS.keys()):
        raise ValueError(f"unknown log artifact {name!r}; expected one of {', '.join(ARTIFACTS)}")
    return found


def switch(names: Iterable[str]) -> None:
    """Have these artifacts logged, and no others."""
    chosen = checked(names)
    for name, logger in _loggers.items():
        logger.setLevel(logging.INFO if name in chosen else logging.NOTSET)
        logger.removeHandler(_handler)
        if name in chosen and not logger.hasHandlers():
            logger.addHandler(_handler)
    _on.clear()
    _on.update(chosen)


def warn(text: str) -> None:
    """Say something that the user should hear without having asked."""
    logging.getLogger("framelift").warning("%s", text)


def names_in(text: str) -> list[str]:
    """The artifacts in the value of the environment variable."""
    return [name.strip() for name in text.split(",") if name.strip()]


def switch_from_environment() -> None:
    """Have logged what the environment variable asks for."""
    asked = names_in(os.environ.get(VARIABLE, ""))
    if asked:
        switch(asked)
