"""`torch.return_types`: named tuples of C code that operations with several results give."""

from __future__ import annotations

import torch

from framelift.models.contents import known_class
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.sequence import TupleValue

_KINDS = [kind for kind in vars(torch.return_types).values() if isinstance(kind, type) and issubclass(kind, tuple)]


def make(m: Tracer, cls: Value, items: Value, /) -> Value:
    kind = known_class(cls)
    values = m.unpack(items)
    if len(values) != kind.n_sequence_fields:
        wanted = kind.n_sequence_fields
        m.throw(TypeError, f"{kind.__name__}() takes a {wanted}-sequence ({len(values)}-sequence given)")
    return TupleValue(values, kind)


for _new in {id(kind.__dict__["__new__"]): kind.__dict__["__new__"] for kind in _KINDS}.values():
    model(_new)(make)
