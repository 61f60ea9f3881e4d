"""Functions made in the call, cells, bound methods."""

from __future__ import annotations

import types
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.namespace import Namespace


class CellValue(Value):
    """A variable shared between functions."""

    __slots__ = ("_content", "_loaded")

    def __init__(self, content: Value | None = None, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._content = content
        self._loaded = seen is None

    @property
    def cls(self) -> type:
        return CellType

    def get(self, tracer: Tracer) -> Value | None:
        """What the variable is bound to; None if it is not."""
        if not self._loaded:
            assert self.seen is not None
            self._loaded = True
            if not self.seen.learn(facts.cell_empty):
                self._content = tracer.lift(self.seen.child("cell"))
        return self._content

    @property
    def loaded(self) -> Value | None:
        """What the variable is bound to, if that is known already."""
        return self._content

    def set(self, content: Value | None) -> None:
        self._loaded = True
        self._content = content


class FunctionValue(Value):
    """A function made while capturing."""

    __slots__ = (
        "code",
        "globals",
        "name",
        "qualname",
        "defaults",
        "kwdefaults",
        "closure",
        "annotations",
        "attributes",
        "special",
    )

    def __init__(self, code: CodeType, globals_value: Any) -> None:
        super().__init__()
        self.code = code
        self.globals = globals_value
        self.name = code.co_name
        self.qualname = code.co_qualname
        self.defaults: Value | None = None
        self.kwdefaults: Value | None = None
        self.closure: list[CellValue] = []
        self.annotations: Value | None = None
        self.attributes = Namespace(None)
        self.special: dict[str, Value] = {}  # `__name__`, `__doc__` ... given other values

    @property
    def cls(self) -> type:
        return FunctionType

    def __repr__(self) -> str:
        return f"<function value {self.qualname}>"


# What binding makes of descriptors written in C.
_BOUND: dict[type, type] = {
    types.MethodDescriptorType: types.BuiltinMethodType,
    types.ClassMethodDescriptorType: types.BuiltinMethodType,
    types.WrapperDescriptorType: types.MethodWrapperType,
}


class MethodValue(Value):
    """A callable bound to its first argument."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Value, receiver: Value, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.function = function
        self.receiver = receiver

    @property
    def cls(self) -> type:
        return _BOUND.get(type(self.function.obj), MethodType) if isinstance(self.function, Known) else MethodType
