"""Generators: a suspended symbolic frame."""

from __future__ import annotations

from types import AsyncGeneratorType, CodeType, CoroutineType, GeneratorType
from typing import Any

from framelift.code import Region
from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.known import NONE

# What handlers made by the compiler do before they raise again: nothing a program could see.
_INVISIBLE = frozenset(
    {"COPY", "SWAP", "POP_TOP", "POP_EXCEPT", "LOAD_CONST", "STORE_FAST", "DELETE_FAST", "STOPITERATION_ERROR"}
)
_RAISE_AGAIN = frozenset({"RERAISE", "CLEANUP_THROW"})  # the second unless what is delegated to has returned


class GeneratorValue(Value):
    """A generator, coroutine or async generator made while capturing.

    A polyfill of a built-in iterator type is a generator too: `stands_for` then has the type and what it was called
    with.
    """

    __slots__ = ("frame", "code", "state", "handled", "stands_for")

    def __init__(self, frame: Any, code: CodeType) -> None:
        super().__init__()
        self.frame = frame
        self.code = code
        self.state = "created"  # created | suspended | running | finished
        self.handled: Value = NONE  # the exception it was handling itself when it was suspended
        self.stands_for: tuple[type, list[Value], dict[str, Value]] | None = None
        frame.generator = self

    @property
    def cls(self) -> type:
        if self.stands_for is not None:
            return self.stands_for[0]
        if self.code.co_flags & 0x80:
            return CoroutineType
        return AsyncGeneratorType if self.code.co_flags & 0x200 else GeneratorType

    def finish(self) -> None:
        """It has ended, by returning or by an exception."""
        self.state = "finished"
        self.frame = None

    def cleans_up(self) -> bool:
        """Whether it is suspended where it has something to do when it is closed."""
        if self.state != "suspended":
            return False
        program = self.frame.program
        instrs = program.code.instrs
        region: Region | None = program.handlers[self.frame.pc - 1]
        while region is not None:
            index = region.handler.index
            while instrs[index].op in _INVISIBLE:
                index += 1
            if instrs[index].op not in _RAISE_AGAIN:
                return True
            region = program.handlers[index]
        return False


class FoundGenerator(GeneratorValue):
    """A generator or coroutine that existed before the call. It is `unread` until somebody asks where it stands."""

    __slots__ = ("_kind", "variables", "effect")

    def __init__(self, kind: type, seen: Observed) -> None:
        Value.__init__(self, seen)
        self.frame = None
        self.state = "unread"
        self.handled = NONE
        self.stands_for = None
        self._kind = kind
        self.variables: list[Value | None] = []  # as it had them
        self.effect: int | None = None  # which effect moves it

    @property
    def cls(self) -> type:
        return self._kind


class AsyncItem(Value):
    """What an async generator yields, told from what it awaits."""

    __slots__ = ("item",)

    def __init__(self, item: Value) -> None:
        super().__init__()
        self.item = item

    @property
    def cls(self) -> type:
        return type(None)


class AsyncStep(Value):
    """`async_generator.__anext__()`: to be awaited for the next item."""

    __slots__ = ("generator", "sent")

    def __init__(self, generator: GeneratorValue, sent: Value) -> None:
        super().__init__()
        self.generator = generator
        self.sent = sent

    @property
    def cls(self) -> type:
        return _STEP


async def _items() -> Any:
    yield


_unused = _items().__anext__()
_STEP = type(_unused)
_unused.close()
