"""Whether the program can still get at an object made in the call: then it lives, and weak references lead to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from framelift.interpreter.frame import Frame
from framelift.values.base import Value
from framelift.values.keys import Key
from framelift.values.namespace import Namespace
from framelift.values.weak import WeakrefValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def is_reachable(m: Machine, target: Value) -> bool:
    """Whether a variable, an operand or an object that existed before leads to a value."""
    seen: set[int] = set()
    todo: list[Any] = [m.frame, m.generators, m.handled, m.class_writes, list(m.namespaces.values())]
    todo += [effect.args for effect in m.effects.effects] + [value for _, value in m.lifted.values()]
    while todo:
        part = todo.pop()
        if part is target:
            return True
        if id(part) in seen:
            continue
        seen.add(id(part))
        todo += _parts(part)
    return False


def _parts(part: Any) -> list[Any]:
    if isinstance(part, list | tuple | set | frozenset):
        return list(part)
    if isinstance(part, dict):
        return [*part, *part.values()]
    if isinstance(part, Frame):
        return [part.locals, part.stack, part.closure, part.names, part.marks, part.caller, part.globals]
    if isinstance(part, Key):
        return [part.value]
    if isinstance(part, WeakrefValue):
        return [part.callback]
    if not isinstance(part, Value | Namespace):
        return []
    names = [name for cls in type(part).__mro__ for name in getattr(cls, "__slots__", ()) if name != "seen"]
    return [getattr(part, name, None) for name in names]
