"""Generators: a suspended symbolic frame."""

from __future__ import annotations

from types import AsyncGeneratorType, CodeType, CoroutineType, GeneratorType
from typing import Any

from framelift.values.base import Value


class GeneratorValue(Value):
    """A generator, coroutine or async generator made while capturing."""

    __slots__ = ("frame", "code", "state", "handled")

    def __init__(self, frame: Any, code: CodeType) -> None:
        super().__init__()
        self.frame = frame
        self.code = code
        self.state = "created"  # created | suspended | running | finished
        self.handled: Value | None = None  # the exception it was handling when it was suspended
        frame.generator = self

    @property
    def cls(self) -> type:
        if self.code.co_flags & 0x80:
            return CoroutineType
        return AsyncGeneratorType if self.code.co_flags & 0x200 else GeneratorType

    def finish(self) -> None:
        """It has ended, by returning or by an exception."""
        self.state = "finished"
        self.frame = None
