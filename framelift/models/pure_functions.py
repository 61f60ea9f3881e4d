"""Functions of the standard library, written in Python around C, whose result depends on their arguments alone.

Of literals they are done for real; of anything else they are traced.
"""

from __future__ import annotations

import json
import pprint
import shlex
from typing import Any

from framelift.models.registry import model
from framelift.values.base import Tracer, Value

PURE_LIBRARY: tuple[Any, ...] = (json.dumps, json.loads, pprint.pformat, pprint.saferepr, shlex.split, shlex.join)


def _pure(function: Any) -> None:
    @model(function)
    def call(m: Tracer, /, *args: Value, **kwargs: Value) -> Value:
        folded = m.fold(function, list(args), kwargs)
        return m.inline(function, list(args), kwargs) if folded is None else folded


for _function in PURE_LIBRARY:
    _pure(_function)
