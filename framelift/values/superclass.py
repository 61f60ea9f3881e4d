"""`super()` objects."""

from __future__ import annotations

from framelift.values.base import Value


class SuperValue(Value):
    """`super(after, owner)`, with `owner` an instance or a class."""

    __slots__ = ("after", "owner", "receiver_is_instance", "owner_class")

    def __init__(self, after: type, owner: Value, owner_class: type, receiver_is_instance: bool) -> None:
        super().__init__()
        self.after = after
        self.owner = owner
        self.owner_class = owner_class
        self.receiver_is_instance = receiver_is_instance

    @property
    def cls(self) -> type:
        return super
