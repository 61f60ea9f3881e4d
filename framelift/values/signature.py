"""Read-only views of dicts, and the signatures that hold them."""

from __future__ import annotations

import types

from framelift.values.base import Value
from framelift.values.instance import InstanceValue
from framelift.values.mapping import DictValue


class MappingProxyValue(Value):
    """`types.MappingProxyType` over a dict made in the call."""

    __slots__ = ("owner",)

    def __init__(self, owner: DictValue) -> None:
        super().__init__()
        self.owner = owner

    @property
    def cls(self) -> type:
        return types.MappingProxyType


class SignatureValue(InstanceValue):
    """An `inspect.Signature` or `inspect.Parameter` of which some parts are not known: it cannot be rebuilt."""

    __slots__ = ()
