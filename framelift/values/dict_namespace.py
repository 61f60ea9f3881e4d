"""Global names kept in a dict that the program made, as for `exec(text, {})`."""

from __future__ import annotations

from typing import Any

from framelift.values.base import Tracer, Value
from framelift.values.keys import key_of
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.namespace import Namespace


class DictNamespace(Namespace):
    """Names are entries of the dict."""

    __slots__ = ("mapping",)

    def __init__(self, mapping: DictValue) -> None:
        super().__init__(None)
        self.mapping = mapping

    def get(self, tracer: Tracer, name: Any) -> Value | None:
        return self.mapping.get(tracer, key_of(tracer, Known(name)))
