"""Graph breaks: a record of each, and the text that says where, why, and what to do."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from framelift.report.places import Chain, shown
from framelift.values.reasons import Break, Reason

_WIDTH = 100


class BreakRecord(NamedTuple):
    """One graph break."""

    reason: Reason
    summary: str
    """The kind and its detail, on one line."""
    chain: Chain
    untouched: bool = False
    """The whole frame runs as ordinary Python; otherwise only this instruction does."""
    cause: BreakRecord | None = None
    """The break at which this one came up."""

    @property
    def where(self) -> str:
        """`file:line in function`, on one line."""
        return str(self.chain[0]) if self.chain else "the start of the call"

    def __str__(self) -> str:
        return "\n".join([f"graph break: {self.summary}", *(f"  {row}" for row in self.details())])

    def details(self) -> list[str]:
        """Everything below the first line."""
        rows = shown(self.chain) if self.chain else ["at the start of the call"]
        rows += _wrapped("why", self.reason.explanation) + _wrapped("hint", self.reason.hint)
        if self.untouched:
            rows += _wrapped("so", "The whole frame runs as ordinary Python.")
        if self.cause is not None:
            rows += _wrapped("while", f"breaking the graph at {self.cause.where} ({self.cause.summary})")
        return rows


def record(broken: Break, chain: Chain, *, untouched: bool = False, cause: BreakRecord | None = None) -> BreakRecord:
    """What is kept of a break. The detail is put into words here: it may be an object of the user's."""
    return BreakRecord(broken.reason, str(broken), chain, untouched, cause)


def _wrapped(label: str, text: str) -> list[str]:
    wrapper = textwrap.TextWrapper(_WIDTH, break_long_words=False, break_on_hyphens=False)
    wrapper.initial_indent, wrapper.subsequent_indent = f"{label}: ", " " * (len(label) + 2)
    return wrapper.wrap(text)
