"""What is kept of a ledger once its guards are built: words only.

An entry lives as long as the code object it belongs to, and nothing the garbage collector sees leads from there to what
the entry holds. So it must not hold the user's objects: paths become text, answers become what a message would show.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from framelift.guards.facts import Fact
from framelift.guards.ledger import Asker, Guard
from framelift.paths.path import Path

_SHOWN_AS_THEY_ARE = frozenset({int, float, bool, str, bytes, complex, type(None)})


class GuardNote(NamedTuple):
    """One guard, for reports."""

    path: str
    fact: str
    answer: Any
    asker: Asker

    def __str__(self) -> str:
        return f"{self.fact}({self.path}) = {self.answer}"


def take_notes(nodes: list[tuple[Path, list[Guard]]], argument_names: tuple[str, ...]) -> list[list[GuardNote]]:
    """The notes of each node of the guard program, in preorder."""
    return [
        [
            GuardNote(path.text(argument_names), _name(guard.fact, guard.check[0]), brief(guard.answer), guard.asker)
            for guard in guards
        ]
        for path, guards in nodes
    ]


def _name(fact: Fact | None, check: str) -> str:
    return check if fact is None else fact.name


def brief(answer: Any) -> Any:
    """An answer without the objects in it."""
    kind = type(answer)
    if kind in _SHOWN_AS_THEY_ARE:
        return answer
    if kind is tuple or kind is frozenset:
        return kind(brief(item) for item in answer)
    name = getattr(answer, "__qualname__", None) or getattr(answer, "__name__", None)
    return f"<{kind.__name__} {name}>" if isinstance(name, str) else f"<{kind.__name__}>"
