"""What `framelift.explain` and `framelift.guards` give back: objects to look into, and to print."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from framelift import _core
from framelift.report import graphs, guards, journal
from framelift.report.breaks import BreakRecord
from framelift.report.journal import Published
from framelift.report.recompiles import Recompile
from framelift.report.records import Compiled
from framelift.values.reasons import NOT_COUNTED


@dataclass(frozen=True)
class Graph:
    """A captured graph."""

    module: Any
    """The `torch.fx.GraphModule` as it was handed to the backend."""

    @property
    def code(self) -> str:
        return graphs.code(self.module)

    @property
    def operations(self) -> Counter[str]:
        """How often each operation is called."""
        return graphs.operations(self.module)

    def __str__(self) -> str:
        return f"{graphs.counted(self.operations)}\n{self.code}"


@dataclass(frozen=True)
class Part:
    """One captured stretch of the program: a cache entry."""

    title: str
    graph: Graph | None
    graph_break: BreakRecord | None
    """Why it ends, unless it ends with the function."""
    guards: list[str]
    residual: str
    """The code that runs in place of the user's."""
    left_alone: bool

    def __str__(self) -> str:
        rows = [self.title]
        if self.left_alone:
            rows.append("  is left alone: captures of it gave no graph")
        rows += _section("graph", "none: there is nothing to put into it" if self.graph is None else str(self.graph))
        if self.graph_break is not None:
            rows += _section("ends with a graph break", str(self.graph_break).removeprefix("graph break: "))
        rows += _section(f"guards ({len(self.guards)})", "\n".join(self.guards))
        rows += _section("residual", self.residual)
        return "\n".join(rows)


@dataclass
class Explanation:
    """What became of one call."""

    result: Any = None
    """What the call gave."""
    error: BaseException | None = None
    """Or what it raised."""
    parts: list[Part] = field(default_factory=list)
    """The captured stretches, in the order in which they were captured."""
    recompiles: list[Recompile] = field(default_factory=list)
    """Why something was compiled again: in this call, and in calls of the compiled function before."""

    @property
    def graphs(self) -> list[Graph]:
        return [part.graph for part in self.parts if part.graph is not None]

    @property
    def breaks(self) -> list[BreakRecord]:
        """The graph breaks. The exception with which a call ends is none."""
        found = [part.graph_break for part in self.parts if part.graph_break is not None]
        return [record for record in found if record.reason not in NOT_COUNTED]

    @property
    def guards(self) -> list[list[str]]:
        """Those of each part."""
        return [part.guards for part in self.parts]

    @property
    def operations(self) -> Counter[str]:
        """Those of all graphs together."""
        return sum((graph.operations for graph in self.graphs), Counter())

    @property
    def summary(self) -> str:
        """The figures, on one line."""
        return ", ".join(
            [
                _plural(len(self.graphs), "graph"),
                _plural(self.operations.total(), "operation"),
                _plural(len(self.breaks), "graph break"),
                _plural(sum(map(len, self.guards)), "guard"),
                _plural(len(self.recompiles), "recompile"),
            ]
        )

    def add(self, published: Published) -> None:
        """Take up an entry that was just made."""
        self.parts.append(part_of(published.compiled, published.entry))
        if published.compiled.recompile is not None:
            self.recompiles.append(published.compiled.recompile)

    def __str__(self) -> str:
        rows = [self.summary]
        if self.error is not None:
            rows.append(f"the call raised {type(self.error).__name__}: {self.error}")
        rows += [f"\n{number}. {part}" for number, part in enumerate(self.parts, 1)]
        rows += [f"\n{recompile}" for recompile in self.recompiles]
        return "\n".join(rows)

    __repr__ = __str__


def part_of(compiled: Compiled, entry: _core.Entry) -> Part:
    """A cache entry in words."""
    return Part(
        title=compiled.title,
        graph=None if compiled.graph is None else Graph(compiled.graph),
        graph_break=compiled.graph_break,
        guards=guards.lines(compiled),
        residual=journal.residual(entry),
        left_alone=compiled.left_alone,
    )


@dataclass(frozen=True)
class EntryGuards:
    """The guards of one cache entry."""

    title: str
    hits: int
    guards: list[str]

    def __str__(self) -> str:
        rows = [f"{self.title}, used {_plural(self.hits, 'time')}", *(f"  {guard}" for guard in self.guards)]
        return "\n".join(rows if self.guards else [*rows, "  no guards: it serves every call"])


class GuardListing(list[EntryGuards]):
    """The installed guards of a function, entry by entry."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing compiled"

    __repr__ = __str__


def installed(entries: list[_core.Entry]) -> GuardListing:
    """The guards of entries."""
    found = GuardListing()
    for entry in entries:
        compiled = entry.payload
        if isinstance(compiled, Compiled):
            found.append(EntryGuards(compiled.title, entry.hits, guards.lines(compiled)))
    return found


def _section(name: str, text: str) -> list[str]:
    return [f"  {name}:", *(f"    {line}".rstrip() for line in text.split("\n"))] if text else []


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
