"""Functions of the program that become graphs inside of the graph.

The function is called to its end, so that whatever cannot be captured in it is a break at the call of whoever takes the
function; then what it recorded is moved into a graph of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from framelift.effects.log import nothing
from framelift.graph.subgraph import Region
from framelift.values.base import Raised, Tracer, Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, Sequence, TupleValue
from framelift.values.tensor import TensorValue

Rebuild = Callable[[list[Value]], Value]


class Body:
    """A function that was called with a region around it, and its result in parts."""

    def __init__(self, m: Tracer, run: Callable[[Body], Value]) -> None:
        self.m = m
        self.region = Region(m.recorder)
        before = _state(m)
        try:
            self.result = run(self)
        except Raised as raised:
            name = raised.value.cls.__name__
            raise Break(UNKNOWN_OPERATION, f"a {name} raised in a function given to PyTorch") from None
        if _state(m) != before:
            raise Break(EFFECT, "inside of a function given to PyTorch")
        self.region.end()
        self.tensors, self.rebuild = parts(m, self.result)

    @property
    def nodes(self) -> list[Any]:
        """The nodes of the tensors in the result."""
        return [tensor.node for tensor in self.tensors]

    def argument(self, fake: Any, cls: type) -> TensorValue:
        """A tensor that is given to the function as an input of its own."""
        return TensorValue(self.region.argument(fake), fake, cls)


@contextmanager
def without_grad_mode(m: Tracer) -> Iterator[None]:
    """Grad mode off, for the fakes only. What is changed inside is changed back there, and nobody else's business."""
    modes, undo = dict(m.modes), len(m.undo)
    m.undo.append(lambda: torch._C._set_grad_enabled(True))
    torch._C._set_grad_enabled(False)
    yield
    torch._C._set_grad_enabled(True)
    del m.undo[undo:]
    m.modes.clear()
    m.modes.update(modes)


_UNSEEN = (nothing, issubclass)  # what abstract classes remember of it is nobody else's


def _state(m: Tracer) -> Any:
    suspended = sum(generator.cleans_up() for generator in m.generators)
    changed = {what: modes for what, modes in m.modes.items() if modes[0] != modes[1]}
    return (
        sum(effect.function not in _UNSEEN for effect in m.effects.effects),
        m.effects.state[1],
        changed,
        len(m.assumptions.made),
        suspended,
        len(m.function_modes),
        len(m.early.steps),
    )


def parts(m: Tracer, value: Value) -> tuple[list[TensorValue], Rebuild]:
    """The tensors of a structure, and how to make an equal one of others."""
    found: list[TensorValue] = []
    build = _take_apart(m, value, found)
    return found, lambda tensors: build(iter(tensors))


def _take_apart(m: Tracer, value: Value, found: list[TensorValue]) -> Any:
    if isinstance(value, TensorValue):
        found.append(value)
        return next
    if isinstance(value, Sequence) and value.seen is None and isinstance(value, TupleValue | ListValue):
        items = [_take_apart(m, item, found) for item in value.all(m)]
        kind, cls = type(value), value.cls
        return lambda tensors: kind([item(tensors) for item in items], cls)
    if isinstance(value, DictValue) and value.seen is None and value.cls is dict:
        entries = [(name, _take_apart(m, item, found)) for name, item in value.items(m)]

        def make_dict(tensors: Any) -> Value:
            made = DictValue()
            for name, item in entries:
                made.put(m, name, item(tensors))
            return made

        return make_dict
    if isinstance(value, Known):
        return lambda tensors: value
    raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} as the result of a function given to PyTorch")
