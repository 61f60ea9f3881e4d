"""Imports in a function of what nobody imported before."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import framelift

NAME = "package_of_the_test"
X = torch.ones(2)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / NAME
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("SHOWN = 1\n")
    (folder / "first.py").write_text("VALUE = 2\n")
    (folder / "second.py").write_text("VALUE = 3\n")
    (folder / "inner" / "__init__.py").write_text("VALUE = 4\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module(NAME)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def from_the_package() -> Any:
    y = X + 1
    from package_of_the_test import SHOWN, first

    return SHOWN, first.VALUE, y * 2


def by_full_name() -> Any:
    y = X + 1
    import package_of_the_test.second
    from package_of_the_test.inner import VALUE

    return package_of_the_test.second.VALUE, VALUE, y * 2


def not_there() -> Any:
    y = X + 1
    try:
        from package_of_the_test import nothing  # noqa: F401
    except ImportError as error:
        return error.name, str(error).partition("(")[0], y * 2


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("function", [from_the_package, by_full_name, not_there])
def test_first_import(function: Any) -> None:
    compiled = framelift.compile(function, backend="eager")
    results = [compiled(), compiled(), function()]
    expected = (*results[2][:-1], [4.0, 4.0])
    assert [(*result[:-1], result[-1].tolist()) for result in results] == [expected] * 3
