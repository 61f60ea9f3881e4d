"""The settings: few, in one place, and immutable, so that whoever holds them knows they will not change."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a user may choose. A field is added here when the code that reads it is."""

    raise_internal_errors: bool = False
    """Raise framelift's own bugs instead of running the call as ordinary Python. The tests do."""

    break_at: int = 0
    """For tests: break before this instruction of every capture that is not a continuation's; 0: nowhere."""

    break_every: int = 0
    """For tests: break before every so many instructions; 0: nowhere."""


_current = Settings(raise_internal_errors=os.environ.get("FRAMELIFT_STRICT") == "1")


def current() -> Settings:
    """The settings in force."""
    return _current


def change(**changes: Any) -> Settings:
    """Put other settings in force; gives those that were."""
    global _current
    before = _current
    _current = replace(before, **changes)
    return before
