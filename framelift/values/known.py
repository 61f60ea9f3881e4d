"""Objects known for good: literals, and real objects pinned by identity (functions, classes, modules, built-ins).

What is known is used as it is: constants fold, functions are inlined, classes are looked into.
"""

from __future__ import annotations

import collections
import operator
import re
import types
from typing import Any

import torch

from framelift.guards.observed import Observed
from framelift.values import numpy_numbers
from framelift.values.base import Value

# Immutable, compared by content, and free of user code: operations on these alone are done for real while capturing.
LITERALS: frozenset[type] = frozenset(
    {
        int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range,
        torch.dtype, torch.device, torch.layout, torch.memory_format, types.CodeType,
    }
)  # fmt: skip

# Kept as themselves and guarded by identity.
PINNED: tuple[type, ...] = (
    type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType,
    types.ClassMethodDescriptorType, types.GenericAlias, types.UnionType, property, staticmethod, classmethod,
    torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch._ops.HigherOrderOperator,
    operator.itemgetter, operator.attrgetter, operator.methodcaller, re.Pattern, re.Match,
    collections._tuplegetter,  # type: ignore[attr-defined]
)  # fmt: skip


class Known(Value):
    """An object that is known now and, by its guards, on every later call."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self.obj = obj

    @property
    def cls(self) -> type:
        return type(self.obj)

    @property
    def literal(self) -> bool:
        kind = type(self.obj)
        return kind in LITERALS or kind in numpy_numbers.SCALARS

    def __repr__(self) -> str:
        return f"<known {self.obj!r}>"


class Closure(Known):
    """A function with a closure: likely to be made anew for every call, so guarded by its code and not by identity.

    `obj` stands for any function of that code; whoever needs it to be this very one calls `pin`.
    """

    __slots__ = ()

    def pin(self) -> None:
        assert self.seen is not None
        self.seen.pin()


NONE = Known(None)
TRUE = Known(True)
FALSE = Known(False)
NOT_IMPLEMENTED = Known(NotImplemented)


class NotConstant(Exception):
    """The value is not made of literals alone."""


def boolean(answer: bool) -> Known:
    return TRUE if answer else FALSE
