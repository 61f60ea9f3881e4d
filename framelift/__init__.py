"""framelift: PyTorch programs as graphs, captured while they run as ordinary Python."""

from framelift import _support

_support.check()

import torch  # noqa: E402, F401  (before the native core, which is linked against its libraries and does not look for them)

from framelift.api import compile, counters, reset  # noqa: E402

__all__ = ["compile", "counters", "reset"]
