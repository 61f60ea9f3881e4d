"""Values of exceptions that were really raised while capturing, by functions that capture calls for real."""

from __future__ import annotations

from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue


def exception_value(m: Tracer, error: BaseException) -> Value:
    """The value of an exception that was really raised."""
    value = InstanceValue(type(error))
    value.init_args = [m.constant(arg) for arg in error.args]
    for name, attribute in vars(error).items():
        value.attributes.set(name, m.constant(attribute))
    return value
