"""Methods that operators and attributes call, executed in the run loop of the instruction, not in one of their own.

A break inside of such a method is then a break at that very instruction, with what comes before and after it in graphs.
That costs time, so it is done when a capture has broken in one: it is then run again like this (`Machine.flat`).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from framelift.interpreter import attributes, operators
from framelift.interpreter.machine import ENTERED, Machine
from framelift.interpreter.method_resolution import is_in_python
from framelift.models import protocols
from framelift.values.base import Value
from framelift.values.descriptors import DescriptorValue
from framelift.values.function import FunctionValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known, boolean
from framelift.values.sequence import TupleValue


def applies(m: Machine, *values: Value) -> bool:
    """Whether an instruction with these operands may run code of the program's own that is to be split."""
    return m.flat and m.nesting == 1 and any(isinstance(value, InstanceValue) for value in values)


def _function(found: Value | None) -> Value | None:
    """A method written in Python."""
    if isinstance(found, FunctionValue) or (isinstance(found, Known) and isinstance(found.obj, FunctionType)):
        return found
    return None


def _entered(m: Machine, function: Value, args: list[Value]) -> Value:
    """What the instruction gives: the result, or word of the frame that was entered."""
    result = m.call_flat(function, args, {})
    return ENTERED if result is None else result


def method(m: Machine, receiver: Value, name: str, args: list[Value]) -> Value | None:
    """Call a special method; None, here and below, if there is none written in Python."""
    found = _function(m.class_attribute(receiver.cls, name))
    return None if found is None else _entered(m, found, [receiver, *args])


def _enter(m: Machine, function: Any, *args: Value) -> Value:
    return _entered(m, Known(function), list(args))


def operator(m: Machine, sign: str, left: Value, right: Value) -> Value | None:
    """The methods that an operator tries one after the other."""
    tries: list[tuple[Value, str, Value]] = []
    plain = sign
    if sign in operators.INPLACE:
        tries.append((left, operators.INPLACE[sign][0], right))
        plain = sign[:-1]
    tries += operators.tries(m, plain, left, right)
    found = [(m.class_attribute(receiver.cls, name), receiver, other) for receiver, name, other in tries]
    steps = [(function, receiver, other) for function, receiver, other in found if function is not None]
    if not any(_function(function) for function, _, _ in steps):
        return None
    if not all(_function(function) or isinstance(function, Known) for function, _, _ in steps):
        return None
    listed = TupleValue([TupleValue(list(step), tuple) for step in steps], tuple)
    return _enter(m, protocols.first_answer, listed, Known(plain), left, right)


def contains(m: Machine, container: Value, item: Value, negated: bool) -> Value | None:
    found = _function(m.class_attribute(container.cls, "__contains__"))
    return None if found is None else _enter(m, protocols.contained, found, container, item, boolean(negated))


def attribute(m: Machine, receiver: Value, name: str) -> Value | None:
    """What looks an attribute up: a property, `__getattr__` or `__getattribute__`."""
    fallback = _function(m.class_attribute(receiver.cls, "__getattr__"))
    general = m.class_attribute(receiver.cls, "__getattribute__")
    if _function(general) is not None:
        assert general is not None
        return _looked_up(m, general, [receiver, Known(name)], fallback, receiver, name)
    if not isinstance(general, Known) or is_in_python(general.obj):
        return None
    found = m.class_attribute(receiver.cls, name)
    if found is None:
        if fallback is None or attributes.own_attribute(m, receiver, name) is not None:
            return None
        return _entered(m, fallback, [receiver, Known(name)])
    getter = _part_of_property(m, found, 0)
    return None if getter is None else _looked_up(m, getter, [receiver], fallback, receiver, name)


def _looked_up(
    m: Machine, getter: Value, args: list[Value], fallback: Value | None, receiver: Value, name: str
) -> Value:
    if fallback is None:
        return _entered(m, getter, args)
    return _enter(m, protocols.attribute_or, getter, TupleValue(args, tuple), fallback, receiver, Known(name))


def _part_of_property(m: Machine, found: Value, part: int) -> Value | None:
    if isinstance(found, Known) and type(found.obj) is property:
        if part == 0:
            return _function(m.lift(attributes.seen_of(m, found).child("property_get")))
        return _function(Known(found.obj.fset))
    if isinstance(found, DescriptorValue) and found.cls is property:
        return _function(found.parts[part])
    return None


def assigned(m: Machine, receiver: Value, name: str, value: Value) -> Value | None:
    """What is called for `receiver.name = value`."""
    setter = m.class_attribute(receiver.cls, "__setattr__")
    if _function(setter) is not None:
        assert setter is not None
        return _entered(m, setter, [receiver, Known(name), value])
    found = m.class_attribute(receiver.cls, name)
    setter = None if found is None else _part_of_property(m, found, 1)
    return None if setter is None else _entered(m, setter, [receiver, value])
