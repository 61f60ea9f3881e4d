"""Helpers to compare reports word by word: what differs between machines and Pythons is replaced."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from tests.report import programs

FILE = str(Path(programs.__file__))


def neutral(text: object) -> str:
    """A report with the programs' file called FILE."""
    return re.sub(r"0x[0-9a-f]+", "0x", str(text)).replace(FILE, "FILE")


def golden(text: str) -> str:
    """An expected text as it stands in a test."""
    return textwrap.dedent(text).strip("\n")


def lines_of(function) -> int:
    return function.__code__.co_firstlineno
