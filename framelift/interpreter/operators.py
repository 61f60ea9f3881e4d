"""Operators, truth and identity, by Python's protocols."""

from __future__ import annotations

import operator
from collections import deque
from typing import TYPE_CHECKING, Any

from framelift.interpreter import folding
from framelift.models import symbols, torch_ops, torch_scalars
from framelift.values.base import Value, type_name
from framelift.values.instance import InstanceValue
from framelift.values.known import Closure, Known, boolean
from framelift.values.mapping import DictValue
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence
from framelift.values.sets import SetValue
from framelift.values.symbol import SymbolValue, specialized
from framelift.values.tensor import TensorValue
from framelift.values.weak import ProxyValue, WeakrefValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

BINARY: dict[str, tuple[str, str, Any]] = {
    "+": ("__add__", "__radd__", operator.add),
    "-": ("__sub__", "__rsub__", operator.sub),
    "*": ("__mul__", "__rmul__", operator.mul),
    "@": ("__matmul__", "__rmatmul__", operator.matmul),
    "/": ("__truediv__", "__rtruediv__", operator.truediv),
    "//": ("__floordiv__", "__rfloordiv__", operator.floordiv),
    "%": ("__mod__", "__rmod__", operator.mod),
    "**": ("__pow__", "__rpow__", operator.pow),
    "<<": ("__lshift__", "__rlshift__", operator.lshift),
    ">>": ("__rshift__", "__rrshift__", operator.rshift),
    "&": ("__and__", "__rand__", operator.and_),
    "|": ("__or__", "__ror__", operator.or_),
    "^": ("__xor__", "__rxor__", operator.xor),
}

INPLACE: dict[str, tuple[str, Any]] = {
    f"{sign}=": ("__i" + names[0][2:], getattr(operator, "i" + names[2].__name__.rstrip("_"), None))
    for sign, names in BINARY.items()
}

COMPARE: dict[str, tuple[str, str, Any]] = {
    "<": ("__lt__", "__gt__", operator.lt),
    "<=": ("__le__", "__ge__", operator.le),
    ">": ("__gt__", "__lt__", operator.gt),
    ">=": ("__ge__", "__le__", operator.ge),
    "==": ("__eq__", "__eq__", operator.eq),
    "!=": ("__ne__", "__ne__", operator.ne),
}

UNARY: dict[str, tuple[str, Any]] = {
    "-": ("__neg__", operator.neg),
    "+": ("__pos__", operator.pos),
    "~": ("__invert__", operator.invert),
}


def binary(m: Machine, sign: str, left: Value, right: Value) -> Value:
    """`left <sign> right`, the in-place forms included."""
    if sign in INPLACE:
        name, real = INPLACE[sign]
        if isinstance(left, TensorValue) and _of_tensors(left, right):
            return torch_ops.call(m, real, [left, right], {})
        found = None if isinstance(left, TensorValue) else m.class_attribute(left.cls, name)
        if found is not None:
            result = m.call_method(left, name, [right])
            if not _not_implemented(result):
                return result
        sign = sign[:-1]
    name, reflected, real = BINARY[sign]
    if _of_tensors(left, right) and not (sign == "%" and issubclass(left.cls, str)):
        return torch_ops.call(m, real, [left, right], {})
    return _protocol(m, left, right, name, reflected, real, sign)


def compare(m: Machine, sign: str, left: Value, right: Value) -> Value:
    """`left <sign> right` for comparisons."""
    name, reflected, real = COMPARE[sign]
    if _of_tensors(left, right):
        return torch_ops.call(m, real, [left, right], {})
    return _protocol(m, left, right, name, reflected, real, sign)


def _of_tensors(left: Value, right: Value) -> bool:
    """Whether it is PyTorch that decides: tensors leave it to objects of the user's to work with them."""
    if not isinstance(left, TensorValue) and not isinstance(right, TensorValue):
        return False
    return not any(isinstance(value, InstanceValue) and value.content is None for value in (left, right))


def _protocol(m: Machine, left: Value, right: Value, name: str, reflected: str, real: Any, sign: str) -> Value:
    folded = folding.fold(m, real, [left, right], {})
    if folded is not None:
        return folded
    for receiver, method, other in tries(m, sign, left, right):
        if isinstance(receiver, TensorValue) or m.class_attribute(receiver.cls, method) is None:
            continue
        result = m.call_method(receiver, method, [other])
        if not _not_implemented(result):
            return result
    if sign in ("==", "!="):
        return boolean(same(m, left, right) is (sign == "=="))
    if sign in COMPARE:
        m.throw(
            TypeError,
            f"{sign!r} not supported between instances of {type_name(left.cls)!r} and {type_name(right.cls)!r}",
        )
    shown = "** or pow()" if sign == "**" else sign
    m.throw(TypeError, f"unsupported operand type(s) for {shown}: {type_name(left.cls)!r} and {type_name(right.cls)!r}")


def tries(m: Machine, sign: str, left: Value, right: Value) -> list[tuple[Value, str, Value]]:
    """Which methods Python asks, one after the other: receiver, name, other operand."""
    name, reflected, _ = COMPARE[sign] if sign in COMPARE else BINARY[sign]
    found = [(left, name, right), (right, reflected, left)]
    if right.cls is not left.cls and left.cls in right.cls.__mro__ and _overrides(m, left, right, reflected):
        found.reverse()
    elif right.cls is left.cls and sign not in COMPARE:
        found.pop()
    if sign in ("+", "*") and len(found) == 2 and _is_sequence_slot(m.class_attribute(left.cls, name)):
        found.reverse()  # what sequences do comes after all that numbers do
    return found


def _overrides(m: Machine, left: Value, right: Value, reflected: str) -> bool:
    mine, theirs = m.class_attribute(right.cls, reflected), m.class_attribute(left.cls, reflected)
    return not (isinstance(mine, Known) and isinstance(theirs, Known) and mine.obj is theirs.obj)


def _is_sequence_slot(found: Value | None) -> bool:
    """Whether a method is a sequence's own `+` or `*`."""
    return isinstance(found, Known) and getattr(found.obj, "__objclass__", None) in _SEQUENCES


_SEQUENCES = (list, tuple, str, bytes, bytearray, deque)


def _not_implemented(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is NotImplemented


def unary(m: Machine, sign: str, operand: Value) -> Value:
    """`<sign> operand`"""
    name, real = UNARY[sign]
    if isinstance(operand, TensorValue):
        return torch_ops.call(m, real, [operand], {})
    folded = folding.fold(m, real, [operand], {})
    if folded is not None:
        return folded
    if m.class_attribute(operand.cls, name) is None:
        m.throw(TypeError, f"bad operand type for unary {sign}: {operand.cls.__name__!r}")
    return m.call_method(operand, name, [])


def truth(m: Machine, value: Value) -> bool:
    """`bool(value)`"""
    if isinstance(value, Known):
        if value.literal:
            return bool(value.obj)
    elif isinstance(value, TensorValue):
        data = torch_scalars.known_data(value)
        if data is None or data.numel() != 1:
            raise Break(DATA_DEPENDENT, "a branch on a tensor")
        return bool(data)
    elif isinstance(value, SymbolValue):
        return symbols.truth(m, value)
    elif isinstance(value, Sequence):
        return len(value) > 0
    elif isinstance(value, DictValue):
        return value.count(m) > 0
    elif isinstance(value, SetValue):
        return bool(value.keys(m))
    if m.class_attribute(value.cls, "__bool__") is not None:
        return truth(m, _checked(m, m.call_method(value, "__bool__", []), "__bool__", bool))
    if m.class_attribute(value.cls, "__len__") is not None:
        return truth(m, m.call_method(value, "__len__", []))
    return True


def _checked(m: Machine, value: Value, name: str, kind: type) -> Value:
    if value.cls is not kind:
        m.throw(TypeError, f"{name} should return {kind.__name__}, returned {value.cls.__name__}")
    return value


def same(m: Machine, left: Value, right: Value) -> bool:
    """`left is right`"""
    if left is right:
        return True
    if isinstance(left, SymbolValue) or isinstance(right, SymbolValue):
        if left.cls is not right.cls or (left.cls is int and _differ(m, left, right)):
            return False
        left, right = specialized(m, left), specialized(m, right)
    if isinstance(left, Known) and isinstance(right, Known):
        answer = left.obj is right.obj
        for value in (left, right):
            if isinstance(value, Closure):
                value.pin()
        _pin_literals(left, right)
        return answer
    weak = isinstance(left, WeakrefValue | ProxyValue) and type(left) is type(right)
    if weak and None in (left.seen, right.seen):
        raise Break(UNKNOWN_OPERATION, "whether two weak references are one object")
    if _is_empty_tuple(left) and _is_empty_tuple(right):
        return True
    if left.seen is not None and right.seen is not None and left.cls is right.cls:
        m.ledger.relate(left.seen.path, right.seen.path, same=False)
    return False


def _differ(m: Machine, left: Value, right: Value) -> bool:
    """Whether two whole numbers, some symbolic, are different ones."""
    equal = symbols.apply(m, operator.eq, [left, right])
    return isinstance(equal, Known) and equal.obj is False


def _is_empty_tuple(value: Value) -> bool:
    return value.cls is tuple and isinstance(value, Sequence) and len(value) == 0


_SINGLETONS = frozenset({type(None), bool, type(Ellipsis), type(NotImplemented)})


def _pin_literals(left: Known, right: Known) -> None:
    """Equal literals may be one object or two: that is only sure for the objects of this call."""
    if left.cls is not right.cls or left.cls in _SINGLETONS or not left.literal:
        return
    for value in (left, right):
        if value.seen is not None:
            value.seen.pin()


MANY = 16
"""Up to so many keys a symbolic number is compared with; in more it is looked up as the number it is in this call."""


def contains(m: Machine, container: Value, item: Value) -> bool:
    """`item in container`"""
    if isinstance(container, TensorValue):
        raise Break(DATA_DEPENDENT, "a search in a tensor")
    if isinstance(container, Known) and not (container.cls is range and isinstance(item, SymbolValue)):
        folded = folding.fold(m, operator.contains, [container, item], {})
        if folded is not None:
            return m.truth(folded)
    if isinstance(item, SymbolValue) and isinstance(container, SetValue | DictValue) and container.seen is None:
        keys = m.unpack(container)
        if len(keys) <= MANY and all(isinstance(key, Known) for key in keys):
            return any(m.truth(compare(m, "==", item, key)) for key in keys)
    found = m.class_attribute(container.cls, "__contains__")
    if isinstance(found, Known) and found.obj is None:
        m.throw(TypeError, f"{container.cls.__name__!r} object is not a container")
    if found is not None:
        return m.truth(m.call_method(container, "__contains__", [item]))
    if all(m.class_attribute(container.cls, name) is None for name in ("__iter__", "__getitem__")):
        m.throw(TypeError, f"argument of type {container.cls.__name__!r} is not iterable")
    source = m.iterator(container)
    while (other := m.next(source)) is not None:
        if equal(m, other, item):
            return True
    return False


def equal(m: Machine, left: Value, right: Value) -> bool:
    """Whether containers take two values for the same: identity first, then `==`."""
    return left is right or same(m, left, right) or m.truth(compare(m, "==", left, right))
