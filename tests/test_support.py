"""The refusal of unsupported versions."""

from __future__ import annotations

from importlib import metadata

import pytest

from framelift import _support
from framelift.errors import FrameliftError, UnsupportedVersionError

SUPPORTED = "framelift supports CPython 3.11 to 3.13 (with the GIL) and torch 2.11 to 2.13, but this is "


@pytest.mark.parametrize("python", [(3, 11, 0), (3, 12, 1), (3, 13, 9)])
@pytest.mark.parametrize("torch", ["2.11.0", "2.12.1+cpu", "2.13.0", "2.13.0a0+git1234567", "2.13.0.dev20260101"])
def test_supported(python: tuple[int, ...], torch: str) -> None:
    assert _support.refusal(python, torch, gil_enabled=True) is None


@pytest.mark.parametrize(
    ("python", "torch", "gil", "found"),
    [
        ((3, 10, 13), "2.13.0", True, "Python 3.10"),
        ((3, 14, 0), "2.13.0", True, "Python 3.14"),
        ((4, 11, 0), "2.13.0", True, "Python 4.11"),
        ((3, 13, 0), "2.13.0", False, "a free-threaded Python 3.13"),
        ((3, 11, 7), "2.10.0", True, "torch 2.10.0"),
        ((3, 11, 7), "2.14.0+cu130", True, "torch 2.14.0+cu130"),
        ((3, 11, 7), "1.12.1", True, "torch 1.12.1"),
        ((3, 11, 7), "2.2", True, "torch 2.2"),
        ((3, 11, 7), "nightly", True, "torch nightly"),
        ((3, 11, 7), None, True, "an installation without torch"),
    ],
)
def test_refused(python: tuple[int, ...], torch: str | None, gil: bool, found: str) -> None:
    assert _support.refusal(python, torch, gil) == f"{SUPPORTED}{found}."


def test_this_process_is_supported() -> None:
    _support.check()


def test_check_raises_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "2.9.1")
    with pytest.raises(ImportError, match=r"torch 2\.11 to 2\.13, but this is torch 2\.9\.1\.$") as caught:
        _support.check()
    assert isinstance(caught.value, UnsupportedVersionError)
    assert isinstance(caught.value, FrameliftError)


def test_missing_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(ImportError, match="an installation without torch"):
        _support.check()
