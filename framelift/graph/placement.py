"""How tensors lie in the memory that they share.

Compilers treat tensors that do not overlap as if each had memory of its own, wherever it begins. What is compiled for
such as overlap holds only while they lie as they did.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy
import torch

from framelift.guards.observed import Observed


class Placement(NamedTuple):
    """`second` begins `distance` after `first`, or further on if that is not `exact`."""

    first: Observed
    second: Observed
    distance: sympy.Expr
    exact: bool


def placement(one: tuple[Observed, Any], other: tuple[Observed, Any]) -> Placement | None:
    """How two tensors lie, each given with its fake. None if that cannot be said: their items differ in size."""
    if one[1].dtype.itemsize != other[1].dtype.itemsize:
        return None
    pairs = sorted((seen.convert(torch.Tensor.storage_offset), index) for index, (seen, _) in enumerate((one, other)))
    first, second = ((one, other)[index] for _, index in pairs)
    length = _length(first[1])
    begins = [begin for begin, _ in pairs]
    if begins[0] + _now(first[0]) <= begins[1]:
        return Placement(first[0], second[0], length, exact=False)
    return Placement(first[0], second[0], sympy.Integer(begins[1] - begins[0]), exact=True)


def _length(fake: Any) -> sympy.Expr:
    """How much memory there is from the first item of a tensor to its last."""
    steps = [(_expression(size) - 1) * _expression(step) for size, step in zip(fake.shape, fake.stride(), strict=True)]
    return sympy.Add(sympy.Integer(1), *steps)


def _now(seen: Observed) -> int:
    return int(seen.convert(_length))


def _expression(number: Any) -> sympy.Expr:
    return number.node._expr if isinstance(number, torch.SymInt) else sympy.Integer(number)
