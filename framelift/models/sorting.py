"""`list.sort`: keys that are literals are sorted for real, others by a stable merge sort that is traced."""

from __future__ import annotations

from typing import Any

from framelift.models.contents import changed, content
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, Known
from framelift.values.sequence import ListValue
from framelift.values.slices import SliceValue


@model(list.sort)
def sort(m: Tracer, self: Value, /, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    items = list(content(self).all(m))
    keys = items if isinstance(key, Known) and key.obj is None else [m.call(key, [item]) for item in items]
    backwards = m.truth(reverse)
    if all(isinstance(found, Known) and found.literal for found in keys):
        _sort_literals(m, self, items, [found.obj for found in keys if isinstance(found, Known)], backwards)
        return NONE
    if backwards:
        items, keys = items[::-1], keys[::-1]
    order = m.call(Known(_merge_sort), [ListValue(keys, list)])
    ordered = [items[m.call(Known(int), [index]).obj] for index in m.unpack(order)]  # type: ignore[attr-defined]
    _assign(m, self, ordered[::-1] if backwards else ordered)
    return NONE


def _sort_literals(m: Tracer, self: Value, items: list[Value], keys: list[Any], backwards: bool) -> None:
    order = list(range(len(items)))
    try:
        order.sort(key=keys.__getitem__, reverse=backwards)
    except TypeError as error:
        _assign(m, self, [items[index] for index in order])  # left half sorted, as the real one is
        m.throw(TypeError, *error.args)
    _assign(m, self, [items[index] for index in order])


def _assign(m: Tracer, self: Value, items: list[Value]) -> None:
    content(self).touch()[:] = items
    changed(m, self, list.__setitem__, SliceValue([NONE, NONE, NONE]), ListValue(items, list))


def _merge_sort(keys: Any) -> Any:
    """The indices of the keys in order (traced). Compares with `<` only, the later key on the left, as Python does."""
    runs = [[index] for index in range(len(keys))]
    while len(runs) > 1:
        merged = [_merge(keys, runs[number], runs[number + 1]) for number in range(0, len(runs) - 1, 2)]
        if len(runs) % 2:
            merged.append(runs[-1])
        runs = merged
    return runs[0] if runs else []


def _merge(keys: Any, left: Any, right: Any) -> Any:
    if not keys[right[0]] < keys[left[-1]]:
        return left + right
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if keys[right[j]] < keys[left[i]]:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]
