"""`explain`: capture one call afresh, beside whatever is compiled already, and say what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import CodeType
from typing import Any

from framelift import _core
from framelift.report import journal
from framelift.report.explanation import Explanation
from framelift.report.recompiles import Recompile
from framelift.report.records import Compiled
from framelift.runtime import driver
from framelift.runtime.options import Options

# Entries are matched by the identity of their options: equal ones of our own keep explanations apart from the rest.
_twins: dict[Options, Options] = {}


def explain(wrap: Callable[[Options], Callable[..., Any]], options: Options, call: Callable[[Any], Any]) -> Explanation:
    """Have `call` call what `wrap` compiles with these options, and tell of it."""
    ours = _twins.setdefault(options, replace(options))
    driver.forget(ours)
    found = Explanation()
    try:
        with journal.listening(ours, found.add):
            found.result = call(wrap(ours))
    except Exception as error:  # noqa: BLE001  (the caller wants to know about it, and is told)
        found.error = error
    finally:
        driver.forget(ours)
    return found


def recompiled(codes: list[CodeType], options: Options | None) -> list[Recompile]:
    """Why functions had to be compiled again so far, the first time first."""
    found = [entry.payload for entry in entries(codes, options) if isinstance(entry.payload, Compiled)]
    found.sort(key=lambda compiled: compiled.number)
    return [compiled.recompile for compiled in found if compiled.recompile is not None]


def entries(codes: list[CodeType], options: Options | None = None) -> list[_core.Entry]:
    """The entries of functions and of what continues them, for these options or for any."""
    found = []
    for code in codes:
        for compiled in driver.compiled_codes(code):
            found += _core.entries(compiled)
    return [entry for entry in found if options is None or entry.backend is options]
