"""`list.sort`: Python's own sort is run on stand-ins, and every comparison that it makes is traced."""

from __future__ import annotations

from framelift.models.contents import changed, content
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue
from framelift.values.slices import SliceValue


@model(list.sort)
def sort(m: Tracer, self: Value, /, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    backwards = m.truth(reverse)
    storage = content(self).all(m)
    items = list(storage)
    order = list(range(len(items)))
    storage.clear()  # nobody sees it while it is sorted
    try:
        _sort(m, items, order, key, backwards)
        if storage:
            raise Break(UNKNOWN_OPERATION, f"a {self.cls.__name__} that is changed while it is sorted")
    finally:
        storage[:] = [items[index] for index in order]  # also if it is only half sorted
        if order != sorted(order):
            changed(m, self, list.__setitem__, SliceValue([NONE, NONE, NONE]), ListValue(list(storage), list))
    return NONE


def _sort(m: Tracer, items: list[Value], order: list[int], key: Value, backwards: bool) -> None:
    keys = items if isinstance(key, Known) and key.obj is None else [m.call(key, [item]) for item in items]
    if all(isinstance(found, Known) and found.literal for found in keys):
        plain = [found.obj for found in keys if isinstance(found, Known)]
        try:
            order.sort(key=plain.__getitem__, reverse=backwards)
        except TypeError as error:
            m.throw(TypeError, *error.args)
    else:
        order.sort(key=lambda index: _Compared(m, keys[index]), reverse=backwards)


class _Compared:
    """Stands for a value in a sort: that asks for nothing but `<`."""

    __slots__ = ("tracer", "value")

    def __init__(self, tracer: Tracer, value: Value) -> None:
        self.tracer = tracer
        self.value = value

    def __lt__(self, other: _Compared) -> bool:
        return self.tracer.truth(self.tracer.compare("<", self.value, other.value))
