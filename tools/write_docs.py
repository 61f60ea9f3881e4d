"""Writes the pages of documentation that are made from the code. `make docs` runs it."""

from __future__ import annotations

from pathlib import Path

from framelift.report import page

DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> None:
    (DOCS / "graph-breaks.md").write_text(page.page())


if __name__ == "__main__":
    main()
