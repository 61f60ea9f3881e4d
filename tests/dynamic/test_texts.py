"""Texts with numbers that vary: they are made when the call is made, and ask for no other graph."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
import torch

import framelift
from tests.dynamic.counting import Counting, compiles, same

X = torch.arange(12.0).reshape(3, 4)
NUMBERS = (2, 3, 7, 12, 30, 5)

USES: dict[str, Callable[[torch.Tensor, Any], Any]] = {
    "f_string": lambda x, n: (x + n, f"{n}", f"{n:04d}|{n!r:>8}|{n + 1}", f"{n / 4:.3f}"),
    "str": lambda x, n: (x * n, str(n), repr(n), ascii(n), str(n / 2)),
    "format": lambda x, n: (x, "{} and {:>5} of {0}".replace("{0}", "it").format(n, n * 2), format(n, "x")),
    "percent": lambda x, n: (x, "%d %s %5.1f" % (n, n, n), "%(n)d" % {"n": n}),
    "joined": lambda x, n: (x, ", ".join([str(n), "a", f"{n}"]), "n = " + str(n)),
    "tuples": lambda x, n: (x, f"{(n, 3)}", str((n, "a"))),
    "kept": lambda x, n: (x, {"text": f"{n}"}, [f"<{n}>"]),
    "not_raised": lambda x, n: (x, _checked(n)),
}


def _checked(n: int) -> int:
    message = f"{n} is too large"
    if n > 100:
        raise ValueError(message)
    return n


@pytest.mark.parametrize("name", USES)
def test_text(name: str) -> None:
    assert compiles(USES[name], [(X, n) for n in NUMBERS]) <= 2


def test_text_of_a_shape() -> None:
    calls = [(torch.randn(n, 4),) for n in NUMBERS]
    assert compiles(lambda x: (x * 2, f"{x.shape} {x.shape[0]}", str(x.size())), calls) == 2


READ: dict[str, Callable[[torch.Tensor, Any], Any]] = {
    "length": lambda x, n: x + len(f"{n}"),
    "compared": lambda x, n: x + (1 if f"{n}" == "7" else 2),
    "key": lambda x, n: x + {"2": 1, "3": 5}.get(str(n), 9),
    "key_of_its_own": lambda x, n: (x, {f"{n}": 1}),
    "attribute": lambda x, n: getattr(x, f"size{n}", x) * 2,
    "method": lambda x, n: (x, f"{n}a".upper(), f"{n}".zfill(5), f"{n}"[0], int(f"{n}")),
    "truth": lambda x, n: x + 1 if str(n) else x,
    "in_a_list": lambda x, n: (x, str([n, n]), f"{ {'a': n} }"),
    "width": lambda x, n: (x, f"{'a':>{n}}", f"{3.5:{n}.1f}"),
    "contained": lambda x, n: (x, "3" in f"{n}", f"{n}" in ("2", "7")),
    "sorted": lambda x, n: (x, sorted([f"{n}", "10"])),
}


@pytest.mark.parametrize("name", READ)
def test_text_that_is_read(name: str) -> None:
    compiles(READ[name], [(X, n) for n in NUMBERS])


def test_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: torch.Tensor) -> Any:
        print("shape", x.shape, x.shape[0])
        return x + 1

    backend = Counting()
    compiled = framelift.compile(program, backend=backend, fullgraph=True)
    for n in NUMBERS:
        x = torch.randn(n, 3)
        same(compiled(x), x + 1)
        assert capsys.readouterr().out == f"shape torch.Size([{n}, 3]) {n}\n"
    assert len(backend.graphs) == 2


def test_logged(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger(__name__)

    def program(x: torch.Tensor) -> Any:
        log.warning("rows: %d", x.shape[0])
        log.warning(f"rows: {x.shape[0]}")
        return x + 1

    backend = Counting()
    compiled = framelift.compile(program, backend=backend, fullgraph=True)
    for n in NUMBERS:
        caplog.clear()
        compiled(torch.randn(n, 3))
        assert [record.getMessage() for record in caplog.records if record.name == __name__] == [f"rows: {n}"] * 2
    assert len(backend.graphs) == 2
