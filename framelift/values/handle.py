"""The handle of a hook that is in the graph. Who wants it has to have the hook added by Python."""

from __future__ import annotations

from torch.utils.hooks import RemovableHandle

from framelift.values.base import Value
from framelift.values.reasons import Break


class HookHandle(Value):
    """What adding a hook gives. `refused`: the break where it was added."""

    __slots__ = ("refused",)

    def __init__(self, refused: Break) -> None:
        super().__init__()
        self.refused = refused

    @property
    def cls(self) -> type:
        return RemovableHandle
