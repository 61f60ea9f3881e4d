"""The page of reasons is the one the code gives; `make docs` writes it."""

from __future__ import annotations

from pathlib import Path

import framelift
from framelift.report import page
from framelift.values.reasons import REASONS

PAGE = Path(framelift.__file__).parent.parent / "docs" / "graph-breaks.md"


def test_page_is_up_to_date():
    assert PAGE.read_text() == page.page(), "run `make docs`"


def test_every_reason_is_on_it():
    text = page.page()
    for reason in REASONS.values():
        assert f"\n### {reason.name}\n" in text
    assert max(map(len, text.split("\n"))) <= 120
