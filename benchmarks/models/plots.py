"""Bar charts as SVG, written by hand: a bar or two per row."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

ROW, BAR, LEFT, WIDTH, RIGHT, TOP = 26, 9, 210, 460, 80, 56
COLOURS = ("#2563eb", "#9ca3af")


class Bars(NamedTuple):
    """What to draw: for every row a value per series."""

    title: str
    rows: list[tuple[str, tuple[float | None, ...]]]
    series: tuple[str, ...]
    text: Callable[[float], str]
    line: float | None
    """Where to draw a line across, if anywhere."""


def bars(chart: Bars) -> str:
    """The chart as an SVG document."""
    known = [value for _, values in chart.rows for value in values if value is not None]
    most = max([*known, chart.line or 0, 1e-9])
    height = TOP + ROW * len(chart.rows) + 12
    size = f'width="{LEFT + WIDTH + RIGHT}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="22" font-size="14" font-weight="bold">{escape(chart.title)}</text>',
    ]
    parts += _legend(chart.series)
    for index, (name, values) in enumerate(chart.rows):
        parts += _row(TOP + ROW * index, name, values, most, chart.text)
    if chart.line is not None:
        x = LEFT + WIDTH * chart.line / most
        parts.append(f'<path d="M{x:.1f} {TOP - 4}V{height - 8}" stroke="#dc2626" stroke-dasharray="4 3"/>')
    return "\n".join([*parts, "</svg>", ""])


def _legend(series: tuple[str, ...]) -> list[str]:
    parts = []
    for index, name in enumerate(series):
        x = LEFT + 130 * index
        parts.append(f'<rect x="{x}" y="34" width="10" height="10" fill="{COLOURS[index]}"/>')
        parts.append(f'<text x="{x + 15}" y="43">{escape(name)}</text>')
    return parts


def _row(y: int, name: str, values: tuple[float | None, ...], most: float, text: Callable[[float], str]) -> list[str]:
    parts = [f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>']
    bar = BAR if len(values) > 1 else 2 * BAR
    for index, value in enumerate(values):
        top = y + 2 + index * (bar + 1)
        length = 0 if value is None else WIDTH * value / most
        words = "no figure" if value is None else text(value)
        parts.append(f'<rect x="{LEFT}" y="{top}" width="{length:.1f}" height="{bar}" fill="{COLOURS[index]}"/>')
        parts.append(f'<text x="{LEFT + length + 5:.1f}" y="{top + bar - 1}" font-size="10">{escape(words)}</text>')
    return parts
