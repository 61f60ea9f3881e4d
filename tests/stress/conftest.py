"""The same watch as over the native tests."""

from tests.native.conftest import hook_is_left_as_found, nobody_watches_the_garbage_collector

__all__ = ["hook_is_left_as_found", "nobody_watches_the_garbage_collector"]
