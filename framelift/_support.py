"""Which Pythons and torches framelift supports, and the refusal of all others at import.

The frame hook reads CPython's private structures, which change with every minor version, so that running on an unknown
one would be unsafe rather than merely incomplete. This is the one place outside `code/dialect/` that looks at Python's
version. torch's version is read from its metadata: refusing must not cost the import of torch.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from importlib import metadata

from framelift.errors import UnsupportedVersionError

PYTHON = ((3, 11), (3, 13))
TORCH = ((2, 11), (2, 13))


def refusal(python_version: tuple[int, ...], torch_version: str | None, gil_enabled: bool) -> str | None:
    """Why these versions are refused, in one sentence that says what is supported; None when they are not."""
    if not PYTHON[0] <= python_version[:2] <= PYTHON[1]:
        found = "Python " + ".".join(map(str, python_version[:2]))
    elif not gil_enabled:
        found = "a free-threaded Python " + ".".join(map(str, python_version[:2]))
    elif torch_version is None:
        found = "an installation without torch"
    elif not _in_range(torch_version):
        found = f"torch {torch_version}"
    else:
        return None
    return f"framelift supports CPython 3.11 to 3.13 (with the GIL) and torch 2.11 to 2.13, but this is {found}."


def check() -> None:
    """Raise an `ImportError` when this process is not one framelift supports."""
    gil_enabled = not sysconfig.get_config_var("Py_GIL_DISABLED")
    reason = refusal(sys.version_info[:3], _installed_torch(), gil_enabled)
    if reason is not None:
        raise UnsupportedVersionError(reason)


def _in_range(torch_version: str) -> bool:
    match = re.match(r"(\d+)\.(\d+)", torch_version)
    return match is not None and TORCH[0] <= (int(match[1]), int(match[2])) <= TORCH[1]


def _installed_torch() -> str | None:
    try:
        return metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None
