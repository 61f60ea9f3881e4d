"""Models of exceptions: making them, and their attributes."""

from __future__ import annotations

import builtins

from framelift.models.registry import model, setter
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

# Every built-in exception has its own `__new__` and `__init__` object; those that keep more than `args` are left out.
_PLAIN = [
    cls
    for cls in vars(builtins).values()
    if isinstance(cls, type)
    and issubclass(cls, BaseException)
    and not issubclass(cls, OSError | SyntaxError | UnicodeError | ImportError | BaseExceptionGroup)
]


@model(*{id(cls.__new__): cls.__new__ for cls in _PLAIN}.values())
def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    made = InstanceValue(cls.obj)
    made.init_args = list(args)
    return made


@model(*{id(cls.__init__): cls.__init__ for cls in _PLAIN}.values())
def init(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    assert isinstance(self, InstanceValue)
    self.init_args = list(args)
    return NONE


@model(BaseException.__dict__["args"])
def get_args(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, InstanceValue)
    return TupleValue(self.init_args, tuple)


@setter(BaseException.__dict__["args"])
def set_args(m: Tracer, self: Value, value: Value) -> None:
    assert isinstance(self, InstanceValue)
    self.init_args = m.unpack(value)


@model(BaseException.__str__)
def text(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, InstanceValue)
    if not self.init_args:
        return Known("")
    if len(self.init_args) == 1:
        return m.call(Known(str), [self.init_args[0]])
    return m.call(Known(str), [TupleValue(self.init_args, tuple)])


@model(KeyError.__str__)
def key_error_text(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, InstanceValue)
    if len(self.init_args) == 1:
        return m.call(Known(repr), [self.init_args[0]])
    return text(m, self)


@model(StopIteration.__dict__["value"])
def stop_value(m: Tracer, self: Value, /) -> Value:
    assert isinstance(self, InstanceValue)
    return self.init_args[0] if self.init_args else NONE


def _linked(name: str) -> None:
    @model(BaseException.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        assert isinstance(self, InstanceValue)
        return self.slots.get(name) or NONE

    @setter(BaseException.__dict__[name])
    def set_(m: Tracer, self: Value, value: Value) -> None:
        assert isinstance(self, InstanceValue)
        self.slots[name] = value


for _name in ("__cause__", "__context__", "__traceback__"):
    _linked(_name)


@model(BaseException.with_traceback)
def with_traceback(m: Tracer, self: Value, traceback: Value, /) -> Value:
    return self
