"""How much memory this process has, in KiB, as the kernel sees it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def memory_now() -> int:
    return _status("VmRSS")


def peak_memory() -> int:
    """The most there was since the last `forget_peak`."""
    return _status("VmHWM")


def forget_peak() -> None:
    """Have the kernel start anew; where it does not let us, the peak is that of the whole life of the process."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(name: str) -> int:
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith(name))
