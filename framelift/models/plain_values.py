"""Objects written in C that never change, and functions of such: dates, views of bytes, packing, checksums.

What they do depends on nothing else, so it is done for real while capturing.
"""

from __future__ import annotations

import binascii
import datetime as dt
import importlib
import struct
import types
import zlib
from typing import Any

from framelift.models.real_exceptions import exception_value
from framelift.models.registry import find, model
from framelift.values.base import Raised, Tracer, Value
from framelift.values.iterators import ConstantIterator
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.slices import SliceValue

_TYPES = (dt.date, dt.datetime, dt.time, dt.timedelta, dt.timezone, memoryview)

# What depends on the clock, or on the time zone of the machine, or changes something.
_NOT = frozenset({
    "now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "timestamp", "astimezone", "strptime", "release",
    "__setitem__", "__delitem__", "__enter__", "__exit__", "__reduce__", "__reduce_ex__", "__init_subclass__",
    "__subclasshook__", "__getattribute__", "__buffer__", "__release_buffer__", "__class_getitem__", "ctime",
    "strftime",
})  # fmt: skip
_KINDS = (
    types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
)  # fmt: skip


def _real(m: Tracer, value: Value) -> Any:
    if isinstance(value, Known) and (value.literal or isinstance(value.obj, (*_TYPES, type))):
        return value.obj
    if isinstance(value, Sequence) and value.cls in (tuple, list):
        return value.cls([_real(m, item) for item in value.all(m)])
    if isinstance(value, SliceValue):
        return slice(*(_real(m, part) for part in value.parts))
    raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} where only constants are known")


def _done(m: Tracer, function: Any, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    real_args = [_real(m, arg) for arg in args]
    real_kwargs = {name: _real(m, arg) for name, arg in kwargs.items()}
    try:
        result = function(*real_args, **real_kwargs)
    except Exception as error:  # noqa: BLE001 - whatever it raises is what it raises when traced
        raise Raised(exception_value(m, error)) from None
    return _value(m, result)


def _value(m: Tracer, result: Any) -> Value:
    if hasattr(type(result), "__next__"):
        return ConstantIterator(tuple(result))
    if type(result) is tuple:
        return TupleValue([_value(m, part) for part in result], tuple)
    return m.constant(result)


def done_for_real(function: Any) -> None:
    """Declare a function that depends on its arguments alone."""

    @model(function)
    def apply(m: Tracer, *args: Value, **kwargs: Value) -> Value:
        return _done(m, function, args, kwargs)


def _attribute(descriptor: Any) -> None:
    @model(descriptor)
    def get(m: Tracer, self: Value, /) -> Value:
        return _done(m, descriptor.__get__, (self,), {})


def _type(cls: Any) -> None:
    for name, member in vars(cls).items():
        if name in _NOT or find(member) is not None:
            continue
        if isinstance(member, types.GetSetDescriptorType | types.MemberDescriptorType):
            _attribute(member)
        elif isinstance(member, types.ClassMethodDescriptorType):
            _class_method(cls, name, member)
        elif isinstance(member, _KINDS):
            done_for_real(member)


def _class_method(cls: Any, name: str, member: Any) -> None:
    @model(member)
    def apply(m: Tracer, owner: Value, /, *args: Value, **kwargs: Value) -> Value:
        return _done(m, getattr(_real(m, owner), name), args, kwargs)


for _cls in _TYPES:
    _type(_cls)
for _function in (struct.pack, struct.unpack, struct.unpack_from, struct.calcsize, zlib.crc32, zlib.adler32):
    done_for_real(_function)
for _name in ("b2a_base64", "a2b_base64", "hexlify", "unhexlify", "b2a_hex", "a2b_hex", "crc32"):
    if find(getattr(binascii, _name)) is None:
        done_for_real(getattr(binascii, _name))
for _module, _name in (
    ("_string", "formatter_parser"),
    ("_string", "formatter_field_name_split"),
    ("posix", "_path_normpath"),
    ("posix", "_path_splitroot_ex"),
):
    _found = getattr(importlib.import_module(_module), _name, None)
    if _found is not None:
        done_for_real(_found)
