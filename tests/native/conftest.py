"""No test may leave the hook installed, and no foreign frame may start in one: hypothesis watches the collector."""

import gc

import pytest

from framelift import _core


@pytest.fixture(autouse=True)
def nobody_watches_the_garbage_collector():
    watchers = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = watchers


@pytest.fixture(autouse=True)
def hook_is_left_as_found():
    assert not _core.hook_installed()
    yield
    left_over = _core.hook_installed()
    _core.hook_every_thread("default")
    assert not left_over
