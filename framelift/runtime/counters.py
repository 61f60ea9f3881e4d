"""Counts of what happened in this process, by kind and detail."""

from __future__ import annotations

from collections import Counter, defaultdict

_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)


def count(kind: str, detail: str) -> None:
    _counts[kind][detail] += 1


def counters() -> dict[str, dict[str, int]]:
    """A copy of all counts; `graph_break` maps each reason to how often it occurred."""
    return {kind: dict(details) for kind, details in {"graph_break": Counter(), **_counts}.items()}


def clear() -> None:
    _counts.clear()
