"""`operator.itemgetter`, `attrgetter` and `methodcaller` made in the call: immutable, known by what made them."""

from __future__ import annotations

from framelift.values.base import Value


class GetterValue(Value):
    """An object of one of those classes."""

    __slots__ = ("_cls", "args", "kwargs")

    def __init__(self, cls: type, args: list[Value], kwargs: dict[str, Value]) -> None:
        super().__init__()
        self._cls = cls
        self.args = args
        self.kwargs = kwargs

    @property
    def cls(self) -> type:
        return self._cls
