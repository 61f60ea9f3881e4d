"""The log artifact `dynamic`: which sizes and numbers are symbolic in an entry, and what has to hold of them."""

from __future__ import annotations

from framelift.graph.symbols import Number, Symbols
from framelift.report.places import Place
from framelift.report.records import Compiled


def text(compiled: Compiled, symbols: Symbols, argument_names: tuple[str, ...]) -> str:
    """What is symbolic, and the conditions on it."""
    rows = [f"symbolic numbers of {compiled.title}"]
    rows += [f"  {_where(number, argument_names)} is {number.expr}" for number in symbols.numbers]
    for condition in compiled.conditions:
        asked = "" if condition.asker is None else f"    # {Place(*condition.asker)}"
        rows.append(f"  {condition.text}{asked}")
    return "\n".join(rows)


def _where(number: Number, argument_names: tuple[str, ...]) -> str:
    path = number.seen.path.text(argument_names)
    if number.origin in ("size", "stride"):
        return f"{path}.{number.origin}({number.dim})"
    return f"{path}.storage_offset()" if number.origin == "offset" else path
