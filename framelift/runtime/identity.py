"""Identity mode: code objects are read, assembled again and run through the cache, with nothing captured.

This proves the ground floor on programs nobody here wrote: whatever ends differently in this mode is a bug in the
reader, the assembler, the hook or the cache.
"""

from __future__ import annotations

import threading
from types import CodeType, FunctionType
from typing import Any

from framelift import _core
from framelift.code.assembler import assemble
from framelift.code.reader import read

_rewritten = 0
_lock = threading.Lock()


def rewrite(code: CodeType) -> CodeType:
    """The same code, by way of the reader and the assembler."""
    return assemble(read(code))


def entry_for(code: CodeType, function: FunctionType, backend: object, args: tuple[Any, ...] = ()) -> _core.Entry:
    """An entry that does what `code` does, by way of the reader and the assembler."""
    global _rewritten
    replacement = rewrite(code)
    with _lock:
        _rewritten += 1
    return _core.add_entry(code, replacement, backend)


def everywhere() -> None:
    """Rewrite every frame that starts from now on, on every thread of the process."""
    _core.hook_every_thread("compile", entry_for)


def off() -> None:
    """End what `everywhere` began. Frames that run keep running as they are."""
    _core.hook_every_thread("default")


def count() -> int:
    """How many code objects were rewritten so far."""
    return _rewritten
