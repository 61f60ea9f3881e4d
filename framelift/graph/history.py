"""Which sizes, strides and numbers have changed between the compilations of a code object: those become symbolic.

The first compilation takes every size as it is. What is found to differ at the next one, at the same place, is symbolic
from then on. Users can say more: `dynamic=True` or `False`, and marks on a tensor's dimensions.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch.fx.experimental.symbolic_shapes import DimDynamic, RelaxedUnspecConstraint, StrictMinMaxConstraint
from torch.utils._sympy.value_ranges import ValueRanges

VARIES = None
"""What stands in the record for a size or number that has changed."""

# Where marks are kept on a tensor. These are the names that programs written for torch.compile use.
DYNAMIC, MAYBE_DYNAMIC = "_dynamo_dynamic_indices", "_dynamo_weak_dynamic_indices"
STATIC, UNBACKED, RANGES = "_dynamo_static_indices", "_dynamo_unbacked_indices", "_dynamo_dynamic_range"

CONSTANT_FLOATS = "constant floats"
"""Under this a record says that graphs get floats as tensors only: a backend could not work with numbers."""

INT_BITS = 63

FEW = 6
"""As many objects at one place are an argument that is made anew for every call."""


class Dims(NamedTuple):
    """How to treat the dimensions of a tensor."""

    sizes: list[DimDynamic]
    bounds: list[Any]
    strides: list[DimDynamic]


class History:
    """What one code object has been compiled for, and what its user said."""

    def __init__(
        self,
        record: dict[Any, Any] | None = None,
        dynamic: bool | None = None,
        owner: int = 0,
        expected: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        known = {} if record is None else record
        self.expected = expected or {}  # by place, dimensions that vary as is known before
        self.record: dict[str, Any] = known.setdefault(owner, {})  # each module has a history of its own
        self.dynamic = dynamic
        self.continues = False  # whether the code is the rest of a call, and gets what the part before it made
        self.by_aot = False  # whether the backend is known to be one of AOTAutograd, which makes constants of floats
        self.marked: list[tuple[str, int]] = []  # the dimensions that must not become constants

    @property
    def constant_floats(self) -> bool:
        """Whether a float has to be a tensor, or a constant, in the graph."""
        return self.by_aot or bool(self.record.get(CONSTANT_FLOATS))

    def dims(self, place: str, tensor: torch.Tensor) -> Dims | None:
        """How to treat the dimensions of a tensor; None when it is as it is."""
        if isinstance(tensor, torch.nn.Parameter) or tensor.is_nested or tensor.layout is not torch.strided:
            return None
        known = self.record.get(place)
        sizes, strides = self._merge_sizes(place, tensor), self._merge_strides(place, tensor, known)
        marks = tensor.__dict__
        if self.dynamic is None and not marks and place not in self.expected and VARIES not in (*sizes, *strides):
            return None
        found = [self._dim(place, marks, index, size) for index, size in enumerate(sizes)]
        if all(dim is DimDynamic.STATIC for dim, _ in found) and (VARIES not in strides or self.dynamic is False):
            return None
        free = [DimDynamic.DYNAMIC if stride is VARIES else DimDynamic.INFER_STRIDE for stride in strides]
        return Dims([dim for dim, _ in found], [bound for _, bound in found], free)

    def _merge_sizes(self, place: str, tensor: torch.Tensor) -> tuple[int | None, ...]:
        sizes: tuple[int | None, ...] = tuple(tensor.shape)
        before = self.record.get(place)
        if isinstance(before, tuple) and len(before) == len(sizes):
            sizes = tuple(old if old == new else VARIES for old, new in zip(before, sizes, strict=True))
        self.record[place] = sizes
        return sizes

    def _merge_strides(self, place: str, tensor: torch.Tensor, sizes: Any) -> tuple[int | None, ...]:
        """The strides, without those that differ from before in a tensor of the same sizes and order of dimensions.

        Such are slices of something that grows. Where sizes change too, strides follow from them.
        """
        strides: tuple[int | None, ...] = tensor.stride()
        key = f"strides of {place}"
        before = self.record.get(key)
        if sizes == tuple(tensor.shape) and before is not None and _order(before, strides):
            strides = tuple(old if old == new else VARIES for old, new in zip(before, strides, strict=True))
        if self.continues and 1 in tensor.shape:
            strides = _without_meaning(tensor, strides)
        self.record[key] = strides
        return strides

    def _dim(self, place: str, marks: Any, index: int, size: int | None) -> tuple[DimDynamic, Any]:
        if index in marks.get(UNBACKED, ()):
            return DimDynamic.UNBACKED, None
        if index in marks.get(DYNAMIC, ()):
            self.marked.append((place, index))
            return DimDynamic.DYNAMIC, _bounds(marks.get(RANGES, ()), index)
        if index in marks.get(STATIC, ()) or self.dynamic is False:
            return DimDynamic.STATIC, None
        expected = (*self.expected.get(place, ()), *marks.get(MAYBE_DYNAMIC, ()))
        if self.dynamic or size is VARIES or index in expected:
            return DimDynamic.DYNAMIC, None
        return DimDynamic.STATIC, None

    def is_new(self, place: str, obj: object) -> bool:
        """Whether an object is another one than in the compilations before."""
        before = self.record.setdefault(place, id(obj))
        if before != id(obj):
            self.record[place] = VARIES
        return self.record[place] is VARIES

    def keeps_changing(self, place: str, obj: object) -> bool:
        """Whether there were so many objects at a place that the next one will be yet another."""
        met: list[Any] = self.record.setdefault(f"objects at {place}", [])
        # What can die is not told by its address: the next one may have the same.
        known = any((other() is obj) if isinstance(other, weakref.ref) else (other == id(obj)) for other in met)
        if len(met) < FEW and not known:
            met.append(weakref.ref(obj) if type(obj).__weakrefoffset__ else id(obj))
        return len(met) == FEW

    def varies(self, place: str, number: float) -> bool:
        """Whether a number is to be symbolic."""
        before = self.record.get(place, number)
        if type(before) is not type(number) or before != number:
            before = VARIES
        self.record[place] = before
        if self.dynamic is False or (isinstance(number, int) and number.bit_length() > INT_BITS):
            return False
        if type(number) is float and number - number != 0:
            return False  # infinities and NaN among them
        if before is VARIES:
            return True
        return bool(self.dynamic) and isinstance(number, int) and number not in (0, 1)  # mostly these choose something


def _order(before: tuple[int | None, ...], now: tuple[int | None, ...]) -> bool:
    """Whether the dimensions of two tensors lie in the same order in memory."""
    known = [(old, new) for old, new in zip(before, now, strict=True) if old is not None and new is not None]
    return all((a < b) == (x < y) for (a, x), (b, y) in itertools.combinations(known, 2))


def _without_meaning(tensor: torch.Tensor, strides: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The strides, without those of single items that are not the usual ones: they tell what it was cut from.

    A row of the result of `nonzero`, for one, lies there as far from the next as there are rows.
    """
    usual, made = 1, list(strides)
    for index in range(tensor.dim() - 1, -1, -1):
        if tensor.shape[index] == 1 and strides[index] != usual:
            made[index] = VARIES
        usual *= tensor.shape[index]
    return tuple(made)


def _bounds(ranges: Any, index: int) -> Any:
    for given in ranges:
        if given.dim == index and (given.min is not None or given.max is not None):
            return StrictMinMaxConstraint(
                vr=ValueRanges(lower=2 if given.min is None else given.min, upper=_upper(given.max)), warn_only=False
            )
    return RelaxedUnspecConstraint(warn_only=False)


def _upper(most: int | None) -> int:
    return 2**INT_BITS - 1 if most is None else most
