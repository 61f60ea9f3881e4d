"""Which sizes and numbers have changed between the compilations of a code object: those become symbolic.

The first compilation takes every size as it is. What is found to differ at the next one, at the same place, is symbolic
from then on. Users can say more: `dynamic=True` or `False`, and marks on a tensor's dimensions.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import DimDynamic, RelaxedUnspecConstraint, StrictMinMaxConstraint
from torch.utils._sympy.value_ranges import ValueRanges

VARIES = None
"""What stands in the record for a size or number that has changed."""

# Where marks are kept on a tensor. These are the names that programs written for torch.compile use.
DYNAMIC, MAYBE_DYNAMIC = "_dynamo_dynamic_indices", "_dynamo_weak_dynamic_indices"
STATIC, UNBACKED, RANGES = "_dynamo_static_indices", "_dynamo_unbacked_indices", "_dynamo_dynamic_range"

CONSTANT_FLOATS = "constant floats"
"""Under this a record says that floats are never symbolic: a backend could not work with them."""

INT_BITS = 63


class History:
    """What one code object has been compiled for, and what its user said."""

    def __init__(self, record: dict[Any, Any] | None = None, dynamic: bool | None = None, owner: int = 0) -> None:
        known = {} if record is None else record
        self.record: dict[str, Any] = known.setdefault(owner, {})  # each module has a history of its own
        self.dynamic = dynamic
        self.marked: list[tuple[str, int]] = []  # the dimensions that must not become constants

    def dims(self, place: str, tensor: torch.Tensor) -> tuple[list[DimDynamic], list[Any]] | None:
        """How to treat the dimensions of a tensor, and bounds on them; None when it is as it is."""
        if isinstance(tensor, torch.nn.Parameter) or tensor.is_nested or tensor.layout is not torch.strided:
            return None
        sizes = self._merge_sizes(place, tensor)
        marks = tensor.__dict__
        if self.dynamic is None and not marks and VARIES not in sizes:
            return None
        found = [self._dim(place, marks, index, size) for index, size in enumerate(sizes)]
        if all(dim is DimDynamic.STATIC for dim, _ in found):
            return None
        return [dim for dim, _ in found], [bound for _, bound in found]

    def _merge_sizes(self, place: str, tensor: torch.Tensor) -> tuple[int | None, ...]:
        sizes: tuple[int | None, ...] = tuple(tensor.shape)
        before = self.record.get(place)
        if isinstance(before, tuple) and len(before) == len(sizes):
            sizes = tuple(old if old == new else VARIES for old, new in zip(before, sizes, strict=True))
        self.record[place] = sizes
        return sizes

    def _dim(self, place: str, marks: Any, index: int, size: int | None) -> tuple[DimDynamic, Any]:
        if index in marks.get(UNBACKED, ()):
            return DimDynamic.UNBACKED, None
        if index in marks.get(DYNAMIC, ()):
            self.marked.append((place, index))
            return DimDynamic.DYNAMIC, _bounds(marks.get(RANGES, ()), index)
        if index in marks.get(STATIC, ()) or self.dynamic is False:
            return DimDynamic.STATIC, None
        if index in marks.get(MAYBE_DYNAMIC, ()) or self.dynamic or size is VARIES:
            return DimDynamic.DYNAMIC, None
        return DimDynamic.STATIC, None

    def is_new(self, place: str, obj: object) -> bool:
        """Whether an object is another one than in the compilations before."""
        before = self.record.setdefault(place, id(obj))
        if before != id(obj):
            self.record[place] = VARIES
        return self.record[place] is VARIES

    def varies(self, place: str, number: float) -> bool:
        """Whether a number is to be symbolic."""
        before = self.record.get(place, number)
        if type(before) is not type(number) or before != number:
            before = VARIES
        self.record[place] = before
        if self.dynamic is False or (isinstance(number, int) and (number in (0, 1) or number.bit_length() > INT_BITS)):
            return False
        if type(number) is float and (self.record.get(CONSTANT_FLOATS) or number - number != 0):
            return False  # infinities and NaN among them
        return before is VARIES or (bool(self.dynamic) and isinstance(number, int))


def _bounds(ranges: Any, index: int) -> Any:
    for given in ranges:
        if given.dim == index and (given.min is not None or given.max is not None):
            return StrictMinMaxConstraint(
                vr=ValueRanges(lower=2 if given.min is None else given.min, upper=_upper(given.max)), warn_only=False
            )
    return RelaxedUnspecConstraint(warn_only=False)


def _upper(most: int | None) -> int:
    return 2**INT_BITS - 1 if most is None else most
