"""Objects that the call changes must not turn out to be others that it knows as well.

Two lists that are two now may be one in a later call: what was captured would change the one and read the other as it
was. So an object that is changed is guarded to be none of the others of its type.

The same goes for objects that are keys of dicts and elements of sets by identity.

Tensors are changed by the graph, which gets them as they are. But AOTAutograd takes apart what operations change, and
relies on inputs that shared no memory to share none: a tensor that is changed is guarded for that. For some that
overlap it works on all the memory they share, however much that is, and gives the wrong views of it back: not with us.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch

from framelift.graph.placement import placement
from framelift.guards import memory
from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break, reason
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


OVERLAP = reason(
    "changed tensor that overlaps another",
    "The program changes a tensor that shares some of its memory with another one. AOTAutograd does not always get that"
    " right.",
    "Give the function tensors that do not overlap, or the one they are views of.",
)

MOST_PAIRS = 100
"""Of more tensors than make so many pairs nothing is guarded: those of an optimizer are hundreds."""


MOST_PAIRS_OF_KEYS = 500
"""Of more keys it is guarded that each is the object it is. So it is of any number of parameters: these stay, and what
is known of things that stay costs a call nothing, where comparing each with each of the others does."""


def keep_apart(m: Machine) -> None:
    """Guard that what the call changes is nothing else that was looked at, and that keys are different ones."""
    _keep_objects_apart(m)
    _keep_keys_apart(m)
    _keep_tensors_apart(m)


def _keep_keys_apart(m: Machine) -> None:
    by_type: dict[type, list[Value]] = {}
    for value in m.keyed:
        by_type.setdefault(value.cls, []).append(value)
    for values in by_type.values():
        loose = [value for value in values if not m.keyed[value]]
        stay = len(values) > 2 and issubclass(values[0].cls, torch.nn.Parameter)
        if stay or len(loose) * (len(values) - (len(loose) + 1) / 2) > MOST_PAIRS_OF_KEYS:
            for value in loose:
                assert value.seen is not None
                value.seen.pin()
            continue
        for number, value in enumerate(loose):
            for other in [*loose[number + 1 :], *(other for other in values if m.keyed[other])]:
                assert value.seen is not None
                assert other.seen is not None
                m.ledger.relate(value.seen.path, other.seen.path, same=False)


def _keep_tensors_apart(m: Machine) -> None:
    inputs = [value for _, value in m.lifted.values() if isinstance(value, TensorValue) and value.seen is not None]
    changed = [value for value in inputs if _is_changed(value)]
    pairs: dict[frozenset[int], tuple[TensorValue, TensorValue]] = {}
    for target in changed:
        for other in inputs:
            if other is not target and _may_share(target, other):
                pairs.setdefault(frozenset((id(target), id(other))), (target, other))
                if len(pairs) > MOST_PAIRS:
                    return
    for target, other in pairs.values():
        assert target.seen is not None
        assert other.seen is not None
        theirs = other.seen.convert(lambda tensor: tensor)
        answer = target.seen.convert(partial(memory.shared, theirs))
        m.ledger.relate_memory(target.seen.path, other.seen.path, answer)
        if answer:
            _keep_placed(m, target, other)


def _keep_placed(m: Machine, target: TensorValue, other: TensorValue) -> None:
    assert target.seen is not None
    assert other.seen is not None
    found = placement((target.seen, target.fake), (other.seen, other.fake))
    if found is None or (found.exact and m.recorder.is_for_aot()):
        raise Break(OVERLAP, target.seen.path.text())
    m.placements.append(found)


def _is_changed(tensor: TensorValue) -> bool:
    began = tensor.input_node.meta.get("version")
    return began is not None and tensor.fake._version > began


def _may_share(target: TensorValue, other: TensorValue) -> bool:
    """Parameters and buffers of modules do not among themselves, and with others only as a whole."""
    if target.fake.device != other.fake.device:
        return False
    stay = [bool(value.input_node.meta.get("stays")) for value in (target, other)]
    if all(stay):
        return False
    return not any(stay) or (target.fake.dtype == other.fake.dtype and target.fake.shape == other.fake.shape)


_OF_ATTRIBUTES = frozenset({object.__setattr__, object.__delattr__})


def _keep_objects_apart(m: Machine) -> None:
    changed: dict[int, Value] = {}
    for effect in m.effects.effects:
        target = effect.args[0] if effect.args else None
        # What is done to tensors happens in the graph, which gets them as they are; but for attributes of them.
        if isinstance(target, TensorValue) and effect.function not in _OF_ATTRIBUTES:
            continue
        if isinstance(target, Value) and target.seen is not None and not isinstance(target, Known):
            changed.setdefault(id(target), target)
    if not changed:
        return
    _keep_own_dicts_apart(m, changed)
    by_type: dict[type, list[Value]] = {}
    for _, value in m.lifted.values():
        if not isinstance(value, Known):
            by_type.setdefault(value.cls, []).append(value)
    done: set[int] = set()
    for number, target in changed.items():
        done.add(number)
        for other in by_type.get(target.cls, ()):
            if id(other) not in done and other.seen is not None:
                assert target.seen is not None
                m.ledger.relate(target.seen.path, other.seen.path, same=False)


def _keep_own_dicts_apart(m: Machine, changed: dict[int, Value]) -> None:
    """A dict that was handed to the call may be the `__dict__` of an object that it also got."""
    handed = [(seen, value) for seen, value in m.lifted.values() if type(value) is DictValue and _is_handed(seen)]
    objects = (
        [value for _, value in m.lifted.values() if isinstance(value, InstanceValue | TensorValue)] if handed else []
    )
    for seen, value in handed:
        for owner in objects:
            if owner.seen is None or (id(value) not in changed and id(owner) not in changed):
                continue
            try:
                own = owner.seen.child("dict")
            except (AttributeError, LookupError):
                continue  # it has none
            if own.token() == seen.token():
                raise Break(UNKNOWN_OPERATION, f"the __dict__ of an object that is also reached as {seen.path.text()}")
            m.ledger.relate(own.path, seen.path, same=False)


def _is_handed(seen: Observed) -> bool:
    """Whether it is an argument, or a variable of a function around."""
    path = seen.path
    return path.accessor == "local" or (path.accessor == "cell" and path.parent is not None)
