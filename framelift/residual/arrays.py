"""Making arrays and numbers of NumPy again, and the tensors that graphs take for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from framelift.models.numpy_graph import tensor_of_number, tensor_over
from framelift.residual import make
from framelift.values import numpy_numbers
from framelift.values.arrays import Apart, ArrayTensor, ArrayValue, ConstantTensor, NumberTensor, NumberValue
from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import TupleValue

if TYPE_CHECKING:
    from framelift.residual.rebuild import Rebuilder

np: Any = numpy_numbers.np


class _Memory(Value):
    """What known arrays share: an array that owns its memory."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        super().__init__()
        self.owner = owner

    @property
    def cls(self) -> type:
        return type(self.owner)


class _Template:
    """Makes copies of a known array."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def copy(self) -> Any:
        return self.array.copy("K")

    def tensor(self) -> Any:
        return torch.from_numpy(self.copy())

    def part(self, memory: Any) -> Any:
        """The same part of a copy of the array that owns the memory."""
        mine = self.array
        offset = mine.__array_interface__["data"][0] - _owner(mine).__array_interface__["data"][0]
        made = np.ndarray(mine.shape, mine.dtype, memory, offset, mine.strides)
        made.setflags(write=mine.flags.writeable)
        return made


def _owner(array: Any) -> Any:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def over_array(r: Rebuilder, value: ArrayValue) -> None:
    if value.apart is not None:
        _view_made_by_numpy(r, value, value.apart)
        return
    if value.tensor is not None:
        r.call(_array_over if value.writeable else _read_only_over, value.tensor)
        r.keep(value)
        return
    owner = _owner(value.data)
    shared = next((held for held, _ in r.slots.values() if isinstance(held, _Memory) and held.owner is owner), None)
    memory = shared or _Memory(owner)
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        raise Break(REBUILD, "an array with gaps in its memory")
    if shared is None:
        r.emit.const_callee(_Template(owner).copy)
        r.emit.call(0)
        r.keep(memory)
        r.emit.pop()
    if owner is value.data:
        r.load(memory)
    else:
        r.call(_Template(value.data).part, memory)
    r.keep(value)


def _view_made_by_numpy(r: Rebuilder, value: ArrayValue, apart: Apart) -> None:
    if not apart.is_good:
        raise Break(REBUILD, "a view that torch._numpy has copied, after a change")
    named = DictValue()
    for name, item in apart.kwargs.items():
        named.put(r.tracer, Known(name), item)
    r.call(make.called, Known(apart.function), TupleValue(apart.args, tuple), named)
    r.keep(value)


def number(r: Rebuilder, value: NumberValue) -> None:
    r.call(_number_in, value.tensor)
    r.keep(value)


def array_input(r: Rebuilder, value: ArrayTensor) -> None:
    r.emit.const_callee(torch.from_numpy if value.writeable else tensor_over)
    r.emit.fast(r.first_input + value.array.hand_over(), bound=True)
    r.emit.call(1)
    r.keep(value)


def number_input(r: Rebuilder, value: NumberTensor) -> None:
    r.emit.const_callee(tensor_of_number)
    r.emit.fast(r.first_input + value.number.hand_over(), bound=True)
    r.emit.call(1)
    r.keep(value)


def constant_input(r: Rebuilder, value: ConstantTensor) -> None:
    if value.fresh:
        r.emit.const_callee(_Template(value.data).tensor)
        r.emit.call(0)
    else:
        r.emit.const(torch.from_numpy(value.data))
    r.keep(value)


def _array_over(tensor: torch.Tensor) -> Any:
    return tensor.numpy()


def _read_only_over(tensor: torch.Tensor) -> Any:
    array: Any = tensor.numpy()
    array.setflags(write=False)
    return array


def _number_in(tensor: torch.Tensor) -> Any:
    return tensor.numpy()[()]


ARRAY_MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    ArrayValue: over_array,
    NumberValue: number,
    ArrayTensor: array_input,
    NumberTensor: number_input,
    ConstantTensor: constant_input,
}
