"""Instances of the user's classes: a class, the attributes read and written, and the contents of a built-in base."""

from __future__ import annotations

from typing import Any

from framelift.guards.observed import Observed
from framelift.values.base import Value
from framelift.values.namespace import Namespace
from framelift.values.sequence import TupleValue


class InstanceValue(Value):
    """An object of a class written in Python, or an exception.

    `content` is the value of the built-in base (a DictValue for a subclass of dict, ...), if there is one. `slots`
    holds `__slots__` attributes by their descriptor.
    """

    __slots__ = ("_cls", "attributes", "slots", "content", "_args")

    def __init__(self, cls: type, seen: Observed | None = None) -> None:
        super().__init__(seen)
        self._cls = cls
        self.attributes = Namespace(seen, attribute=True)
        self.slots: dict[Any, Value | None] = {}
        self.content: Value | None = None
        self._args: TupleValue | None = None

    @property
    def cls(self) -> type:
        return self._cls

    @property
    def args(self) -> TupleValue:
        """Of an exception made in the call."""
        if self._args is None:
            self._args = TupleValue([], tuple)
        return self._args

    @args.setter
    def args(self, args: TupleValue) -> None:
        self._args = args

    @property
    def init_args(self) -> list[Value]:
        """What an exception was made with."""
        return self.args.touch()  # type: ignore[return-value]  # it was made in the call

    @init_args.setter
    def init_args(self, args: list[Value]) -> None:
        self.args = TupleValue(list(args), tuple)

    def become(self, cls: type) -> None:
        """`instance.__class__ = cls`"""
        self._cls = cls
