"""Every program of `torch_programs/` ends compiled as it does eagerly."""

from __future__ import annotations

import pytest

from tests.capture.torch_cases import cases, check

CASES = cases()


@pytest.mark.parametrize(("one", "backend"), [found[1:] for found in CASES], ids=[found[0] for found in CASES])
@pytest.mark.filterwarnings("ignore")
def test_torch_program(one, backend):
    check(one, backend)
