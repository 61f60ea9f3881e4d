"""Count the positions of forced breaks over all worker processes, and print the sum at the end."""

from __future__ import annotations

import gc

import pytest
import torch

import framelift
from framelift import settings

TRIED = pytest.StashKey[int]()


@pytest.fixture(autouse=True, scope="session")
def what_is_imported_is_no_garbage():
    """Looking through all of PyTorch for garbage every few positions would take a good part of the time."""
    framelift.compile(lambda x: x + 1, backend="eager")(torch.ones(1))  # imports the rest
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def no_forced_breaks_afterwards():
    yield
    settings.change(break_at=0, break_every=0)


@pytest.fixture
def count_tried(request):
    """Call it for each position that was tried."""

    def count() -> None:
        stash = request.config.stash
        stash[TRIED] = stash.get(TRIED, 0) + 1

    return count


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["tried"] = session.config.stash.get(TRIED, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error) -> None:
    stash = node.config.stash
    stash[TRIED] = stash.get(TRIED, 0) + getattr(node, "workeroutput", {}).get("tried", 0)


def pytest_terminal_summary(terminalreporter) -> None:
    tried = terminalreporter.config.stash.get(TRIED, 0)
    if tried:
        terminalreporter.write_line(f"{tried:,} positions of forced breaks tried")
