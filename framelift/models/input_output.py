"""Libraries that read, write, and talk to other processes: a call of their functions is left whole to Python.

They could be traced like any other code, up to the first thing they do for real; then one graph break follows another,
with nothing in between that belongs in a graph. What they do cannot be done while capturing, nor be put off.
"""

from __future__ import annotations

import functools
from types import FunctionType

from framelift.values.reasons import Break, reason

INPUT_OUTPUT = reason(
    "input and output",
    "The function belongs to a library that reads or writes files, or works with other processes and threads. It is"
    " left whole to Python.",
    "Nothing to do, if that is what the program is to do at this place; else do it outside of the compiled region.",
)

_LIBRARIES = frozenset(
    {
        *("bz2", "gzip", "lzma", "pickle", "shelve", "shutil", "tarfile", "tempfile", "zipfile"),
        *("concurrent.futures", "http.client", "selectors", "socket", "sqlite3", "ssl", "subprocess", "urllib.request"),
        *("multiprocessing.connection", "multiprocessing.pool", "multiprocessing.process", "multiprocessing.queues"),
        *("torch.distributed.checkpoint", "torch.hub", "torch.jit._serialization", "torch.multiprocessing"),
        *("torch.package", "torch.serialization", "torch._weights_only_unpickler", "torch.utils.tensorboard"),
    }
)
"""Modules, and packages with all that is in them."""


def refuse(function: FunctionType) -> None:
    """Break if a function about to be inlined is one of such a library."""
    home = function.__globals__.get("__name__")
    if type(home) is str and _is_within(home):
        raise Break(INPUT_OUTPUT, function)


@functools.cache
def _is_within(module: str) -> bool:
    return module in _LIBRARIES or ("." in module and _is_within(module.rpartition(".")[0]))
