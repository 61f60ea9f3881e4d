"""Items: `container[key]` in its three forms, by Python's protocols."""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING

import torch

from framelift.interpreter import folding
from framelift.models import (
    class_facts,
    registry,
    torch_function_modes,
    torch_indices,
    torch_numpy,
    torch_ops,
    torch_scalars,
)
from framelift.values.base import Value
from framelift.values.known import Known, NotConstant
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine


def get(m: Machine, container: Value, key: Value) -> Value:
    """`container[key]`"""
    if isinstance(container, TensorValue):
        container, key = _without_numbers(m, container, key)
        found = torch_ops.call(m, operator.getitem, [container, torch_numpy.as_index(m, key)], {})
        cut = torch_indices.cut(m, container, key)
        if cut is not None:
            m.cuts[cut] = found
        return found
    if isinstance(container, Known):
        if isinstance(container.obj, type):
            return _get_from_class(m, container, key)
        if container.literal:
            folded = folding.fold(m, operator.getitem, [container, key], {})
            if folded is not None:
                return folded
    if m.class_attribute(container.cls, "__getitem__") is None:
        m.throw(TypeError, f"{container.cls.__name__!r} object is not subscriptable")
    return m.call_method(container, "__getitem__", [key])


def _without_numbers(m: Machine, tensor: TensorValue, key: Value) -> tuple[TensorValue, Value]:
    """A view of a tensor at those parts of an index that are numbers only the graph knows, and the index that is left.

    A mode has to see the index as it is, and under `torch.func` a tensor stands for many numbers.
    """
    if m.function_modes and not torch_function_modes.only_devices(m):
        return tensor, key
    if not torch._C._are_functorch_transforms_active() and torch_scalars.has_tensor_bounds(m, key):
        tensor, key = torch_scalars.narrowed(m, tensor, key)
    return torch_indices.selected(m, tensor, key)


def _get_from_class(m: Machine, cls: Known, key: Value) -> Value:
    """`cls[key]`: the metaclass's `__getitem__`, else `__class_getitem__`."""
    if m.class_attribute(class_facts.metaclass(m, cls.obj), "__getitem__") is not None:
        return m.call_method(cls, "__getitem__", [key])
    if m.class_attribute(cls.obj, "__class_getitem__") is None:
        m.throw(TypeError, f"type {cls.obj.__name__!r} is not subscriptable")
    found = m.class_attribute(cls.obj, "__class_getitem__")
    known = found.obj if isinstance(found, Known) else None
    if isinstance(known, types.ClassMethodDescriptorType) and registry.find(known) is None:
        try:
            return folding.really(m, types.GenericAlias, [cls.obj, folding.to_python(m, key)])
        except NotConstant:
            pass
    return m.call(m.getattr(cls, "__class_getitem__"), [key])


def put(m: Machine, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`"""
    if isinstance(container, TensorValue):
        container, key = _without_numbers(m, container, key)
        cut = torch_indices.cut(m, container, key)
        if cut is not None:
            view = m.cuts.get(cut) or get(m, container, key)
            assert isinstance(view, TensorValue)
            container, key = view, Known(Ellipsis)
        torch_ops.call(m, operator.setitem, [container, torch_numpy.as_index(m, key), value], {})
        return
    if m.class_attribute(container.cls, "__setitem__") is None:
        m.throw(TypeError, f"{container.cls.__name__!r} object does not support item assignment")
    m.call_method(container, "__setitem__", [key, value])


def delete(m: Machine, container: Value, key: Value) -> None:
    """`del container[key]`"""
    if m.class_attribute(container.cls, "__delitem__") is None:
        m.throw(TypeError, f"{container.cls.__name__!r} object doesn't support item deletion")
    m.call_method(container, "__delitem__", [key])
