"""Arrays of NumPy, and the numbers that are their items.

An array made of constants is known: NumPy itself works on the real one, which nobody else has. Any other is a tensor of
the graph seen as an array; there torch._numpy says what NumPy's functions do to tensors.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from torch.fx import Node

from framelift.guards.observed import Observed
from framelift.values import numpy_numbers
from framelift.values.base import Value
from framelift.values.tensor import TensorValue


class Apart(NamedTuple):
    """Where NumPy has a view, and the graph a copy: good for as long as neither is written to."""

    function: Any  # what makes the view, of
    args: list[Value]
    kwargs: dict[str, Value]
    strides: tuple[int, ...]  # as NumPy has them
    versions: tuple[tuple[Any, int], ...]  # fakes that share memory in NumPy, and how often they had been written to

    @property
    def is_good(self) -> bool:
        return all(fake._version == version for fake, version in self.versions)


class ArrayValue(Value):
    """An array: of known contents (`data`), or a tensor of the graph (`tensor`) which shares its memory."""

    __slots__ = ("data", "tensor", "writeable", "apart", "__weakref__")

    def __init__(
        self, data: Any = None, tensor: TensorValue | None = None, seen: Observed | None = None, writeable: bool = True
    ) -> None:
        super().__init__(seen)
        assert (data is None) is not (tensor is None)
        self.data = data
        self.tensor = tensor
        self.writeable = writeable
        self.apart: Apart | None = None

    @property
    def cls(self) -> type:
        kind: type = numpy_numbers.np.ndarray
        return kind


class ForeignArray(Value):
    """An array of which PyTorch cannot use the memory. It can be passed around."""

    __slots__ = ()

    @property
    def cls(self) -> type:
        kind: type = numpy_numbers.np.ndarray
        return kind


class NumberValue(Value):
    """One of NumPy's numbers that only the graph knows: `tensor` has no dimensions."""

    __slots__ = ("tensor", "kind")

    def __init__(self, tensor: TensorValue, kind: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.tensor = tensor
        self.kind = kind

    @property
    def cls(self) -> type:
        return self.kind


class ArrayTensor(TensorValue):
    """The tensor over the memory of an array that existed before the call, as the graph takes it."""

    __slots__ = ("array", "writeable")

    def __init__(self, node: Node, fake: Any, cls: type, array: Observed, writeable: bool) -> None:
        super().__init__(node, fake, cls)
        self.array = array
        self.writeable = writeable


class NumberTensor(TensorValue):
    """The tensor for one of NumPy's numbers that existed before the call, as the graph takes it."""

    __slots__ = ("number",)

    def __init__(self, node: Node, fake: Any, cls: type, number: Observed) -> None:
        super().__init__(node, fake, cls)
        self.number = number


class ConstantTensor(TensorValue):
    """A tensor of known contents that the graph takes. `fresh`: it may be changed, so each call makes its own."""

    __slots__ = ("data", "fresh")

    def __init__(self, node: Node, fake: Any, cls: type, data: Any, fresh: bool) -> None:
        super().__init__(node, fake, cls)
        self.data = data
        self.fresh = fresh


class Arrays:
    """The arrays of one capture."""

    def __init__(self) -> None:
        self.known: WeakValueDictionary[int, ArrayValue] = WeakValueDictionary()  # by the id of the real array
        self.tensors: dict[Any, TensorValue] = {}  # by contents
        self.inputs: dict[Node, TensorValue] = {}

    def of(self, real: Any) -> ArrayValue:
        """The value of an array that nobody else has."""
        found = self.known.get(id(real))
        if found is None or found.data is not real:
            found = self.known[id(real)] = ArrayValue(real)
        return found

    def sharing(self, array: ArrayValue) -> list[ArrayValue]:
        """The other known arrays that may share memory with this one."""
        shares = numpy_numbers.np.may_share_memory
        others = [other for other in self.known.values() if other is not array and other.data is not None]
        return [other for other in others if shares(other.data, array.data)]
