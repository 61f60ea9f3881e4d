"""Call-backs that replace every code object by one that does the same but has another size.

A replacement of another size makes the frame grow or keeps part of it unused. `Replacing` counts what it replaced, so
that a test can show that replaced code ran.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from framelift import _core
from framelift.code.assembler import assemble
from framelift.code.reader import read

Resize = Callable[[CodeType], CodeType]

INFLATED = 300


def same(code: CodeType) -> CodeType:
    return code.replace()


def reassembled(code: CodeType) -> CodeType:
    return assemble(read(code))


def deeper(words: int) -> Resize:
    """A stack of `words` more than the code needs."""
    return lambda code: code.replace(co_stacksize=code.co_stacksize + words)


def wider(count: int) -> Resize:
    """`count` more local variables; where cells follow the locals, and would move, a deeper stack instead."""

    def resize(code: CodeType) -> CodeType:
        if code.co_freevars or set(code.co_cellvars) - set(code.co_varnames):
            return deeper(count)(code)
        extra = tuple(f"extra_{i}" for i in range(count))
        return code.replace(co_varnames=code.co_varnames + extra, co_nlocals=code.co_nlocals + count)

    return resize


def inflated(code: CodeType) -> CodeType:
    """`code`, and all code inside it, with a stack larger than needed: what `smaller` takes away again."""
    inner = tuple(inflated(const) if isinstance(const, CodeType) else const for const in code.co_consts)
    return code.replace(co_stacksize=code.co_stacksize + INFLATED, co_consts=inner)


def smaller(code: CodeType) -> CodeType:
    return code.replace(co_stacksize=code.co_stacksize - INFLATED)


# A chunk of the interpreter's data stack has 2048 words: the last two never fit into what is left of one.
RESIZES: dict[str, Resize] = {
    "same": same,
    "reassembled": reassembled,
    "deeper by 1": deeper(1),
    "deeper by 7": deeper(7),
    "deeper by 500": deeper(500),
    "deeper by 5000": deeper(5000),
    "wider by 3": wider(3),
    "wider by 700": wider(700),
    "wider by 4000": wider(4000),
}


class Replacing:
    """A compile call-back, and the backend its entries are for: one of its own, so that runs do not share entries."""

    def __init__(self, resize: Resize = same) -> None:
        self.resize = resize
        self.replaced: list[CodeType] = []

    def __call__(self, code: CodeType, function: FunctionType, backend: object, args: tuple[Any, ...]) -> _core.Entry:
        entry = _core.add_entry(code, self.resize(code), backend)
        self.replaced.append(code)
        return entry

    def scope(self, action: _core.Action = "compile") -> _core.Scope:
        return _core.Scope(action, self, self)

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call `function` with every frame below replaced, itself included."""
        with self.scope():
            return function(*args)

    def names(self) -> list[str]:
        return [code.co_name for code in self.replaced]


def hits(code: CodeType) -> int:
    """How often any replacement of `code` ran."""
    return sum(entry.hits for entry in _core.entries(code))


# The tests ask these while the hook is on, and want to see only the frames of what they test.
for helper in (Replacing.scope, Replacing.names, hits):
    _core.set_actions(helper.__code__, here="skip", below="skip")
