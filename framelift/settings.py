"""The settings: few, in one place, and immutable, so that whoever holds them knows they will not change."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a user may choose. A field is added here when the code that reads it is."""

    raise_internal_errors: bool = False
    """Raise framelift's own bugs instead of running the call as ordinary Python. The tests do."""

    measure_guards: bool = False
    """Repeat every evaluation of native guards in Python and raise if they differ. Set by `runtime.strict.switch`."""

    recompile_limit: int = 8
    """How often a function is compiled for one object it is a method of, or for none, before it is left to Python."""

    total_recompile_limit: int = 256
    """How often a function is compiled for all objects together."""

    specialize_zero_one: bool = True
    """Give sizes of 0 and 1 graphs of their own. Without, they share one with other sizes where the graph allows it."""

    capture_scalars: bool = False
    """Keep `.item()` in the graph, its result being a number that only the graph knows."""

    capture_dynamic_outputs: bool = False
    """Keep operations in the graph whose output's size depends on data, such as `nonzero`."""

    break_at: int = 0
    """For tests: break before this instruction of every capture that is not a continuation's; 0: nowhere."""

    break_every: int = 0
    """For tests: break before every so many instructions; 0: nowhere."""

    long_computation: int = 100_000
    """A loop that runs for so many instructions without a tensor operation is left to Python; 0: never. Not a limit for
    `fullgraph=True`, which has no Python to leave it to."""

    fruitless_limit: int = 8
    """After so many captures of a function that put nothing into a graph it is left alone; 0: never."""


_STRICT = os.environ.get("FRAMELIFT_STRICT") == "1"

_current = Settings(raise_internal_errors=_STRICT, measure_guards=_STRICT)


def current() -> Settings:
    """The settings in force."""
    return _current


def change(**changes: Any) -> Settings:
    """Put other settings in force; gives those that were."""
    global _current
    before = _current
    unknown = next((name for name in changes if name not in Settings.__dataclass_fields__), None)
    if unknown is not None:
        raise TypeError(f"unknown setting {unknown!r}; expected one of {', '.join(Settings.__dataclass_fields__)}")
    _current = replace(before, **changes)
    return before
