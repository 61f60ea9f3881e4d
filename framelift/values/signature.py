"""Read-only views of dicts, and the signatures that hold them."""

from __future__ import annotations

import types
from collections.abc import Callable

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.instance import InstanceValue


class MappingProxyValue(Value):
    """`types.MappingProxyType` over a mapping."""

    __slots__ = ("owner",)

    def __init__(self, owner: Value, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.owner = owner

    @property
    def cls(self) -> type:
        return types.MappingProxyType


class SignatureValue(InstanceValue):
    """An `inspect.Signature` or `inspect.Parameter`. What it says of annotations is looked up when someone asks."""

    __slots__ = ("annotation",)

    def __init__(self, cls: type, annotation: Callable[[], Value]) -> None:
        super().__init__(cls)
        self.annotation = annotation
