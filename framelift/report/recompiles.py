"""Why a function had to be compiled again: for each entry there was, the first guard that did not hold."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any, NamedTuple

from framelift import _core
from framelift.report.naming import name_of_call
from framelift.report.places import Place, shown, users
from framelift.report.records import Compiled


class Failure(NamedTuple):
    """What kept one entry from serving a call."""

    text: str
    place: Place | None
    """The instruction that made the guard necessary."""


class Recompile(NamedTuple):
    """One function compiled again."""

    name: str
    entries: int
    """How many there were."""
    failures: tuple[Failure, ...]
    """The most recently used entry's first."""

    @property
    def summary(self) -> str:
        """What failed first, on one line."""
        return f"{self.name}: {self.failures[0].text}" if self.failures else self.name

    def __str__(self) -> str:
        times = "once" if self.entries == 1 else f"{self.entries} times"
        rows = [f"recompiling {self.name}, compiled {times} before"]
        for failure in self.failures:
            rows.append(f"  {failure.text}")
            if failure.place is not None:
                rows += [f"    {row}" for row in shown(users([failure.place]), first="needed at")]
        return "\n".join(rows)


def why(code: CodeType, function: FunctionType, options: object, args: tuple[Any, ...]) -> Recompile | None:
    """Why the entries there are do not serve a call; None if there are none."""
    entries = [entry for entry in _core.entries(code) if entry.backend is options]
    if not entries:
        return None
    found = (_failure(entry, function, args) for entry in entries)
    return Recompile(name_of_call(code, args), len(entries), tuple(failure for failure in found if failure is not None))


def _failure(entry: _core.Entry, function: FunctionType, args: tuple[Any, ...]) -> Failure | None:
    compiled = entry.payload
    if entry.guards is None or not isinstance(compiled, Compiled):
        return None
    found = entry.guards.culprit(args, function)
    if found is None:
        return None
    node, check, obj = found
    if node == -1:
        return Failure(f"global state: {compiled.state.difference(_core.global_state())}", None)
    if node < 0:
        condition = compiled.condition(check)
        return Failure(f"no longer so: {condition.text}", _place(condition.asker))
    notes = compiled.guards[node]
    if check < 0:
        asker = next((note.asker for note in notes.guards), None)
        return Failure(f"{notes.path} is no longer there", _place(asker))
    note = notes.guards[check]
    return Failure(note.failure(obj), _place(note.asker))


def _place(asker: Any) -> Place | None:
    return None if asker is None else Place(*asker)
