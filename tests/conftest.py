"""All tests run in strict mode: framelift's own bugs are raised, and every guard is measured again in Python."""

import os
import zlib

import pytest

from framelift import settings
from framelift.runtime import strict


@pytest.fixture(autouse=True)
def strict_mode():
    before = settings.current()
    settings.change(raise_internal_errors=True)
    strict.switch(True)
    yield
    strict.switch(before.measure_guards)
    settings.change(raise_internal_errors=before.raise_internal_errors)


BIG = ("tests/capture/", "tests/torture/", "tests/dynamic/", "tests/native/", "tests/code/")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`FRAMELIFT_SAMPLE=4` runs a quarter of the big suites, always the same one, and all of the others."""
    parts = int(os.environ.get("FRAMELIFT_SAMPLE", "1"))
    chosen = [
        item for item in items if not item.nodeid.startswith(BIG) or zlib.crc32(item.nodeid.encode()) % parts == 0
    ]
    if len(chosen) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen
