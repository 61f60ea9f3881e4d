"""What objects made in the call hold at a moment, for telling whether something has changed them.

A change to an object that existed is an effect, which is logged. One that is made in the call is just changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.namespace import Namespace

Snapshot = list[list[Any]]


def shallow(values: Iterable[Value]) -> Snapshot:
    """What each of some values holds itself."""
    return [[_identities(part) for part in _parts(value)] for value in values]


def deep(values: Iterable[Any]) -> Snapshot:
    """The same, and of what those lead to, as far as it was made in the call."""
    found: dict[int, Value] = {}
    todo = list(values)
    while todo:
        part = todo.pop()
        if isinstance(part, list | tuple):
            todo += part
        elif isinstance(part, dict):
            todo += part.values()
        elif isinstance(part, Value) and not isinstance(part, Known) and part.seen is None and id(part) not in found:
            found[id(part)] = part
            todo += _parts(part)
    return shallow(found.values())


def _parts(value: Value) -> list[Any]:
    names = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    parts = [getattr(value, name, None) for name in names]
    return [part.written if isinstance(part, Namespace) else part for part in parts]


def _identities(part: Any) -> Any:
    if isinstance(part, list | tuple):
        return [id(item) for item in part]
    if isinstance(part, dict):
        return [(id(key), id(item)) for key, item in part.items()]
    return id(part)
