"""The documentation is true: its code runs, prints what it says, and its links lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests import documents
from tests.processes import ROOT

PAGES = [page for page in documents.pages() if documents.blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code(page, tmp_path):
    for block, printed in documents.run(page, tmp_path):
        if block.expected is not None:
            assert documents.agrees(block.expected, printed), f"{page.name}, line {block.line}, prints\n{printed}"


def test_there_is_something_to_run():
    kinds = {block.kind for page in PAGES for block in documents.blocks(page)}
    assert kinds == {"python", "sh"}
    assert len(PAGES) >= 8


@pytest.mark.parametrize("page", documents.pages(), ids=lambda page: page.stem)
def test_links(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_can_be_reached():
    reached, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page not in reached:
            reached.add(page)
            found = re.findall(r"\]\(([^)#\s]+\.md)", page.read_text())
            todo += [(page.parent / target).resolve() for target in found if "://" not in target]
    assert set(documents.pages()) <= reached


def test_agreeing():
    assert documents.agrees("a\n...\nc\n", "a\nb\nb\nc\n")
    assert not documents.agrees("a\n...\nc\n", "a\nb\n")
    assert not documents.agrees("a\n", "a\nb\n")
