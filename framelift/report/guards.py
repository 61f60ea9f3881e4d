"""The guards of an entry as text: one object a line, with what is asked of it and the line that made it necessary."""

from __future__ import annotations

from framelift.guards.ledger import Asker
from framelift.report.places import Place
from framelift.report.records import Compiled


def lines(compiled: Compiled) -> list[str]:
    """One guard a line."""
    rows = [_line(str(note), note.asker) for note in compiled.all_guards]
    return rows + [_line(condition.text, condition.asker) for condition in compiled.conditions]


def _line(text: str, asker: Asker) -> str:
    place = None if asker is None else Place(*asker)
    return text if place is None or place.is_ours else f"{text}    # {place}"
