"""The ledger: everything capture has found out, in the order it did, and on whose behalf.

It becomes one specification for the native guard program. Nothing else creates guards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from framelift.guards.facts import Check, Fact
from framelift.paths.path import Path, Paths

Node = tuple[str, Any, tuple[Check, ...], tuple[Any, ...], int]
Asker = Any
"""Whatever says where in the user's program a fact was needed: kept, and rendered only when someone asks."""


class Guard(NamedTuple):
    """One recorded answer."""

    path: Path
    fact: Fact | None  # None for relations between two paths
    args: tuple[Any, ...]
    answer: Any
    check: Check
    asker: Asker


class Ledger:
    """The facts of one capture and the objects its residual wants handed over."""

    __slots__ = ("paths", "asker", "_checks", "_wanted", "_relations")

    def __init__(self) -> None:
        self.paths = Paths()
        self.asker: Asker = None  # set by the tracer before each instruction
        self._checks: dict[Path, dict[Any, Guard]] = {}
        self._wanted: dict[Path, int] = {}
        self._relations: list[tuple[Path, Path, bool, str, Asker]] = []

    def record(self, path: Path, fact: Fact, args: tuple[Any, ...], answer: Any) -> None:
        """Note that `fact(path, *args)` is `answer`. Repeating a fact costs nothing later."""
        known = self._checks.setdefault(path, {})
        key = (fact.name, *args)
        if key not in known:
            known[key] = Guard(path, fact, args, answer, fact.check(answer, *args), self.asker)

    def record_check(self, path: Path, check: Check, answer: Any) -> None:
        """Note a native check that has no measurement of its own, such as a tensor's metadata."""
        self._checks.setdefault(path, {})[check[0]] = Guard(path, None, (), answer, check, self.asker)

    def relate(self, first: Path, second: Path, same: bool) -> None:
        """Note that two paths lead to the same object, or to different ones."""
        self._relate(first, second, same, "same_as" if same else "not_same_as")

    def relate_memory(self, first: Path, second: Path, shared: bool) -> None:
        """Note that two paths lead to tensors that share their memory, or to such as do not."""
        self._relate(first, second, shared, "shares_memory" if shared else "shares_no_memory")

    def _relate(self, first: Path, second: Path, answer: bool, check: str) -> None:
        self.want(first)
        self.want(second)
        self._relations.append((first, second, answer, check, self.asker))

    def want(self, path: Path) -> int:
        """Have the object at the end of `path` handed to the residual; gives its number among those."""
        return self._wanted.setdefault(path, len(self._wanted))

    @property
    def wanted(self) -> int:
        return len(self._wanted)

    def knows(self, path: Path, fact: Fact, *args: Any) -> bool:
        return (fact.name, *args) in self._checks.get(path, {})

    def finish(self) -> tuple[tuple[Node, ...], list[tuple[Path, list[Guard]]]]:
        """The nodes for the native guard program, and for each node in preorder its path and guards."""
        return _Specification(self).build()


class _Specification:
    """Turns the tree of paths into nodes, parents before children, relations at whichever end comes later."""

    def __init__(self, ledger: Ledger) -> None:
        self.checks = {path: list(known.values()) for path, known in ledger._checks.items()}
        self.wanted = ledger._wanted
        self.ledger = ledger
        self.useful: set[Path] = set()

    def build(self) -> tuple[tuple[Node, ...], list[tuple[Path, list[Guard]]]]:
        for path in [*self.checks, *self.wanted]:
            self._keep(path)
        self._place_relations()
        guards: list[tuple[Path, list[Guard]]] = []
        nodes = tuple(self._node(path, guards) for path in self.ledger.paths if path in self.useful)
        return nodes, guards

    def _keep(self, path: Path | None) -> None:
        while path is not None and path not in self.useful:
            self.useful.add(path)
            path = path.parent

    def _place_relations(self) -> None:
        if not self.ledger._relations:
            return
        order: dict[Path, int] = {}
        todo = list(self.ledger.paths)[::-1]
        while todo:  # no function that calls itself: such a one is kept, with all it sees, until garbage is collected
            path = todo.pop()
            order[path] = len(order)
            todo += [*path.children.values()][::-1]
        for first, second, answer, name, asker in self.ledger._relations:
            earlier, later = (first, second) if order[first] < order[second] else (second, first)
            check = (name, self.wanted[earlier])
            self.checks.setdefault(later, []).append(Guard(later, None, (earlier,), answer, check, asker))

    def _node(self, path: Path, guards: list[tuple[Path, list[Guard]]]) -> Node:
        mine = self.checks.get(path, [])
        guards.append((path, mine))
        children = tuple(self._node(child, guards) for child in path.children.values() if child in self.useful)
        return path.accessor, path.key, tuple(guard.check for guard in mine), children, self.wanted.get(path, -1)
