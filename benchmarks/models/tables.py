"""Results of both engines, case by case, as figures, as one Markdown table and as plots."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.models.plots import Bars, bars

Result = dict[str, Any]
BEGIN, END = "<!-- zoo: begin -->", "<!-- zoo: end -->"


class Pair(NamedTuple):
    """One case with both engines."""

    name: str
    ours: Result
    theirs: Result


class Figure(NamedTuple):
    """Something measured of a case with an engine; None where there is no answer."""

    key: str
    title: str
    of: Callable[[Result], float | None]
    is_count: bool = False
    """Both numbers say something by themselves. Otherwise only their ratio is given."""
    text: Callable[[float], str] = "{:g}".format


def _rate(result: Result) -> float | None:
    operations = result["inside"] + result["outside"] if "inside" in result else 0
    return result["inside"] / operations if operations else None


FIGURES = (
    Figure("rate", "capture rate: operations that run in graphs", _rate, is_count=True, text="{:.0%}".format),
    Figure("graphs", "graphs", lambda result: result["graphs"][0] if "graphs" in result else None, is_count=True),
    Figure(
        "recompiles",
        "graphs compiled again: other data, two other batch sizes",
        lambda result: sum(result["graphs"][1:]) if "graphs" in result else None,
        is_count=True,
    ),
    Figure("capture", "time to capture", lambda result: result.get("capture_ns")),
    Figure("warm", "overhead of a warm call", lambda result: result.get("warm_ns")),
    Figure("memory", "peak memory", lambda result: result.get("memory_kib")),
)


def ratio(figure: Figure, pair: Pair) -> float | None:
    ours, theirs = figure.of(pair.ours), figure.of(pair.theirs)
    return ours / theirs if ours is not None and theirs else None


def table(pairs: Iterable[Pair]) -> list[str]:
    """Counts of both engines, ratios of the rest."""
    pairs = list(pairs)
    rows = [
        "| case | results equal eager's | " + " | ".join(figure.title.split(":")[0] for figure in FIGURES) + " |",
        "|---" * (2 + len(FIGURES)) + "|",
    ]
    rows += [f"| {pair.name} | {_status(pair)} | {_cells(pair)} |" for pair in pairs]
    return [*rows, f"| **all** | {_right(pairs)} | " + " | ".join(_middle(figure, pairs) for figure in FIGURES) + " |"]


def _cells(pair: Pair) -> str:
    return " | ".join(_cell(figure, pair) for figure in FIGURES)


def _cell(figure: Figure, pair: Pair) -> str:
    if not figure.is_count:
        found = ratio(figure, pair)
        return "–" if found is None else f"{found:.2f}"
    both = figure.of(pair.ours), figure.of(pair.theirs)
    return " : ".join("–" if one is None else figure.text(one) for one in both)


def _status(pair: Pair) -> str:
    ours, theirs = (_word(result) for result in (pair.ours, pair.theirs))
    return ours if ours == theirs else f"{ours} : {theirs}"


def _word(result: Result) -> str:
    return "yes" if result["status"] == "ok" else f"**{result['status']}**"


def _right(pairs: list[Pair]) -> str:
    counts = (
        sum(result["status"] == "ok" for result in results) for results in zip(*(p[1:] for p in pairs), strict=True)
    )
    return " : ".join(f"{count} of {len(pairs)}" for count in counts)


def _middle(figure: Figure, pairs: list[Pair]) -> str:
    if figure.is_count:
        known = [(figure.of(pair.ours), figure.of(pair.theirs)) for pair in pairs]
        both = [(ours, theirs) for ours, theirs in known if ours is not None and theirs is not None]
        fold: Any = statistics.mean if figure.key == "rate" else sum
        return " : ".join(figure.text(fold(side)) for side in zip(*both, strict=True)) if both else "–"
    found = [value for value in (ratio(figure, pair) for pair in pairs) if value is not None]
    return f"median {statistics.median(found):.2f}" if found else "–"


def write_plots(pairs: list[Pair], folder: Path) -> list[Path]:
    """One plot per figure."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for figure in FIGURES:
        path = folder / f"{figure.key}.svg"
        path.write_text(bars(_bars(figure, pairs)))
        written.append(path)
    return written


def _bars(figure: Figure, pairs: list[Pair]) -> Bars:
    if figure.is_count:
        values = [(pair.name, (figure.of(pair.ours), figure.of(pair.theirs))) for pair in pairs]
        return Bars(figure.title, values, ("framelift", "torch.compile"), figure.text, None)
    ratios = [(pair.name, (ratio(figure, pair),)) for pair in pairs]
    return Bars(
        f"{figure.title}, framelift / torch.compile", ratios, ("framelift / torch.compile",), "{:.2f}".format, 1.0
    )


def put_into(page: Path, rows: list[str]) -> None:
    """Write the table into a page, between its two marks."""
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    page.write_text(text[:begin] + "\n\n" + "\n".join(rows) + "\n\n" + text[end:])
