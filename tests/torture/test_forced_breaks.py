"""A break before every instruction of every conformance program, one at a time, then every n-th, then all.

Whatever is split, nothing may be seen of it: result, exception, output, mutations and identities are those of plain
Python. By default a seeded sample; with `FRAMELIFT_FULL=1` (`make torture`) every position, and the count is printed.
"""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Callable

import pytest

import framelift
from framelift import settings
from tests.capture.harness import check_program, corpora

FULL = os.environ.get("FRAMELIFT_FULL") == "1"
SEED = int(os.environ.get("FRAMELIFT_SEED", "0"))
SAMPLE = 160
MOST = 400  # positions in one program
# Corpora whose programs run through much of the library: fewer positions, few breaks.
LONG = {"class_factories": 25, "classes_in_types": 25, "adversary_library": 25}

CORPORA = list(corpora())
IDS = [f"{corpus.name.rpartition('.')[2]}-{name}" for corpus, name in CORPORA]


def forced() -> bool:
    """Whether a break was forced since the last reset."""
    return any("forced" in reason for reason in framelift.counters()["graph_break"])


def tortured(index: int, count_tried: Callable[[], None], **force: int) -> bool:
    """Check one program with breaks forced; False when none was reached any more."""
    settings.change(**{"break_at": 0, "break_every": 0, **force})
    framelift.reset()  # what is left of earlier positions goes, and the counters are cleared
    check_program(*CORPORA[index], again=True)
    if not forced():
        return False
    count_tried()
    return True


def chosen(share: int) -> list[int]:
    """The programs a kind of test runs on: all, or a seeded sample."""
    numbers = list(range(len(CORPORA)))
    if FULL:
        return numbers
    return sorted(random.Random(SEED + share).sample(numbers, min(SAMPLE // share, len(numbers))))


@pytest.mark.parametrize("index", chosen(1), ids=lambda index: IDS[index])
def test_one_break(index, count_tried):
    if FULL:
        for position in range(1, LONG.get(IDS[index].partition("-")[0], MOST)):
            if not tortured(index, count_tried, break_at=position):
                break
        return
    generator = random.Random(zlib.crc32(IDS[index].encode()) + SEED)
    tortured(index, count_tried, break_at=generator.randint(1, 30))


@pytest.mark.parametrize("every", [1, 2, 3, 7])
@pytest.mark.parametrize("index", chosen(8), ids=lambda index: IDS[index])
def test_many_breaks(index, every, count_tried):
    if IDS[index].partition("-")[0] in LONG:
        every *= 50
    tortured(index, count_tried, break_every=every)
