"""What `ContextVar.set` gives in the call: the real token is made when the residual sets the variable."""

from __future__ import annotations

import contextvars

from framelift.values.base import Value
from framelift.values.sequence import ListValue


class TokenValue(Value):
    """A token of a variable. The residual puts the real one into `box`.

    `before`: what the variable had, None if nothing. `place`: where the effect that sets the variable is logged, None
    once that was taken back.
    """

    __slots__ = ("variable", "before", "box", "place", "used")

    def __init__(self, variable: Value, before: Value | None, place: int) -> None:
        super().__init__()
        self.variable = variable
        self.before = before
        self.box = ListValue([], list)
        self.place: int | None = place
        self.used = False

    @property
    def cls(self) -> type:
        return contextvars.Token
