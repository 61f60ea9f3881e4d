"""Objects that the call changes must not turn out to be others that it knows as well.

Two lists that are two now may be one in a later call: what was captured would change the one and read the other as it
was. So an object that is changed is guarded to be none of the others of its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def keep_apart(m: Machine) -> None:
    """Guard that what the effects change is nothing else that was looked at."""
    changed: dict[int, Value] = {}
    for effect in m.effects.effects:
        target = effect.args[0] if effect.args else None
        # What is done to tensors happens in the graph, which gets them as they are.
        if isinstance(target, Value) and target.seen is not None and not isinstance(target, Known | TensorValue):
            changed.setdefault(id(target), target)
    if not changed:
        return
    by_type: dict[type, list[Value]] = {}
    for _, value in m.lifted.values():
        if not isinstance(value, Known | TensorValue):
            by_type.setdefault(value.cls, []).append(value)
    done: set[int] = set()
    for number, target in changed.items():
        done.add(number)
        for other in by_type.get(target.cls, ()):
            if id(other) not in done and other.seen is not None:
                assert target.seen is not None
                m.ledger.relate(target.seen.path, other.seen.path, same=False)
