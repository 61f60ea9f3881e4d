"""Classes made in the call."""

from __future__ import annotations

from typing import Any

from framelift.values.base import Value
from framelift.values.known import Known


class ClassValue(Known):
    """A class made while capturing.

    `obj` is a real class with the same bases, which stands for it while capturing and never leaves: method resolution,
    `isinstance` and layout are those of a real class. What the class has under its names is laid over it.
    """

    __slots__ = ("bases", "seed", "finish", "registered")

    def __init__(self, stand_in: type, bases: list[Value], seed: dict[str, Any]) -> None:
        super().__init__(stand_in)
        self.bases = bases
        self.seed = seed  # what has to be there when the class is made, such as __slots__
        self.finish: list[Any] = []  # functions to be called on the class when it is made again
        self.registered: list[Value] = []  # classes that count as derived from it
