"""Models of the methods and attributes of NumPy's arrays, numbers and dtypes."""

from __future__ import annotations

import types
from typing import Any

from framelift import settings
from framelift.models import numpy_calls, registry
from framelift.models.numpy_library import LEFT_TO_PYTHON, Theirs, call
from framelift.models.numpy_probe import numpy_dtype
from framelift.models.registry import model
from framelift.models.torch_numpy import where_true
from framelift.models.torch_scalars import scalar
from framelift.values import numpy_numbers
from framelift.values.arrays import ArrayValue, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.iterators import SequenceIterator
from framelift.values.known import Known
from framelift.values.reasons import DATA_DEPENDENT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue, make_tuple
from framelift.values.symbol import wrapped

np: Any = numpy_numbers.np

_NOT_METHODS = {
    *("__getattribute__", "__setattr__", "__delattr__", "__init__", "__new__", "__class_getitem__"),
    *("__hash__", "__doc__", "__iter__"),
}


def _method(descriptor: Any, name: str) -> None:
    """Declare the model of a method."""
    theirs, special = Theirs([name], "ndarray"), _SPECIAL.get(name)

    def handler(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
        if special is not None and numpy_calls.in_graph(m, [self]):
            found: Value = special(m, self, *args, **kwargs)
            return found
        given = [self, *args]
        if name in ("__getitem__", "__setitem__") and numpy_calls.in_graph(m, given):
            given[1] = _index(m, given[1])
        return call(m, descriptor, given, kwargs, theirs)

    registry.symbolic.add(id(descriptor))
    model(descriptor)(handler)


def _index(m: Tracer, key: Value) -> Value:
    """An index in which a mask that is known says where it is true."""
    items = key.all(m) if isinstance(key, TupleValue) else [key]
    found = [part for item in items for part in where_true(m, item)]
    is_same = len(found) == len(items) and all(one is other for one, other in zip(found, items, strict=True))
    return key if is_same else TupleValue(found, tuple)


# What is not asked of torch._numpy


def _length(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, ArrayValue)
    assert self.tensor is not None
    if self.tensor.fake.dim() == 0:
        m.throw(TypeError, "len() of unsized object")
    return wrapped(self.tensor.fake.shape[0])


def _python_number(m: Tracer, self: Value, /, *args: Value) -> Value:
    """A number of Python's out of the graph."""
    assert isinstance(self, ArrayValue | NumberValue)
    assert self.tensor is not None
    if not settings.current().capture_scalars or args or self.tensor.fake.numel() != 1:
        raise Break(DATA_DEPENDENT, "an item of an array")
    return scalar(m, self.tensor)


def _converted(kind: type) -> Any:
    return lambda m, self, /: m.call(Known(kind), [_python_number(m, self)])


def _needs_data(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    raise Break(DATA_DEPENDENT, "the contents of an array")


def _copied(m: Tracer, self: Value, /, *args: Value) -> Value:
    return m.call(m.getattr(self, "copy"), [])


_SPECIAL: dict[str, Any] = {
    "__len__": _length,
    "item": _python_number,
    "__float__": _converted(float),
    "__int__": _converted(int),
    "__index__": _converted(int),
    "__bool__": _needs_data,
    "__complex__": _needs_data,
    "tolist": _needs_data,
    "tobytes": _needs_data,
    "__contains__": _needs_data,
    "__copy__": _copied,
    "__deepcopy__": _copied,
}


def _rows(m: Tracer, self: Value, /) -> Value:
    """`iter(array)`"""
    if not isinstance(self, ArrayValue):
        raise Break(UNKNOWN_OPERATION, "iterating over such an array")
    count = m.call(Known(len), [self])
    if not isinstance(count, Known):
        raise Break(UNKNOWN_OPERATION, "iterating over an array of a size that varies")
    item = Known(np.ndarray.__getitem__)
    return SequenceIterator(TupleValue([m.call(item, [self, Known(index)]) for index in range(count.obj)], tuple))


# Attributes


def _attribute(descriptor: Any, name: str) -> None:
    """Declare the model of an attribute."""
    get = _ATTRIBUTES.get(name)

    @model(descriptor)
    def handler(m: Tracer, self: Value, /) -> Value:
        if get is not None and isinstance(self, ArrayValue | NumberValue) and self.tensor is not None:
            found: Value = get(self.tensor.fake)
            return found
        return call(m, descriptor.__get__, [self], {}, lambda array: getattr(array, name), name)


_ATTRIBUTES: dict[str, Any] = {
    "shape": lambda fake: make_tuple([wrapped(size) for size in fake.shape]),
    "ndim": lambda fake: Known(fake.dim()),
    "size": lambda fake: wrapped(fake.numel()),
    "itemsize": lambda fake: Known(fake.element_size()),
    "nbytes": lambda fake: wrapped(fake.numel() * fake.element_size()),
    "dtype": lambda fake: Known(numpy_dtype(fake.dtype)),
}


def _conversion(cls: Any) -> None:
    """Declare the model of `np.float32(x)`."""
    new: Any = vars(cls).get("__new__")
    if new is None or registry.find(new) is not None:
        return

    registry.symbolic.add(id(new))

    @model(new)
    def handler(m: Tracer, kind: Value, /, *args: Value, **kwargs: Value) -> Value:
        if len(args) == 1 and not kwargs and numpy_calls.in_graph(m, args) and cls is not np.dtype:
            return numpy_calls.call(m, cls, list(args), {}, lambda array: array.astype(np.dtype(cls).name))
        if len(args) == 1 and not kwargs and isinstance(kind, Known) and kind.obj is cls:
            return numpy_calls.really(m, cls, list(args), {})
        return numpy_calls.really(m, new, [kind, *args], kwargs)


# Methods of ufuncs

_REDUCE = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
_ACCUMULATE = {"add": "cumsum", "multiply": "cumprod"}


def _ufunc_method(descriptor: Any, name: str) -> None:
    @model(descriptor)
    def handler(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
        if not isinstance(self, Known) or registry.find(self.obj) is None:
            raise Break(UNKNOWN_OPERATION, "a ufunc that is not one of NumPy's")
        known = {"reduce": _REDUCE, "accumulate": _ACCUMULATE}.get(name, {}).get(self.obj.__name__)
        inner = None if known is None else Theirs([known])

        def theirs(array: Any, axis: Any = 0, **options: Any) -> Any:
            if inner is None:
                raise Break(UNKNOWN_OPERATION, f"{self.obj.__name__}.{name} on an array of the graph")
            return inner(array, axis=axis, **options)

        return numpy_calls.call(m, descriptor.__get__(self.obj), list(args), kwargs, theirs)


def _declare() -> None:
    for name in ("reduce", "accumulate", "outer"):
        _ufunc_method(vars(np.ufunc)[name], name)
    for cls in (np.ndarray, *numpy_numbers.BASES, np.dtype):
        for name, found in vars(cls).items():
            if name in LEFT_TO_PYTHON or name in _NOT_METHODS:
                continue
            if isinstance(found, types.MethodDescriptorType | types.WrapperDescriptorType):
                _method(found, name)
            elif isinstance(found, types.GetSetDescriptorType) and cls is not np.dtype:
                _attribute(found, name)
    for cls in (*numpy_numbers.SCALARS, np.dtype):
        _conversion(cls)
    model(np.ndarray.__iter__)(_rows)


if np is not None:
    _declare()
