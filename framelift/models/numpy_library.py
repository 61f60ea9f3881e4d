"""What of torch._numpy stands for what of NumPy, and what is left to Python."""

from __future__ import annotations

import warnings
from functools import cache
from types import FunctionType
from typing import Any

import torch

from framelift.models import numpy_calls, numpy_indexing
from framelift.models.numpy_graph import library
from framelift.models.numpy_probe import Probe
from framelift.values import numpy_numbers
from framelift.values.arrays import ArrayValue, NumberValue
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_CALL, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.tensor import TensorValue

np: Any = numpy_numbers.np


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What these do or depend on is more than their arguments: files, settings, addresses, functions of the user's.
LEFT_TO_PYTHON = _words("""
    fromfile fromregex genfromtxt load loadtxt save savetxt savez savez_compressed from_dlpack frombuffer nested_iters
    set_printoptions get_printoptions printoptions setbufsize getbufsize seterr geterr seterrcall geterrcall info
    show_config show_runtime get_include array2string array_repr array_str frompyfunc fromfunction fromiter
    apply_along_axis apply_over_axes piecewise require
    tofile dump dumps __reduce__ __reduce_ex__ __setstate__ __repr__ __str__ __format__ __sizeof__ __array_struct__
    __array_interface__ ctypes data base flags strides flat __dlpack__ __dlpack_device__ __buffer__ __release_buffer__
    setflags resize getfield setfield byteswap __array_namespace__ __array_function__ __array_ufunc__ __array_wrap__
    __array_finalize__ to_device device
""")

# They write into their first argument.
CHANGE = _words("""
    copyto put place putmask fill_diagonal put_along_axis fill sort partition __setitem__
    __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __iand__ __ior__ __ixor__ __ilshift__
    __irshift__ __imatmul__
""")

# They make an array of a size.
MAKE = _words("empty zeros ones full eye identity arange linspace tri empty_like zeros_like ones_like full_like")

# Of several right answers (signs, orders of equal items) torch._numpy may give another.
_AMBIGUOUS = _words("svd eig eigh qr lstsq argpartition partition unique")
_POWERS = _words("power pow __pow__ __rpow__ __ipow__ float_power")
_WRONG = _words("cbrt")  # of negative numbers

# What they say depends on dtypes and shapes alone.
_ABOUT_KINDS = _words("result_type can_cast issubdtype iscomplexobj isrealobj common_type broadcast_shapes")
_ABOUT_SHAPES = _words("ndim shape size")


def refuse(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Break where torch._numpy answers otherwise than NumPy."""
    name = function.__name__
    if (
        name in _AMBIGUOUS
        or name in _WRONG
        or (name == "argsort" and not _is(kwargs.get("kind"), "stable", "mergesort"))
    ):
        raise Break(UNKNOWN_CALL, function, "on an array of the graph, where torch._numpy may answer otherwise")
    if name in _POWERS and all(map(_is_whole, args[:2])):
        raise Break(UNKNOWN_CALL, function, "of integers, where NumPy refuses negative exponents and PyTorch does not")


def _is(value: Value | None, *options: Any) -> bool:
    return isinstance(value, Known) and value.obj in options


def _is_whole(value: Value) -> bool:
    """Whether a base or exponent is an integer that only the graph knows."""
    if not isinstance(value, ArrayValue | NumberValue) or value.tensor is None:
        return False
    return not value.tensor.fake.is_floating_point() and not value.tensor.fake.is_complex()


class Theirs:
    """A function or method of torch._numpy of one of these names, looked up when it is called."""

    def __init__(self, names: list[str], place: str = "") -> None:
        self.names = names
        self.place = place

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self.find()
        if found is None:
            raise Break(UNKNOWN_CALL, f"numpy.{self.names[0]} on an array of the graph")
        return found(*args, **kwargs)

    def find(self) -> Any:
        name = self.names[0]
        if (not self.place and name in _OURS) or name in _OUR_METHODS:
            return _OURS[name]
        place = getattr(library(), self.place) if self.place else library()
        return next((getattr(place, name) for name in self.names if hasattr(place, name)), None)


def _array(obj: Any, dtype: Any = None, **options: Any) -> Any:
    """`np.array()`: torch._numpy would want to know the items of a list."""
    options.pop("subok", None)  # there are no subclasses here
    if isinstance(obj, list | tuple):
        found = library().stack([_array(item) for item in obj])
        return found if dtype is None else found.astype(dtype)
    return library().array(obj, dtype, **options)


def _as_array(obj: Any, dtype: Any = None, **options: Any) -> Any:
    return _array(obj, dtype, copy=False)


def _all(a: Any, *args: Any, **kwargs: Any) -> Any:
    return library().all(a != 0, *args, **kwargs)


def _any(a: Any, *args: Any, **kwargs: Any) -> Any:
    return library().any(a != 0, *args, **kwargs)


def _truncated(a: Any) -> Any:
    return a.copy() if a.dtype.kind not in "fc" else library().trunc(a)


def _parts(a: Any) -> Any:
    whole = library().trunc(a)
    return library().copysign(a - whole, a), whole


_OURS: dict[str, Any] = {
    "array": _array,
    "asarray": _as_array,
    "asanyarray": _as_array,
    "all": _all,
    "any": _any,
    "fix": _truncated,
    "trunc": _truncated,
    "modf": _parts,
    "__getitem__": numpy_indexing.item,
    "square": lambda a, dtype=None: library().multiply(a, a, dtype=dtype),
}
_OUR_METHODS = _words("all any __getitem__")


# To these a tensor is an array over its memory.
_TAKE_TENSORS = _words("array asarray asanyarray ascontiguousarray stack concatenate vstack hstack dstack")


@cache
def _warns(function: Any, of_one: bool) -> bool:
    """Whether NumPy has something to say about tensors, which is left to Python then."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        function(torch.zeros(1) if of_one else [torch.zeros(1)])
    return bool(warned)


def _as_arrays(m: Tracer, value: Value) -> Value:
    if isinstance(value, TensorValue):
        return m.call(m.getattr(value, "numpy"), [])
    if isinstance(value, TupleValue | ListValue) and any(isinstance(item, TensorValue) for item in value.all(m)):
        return ListValue([_as_arrays(m, item) for item in value.all(m)], list)
    return value


def call(
    m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value], theirs: Any, name: str | None = None
) -> Value:
    """Call a function or method of NumPy's, given what torch._numpy has in its place."""
    name = function.__name__ if name is None else name
    if name in _TAKE_TENSORS and args and not _warns(function, isinstance(args[0], TensorValue)):
        args = [_as_arrays(m, args[0]), *args[1:]]
    kwargs = {key: value for key, value in kwargs.items() if not _is(value, np._NoValue)}  # not given
    if numpy_calls.in_graph(m, [*args, *kwargs.values()]):
        if name in _ABOUT_SHAPES and len(args) == 1 and isinstance(args[0], ArrayValue) and not kwargs:
            return m.getattr(args[0], name)
        if name in _ABOUT_KINDS:
            return numpy_calls.known(m, Probe(m).call(function, args, kwargs), function)
        refuse(m, function, args, kwargs)
        written = getattr(function, "_implementation", function)
        if isinstance(theirs, Theirs) and theirs.find() is None and isinstance(written, FunctionType):
            return m.inline(written, args, kwargs)  # NumPy's own Python
    return numpy_calls.call(m, function, args, kwargs, theirs, changes=name in CHANGE, makes=name in MAKE)
