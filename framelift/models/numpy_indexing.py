"""Items of arrays in the graph with slices that go backwards, which torch._numpy takes for others."""

from __future__ import annotations

from typing import Any

from framelift.models.numpy_graph import library


def item(array: Any, index: Any) -> Any:
    """`array[index]`, on what torch._numpy calls an array."""
    items = list(index) if isinstance(index, tuple) else [index]
    if any(_goes_backwards(part) for part in items):
        array, items = _forwards(array, items)
        index = tuple(items)
    return library().ndarray.__getitem__(array, index)


def _goes_backwards(part: Any) -> bool:
    return isinstance(part, slice) and part.step is not None and part.step < 0


def _forwards(array: Any, items: list[Any]) -> tuple[Any, list[Any]]:
    """The array turned around where slices go backwards, and the index without these slices."""
    used = sum(map(_dims, items))
    whole, turned, left, dim = [slice(None)] * array.ndim, [], [], 0
    for part in items:
        left.append(slice(None) if _goes_backwards(part) else part)
        if _goes_backwards(part):
            places = range(*part.indices(array.shape[dim]))
            whole[dim] = slice(places[-1], places[0] + 1, -places.step) if places else slice(0, 0)
            turned.append(dim)
        dim += array.ndim - used if part is Ellipsis else _dims(part)
    return library().ndarray(array.tensor[tuple(whole)].flip(turned)), left


def _dims(part: Any) -> int:
    """How many dimensions a part of an index speaks of."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    if isinstance(part, list):
        raise NotImplementedError("a list beside a slice that goes backwards")
    is_mask = isinstance(part, library().ndarray) and part.dtype.name == "bool_"
    return part.ndim if is_mask else 1
