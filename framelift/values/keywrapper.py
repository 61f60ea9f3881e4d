"""What `functools.cmp_to_key` gives: a callable that wraps items, and the items it wrapped."""

from __future__ import annotations

from framelift.values.base import Value


class KeyWrapperValue(Value):
    """A comparison function, and what it is to compare; None for the callable itself."""

    __slots__ = ("_cls", "compare", "obj")

    def __init__(self, cls: type, compare: Value, obj: Value | None) -> None:
        super().__init__()
        self._cls = cls
        self.compare = compare
        self.obj = obj

    @property
    def cls(self) -> type:
        return self._cls
