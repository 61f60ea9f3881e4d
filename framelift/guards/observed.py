"""A live object of the user's, held so that nothing about it can be known without a guard.

The object itself is private. `learn` measures a fact and records it; `child` goes one step further along the path. A
forgotten guard is then not a bug one can write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framelift.guards import facts
from framelift.guards.facts import Fact
from framelift.guards.ledger import Ledger
from framelift.paths.path import ACCESSORS, Path


class Observed:
    """`Observed(path, object)`: what is at the end of a path."""

    __slots__ = ("path", "ledger", "_object")

    def __init__(self, path: Path, obj: Any, ledger: Ledger) -> None:
        self.path = path
        self.ledger = ledger
        self._object = obj

    def learn(self, fact: Fact, *args: Any) -> Any:
        """The answer to a question, good for as long as the guard recorded here holds."""
        answer = fact.measure(self._object, *args)
        self.ledger.record(self.path, fact, args, answer)
        return answer

    def child(self, accessor: str, key: Any = None) -> Observed:
        """The object one step further. Its existence must have been learned before."""
        found = ACCESSORS[accessor].take(self._object, key)
        return Observed(self.path.then(accessor, key), found, self.ledger)

    def pin(self) -> Any:
        """The object itself, for one that stays this very object as long as the guard holds."""
        return self.learn(facts.identity)

    def convert(self, function: Callable[[Any], Any]) -> Any:
        """What a trusted conversion makes of the object; whatever it depends on must have been learned."""
        return function(self._object)

    def token(self) -> int:
        """Tells this object from others while the capture holds it; says nothing else about it."""
        return id(self._object)

    def hand_over(self) -> int:
        """Have the object handed to the residual; gives its number."""
        return self.ledger.want(self.path)

    def __repr__(self) -> str:
        return f"<observed {self.path.text()}>"
