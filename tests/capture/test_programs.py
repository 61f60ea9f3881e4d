"""Every program of every corpus in `programs/` does compiled what it does in plain Python."""

from __future__ import annotations

import signal

import pytest

from tests.capture.harness import check_program, corpora

CORPORA = corpora()
SECONDS = 60


@pytest.fixture(autouse=True)
def ends_in_time():
    """A capture that never ends must not take the other programs with it."""

    def give_up(number, frame):
        pytest.fail(f"took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("corpus", "name"), CORPORA, ids=[f"{corpus.name.rpartition('.')[2]}-{name}" for corpus, name in CORPORA]
)
def test_program(corpus, name):
    check_program(corpus, name)
