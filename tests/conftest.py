"""All tests run in strict mode: framelift's own bugs are raised, and every guard is measured again in Python."""

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
