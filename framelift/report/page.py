"""`docs/graph-breaks.md`, written from the table of reasons: what is registered is what is documented."""

from __future__ import annotations

import textwrap

from framelift.values.reasons import NOT_COUNTED, REASONS, Reason

_BEGINNING = """\
# Graph breaks

<!-- Written by `make docs` from the table of reasons in the code; a test compares the two. -->

Where something cannot go into a graph, the graph ends: it is compiled, Python runs that one instruction, and capture
goes on after it. The result is that of plain Python; what a break costs is the operations that could have been compiled
together and now are not.

To see them:

- `framelift.explain(fn)(*args)` makes a call and gives, among the rest, each break with its place and reason; print it.
- `FRAMELIFT_LOGS=graph_breaks`, or `framelift.set_logs("graph_breaks")`, prints each as it happens.
- `framelift.counters()["graph_break"]` counts them by reason and place.
- `framelift.compile(fn, fullgraph=True)` raises the first one as an error, with the same text.

To say where they may be:

- `framelift.graph_break()` breaks the graph at that place.
- `framelift.disable` keeps a function from being captured: what it calls too, unless `recursive=False`.
  `torch.compiler.disable` has the same effect.
- `with framelift.error_on_graph_break(True):` makes a break inside an error; `False` allows them again further in.

A function that only ever breaks, without a single graph, is left alone after `fruitless_limit` captures, with one
message.

## Reasons
"""

_COUNTED_NOT = "Not counted as a graph break."


def page() -> str:
    """The page as it should be."""
    return "\n".join([_BEGINNING, *(_section(reason) for _, reason in sorted(REASONS.items()))])


def _section(reason: Reason) -> str:
    texts = [reason.explanation, f"**What to do:** {reason.hint}"]
    if reason in NOT_COUNTED:
        texts.append(_COUNTED_NOT)
    return "\n\n".join([f"### {reason.name}", *(_filled(text) for text in texts)]) + "\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)
