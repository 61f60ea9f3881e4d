"""The table of instruction handlers.

A handler is a free function. What it takes is popped for it and held until it returns, so that a break in the middle of
any instruction restores the stack in one general way. It gives back a value to push, or None to push nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from framelift.code import Instr
from framelift.code.canonical import OPS
from framelift.values.reasons import OPCODE, Break

H = TypeVar("H", bound=Callable[..., Any])

_handlers: dict[str, tuple[Callable[..., Any], int | Callable[[Any], int]]] = {}


def op(name: str, *, takes: int | Callable[[Any], int] | None = None) -> Callable[[H], H]:
    """Declare the handler of a canonical instruction: `handler(machine, frame, instr, *taken)`.

    It takes what the canonical table says the instruction pops, unless it works on the stack itself (`takes=0`).
    """
    assert name in OPS, f"no canonical instruction is called {name}"
    assert name not in _handlers, f"{name} has a handler already"

    def declare(handler: H) -> H:
        _handlers[name] = (handler, OPS[name].pops if takes is None else takes)
        return handler

    return declare


def step(instr: Instr) -> tuple[Callable[..., Any], int, Instr]:
    """What the run loop needs for one instruction."""
    handler, takes = _handlers.get(instr.op, (_unsupported, 0))
    return handler, takes if isinstance(takes, int) else takes(instr.arg), instr


def handled() -> frozenset[str]:
    """The instructions that have a handler."""
    return frozenset(_handlers)


def _unsupported(machine: Any, frame: Any, instr: Instr) -> None:
    raise Break(OPCODE, instr.op)
