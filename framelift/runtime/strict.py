"""Strict mode, for tests: every evaluation of guards is repeated in Python, and any difference is an error."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from framelift import _core, settings
from framelift.errors import StrictError
from framelift.guards import strict
from framelift.report.records import Compiled


def compare(entry: _core.Entry, args: tuple[Any, ...], function: FunctionType, passed: bool) -> None:
    """Called after the native guards of an entry were asked about a call."""
    compiled = entry.payload
    measured = compiled.measurements if isinstance(compiled, Compiled) else None
    if measured is None or entry.guards is None:
        return
    native = None if passed else entry.guards.failure(args, function)
    if native is not None and native[0] == -1:
        return  # the global state, of which Python asks for a part
    if native is None and measured.state != strict.state():
        raise StrictError(f"strict mode: the guards of {compiled.title} let a call pass in another global state")
    found = measured.first_failure(args, function)
    if found != native:
        raise StrictError(
            f"strict mode: the guards of {compiled.title} differ: natively, {measured.text(native)}; "
            f"in Python, {measured.text(found)}"
        )


def switch(on: bool) -> None:
    """Have guards compared from now on, or no longer. Entries made before are not."""
    if on:
        unknown = strict.unknown_names()
        assert not unknown, f"facts or paths without a native counterpart: {sorted(unknown)}"
    settings.change(measure_guards=on)
    _core.set_strict(compare if on else None)


if settings.current().measure_guards:
    switch(True)
