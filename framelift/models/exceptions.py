"""Models of exceptions: making them, and their attributes.

What an exception keeps besides `args` is held by its value in `slots`, under the descriptor that shows it. Of one that
existed before the call everything is, `args` too, once it was looked at.
"""

from __future__ import annotations

import builtins
from types import MemberDescriptorType, NoneType, TracebackType
from typing import Any

from framelift.models.registry import model, polyfill, setter
from framelift.paths.reach import EXCEPTION_PARTS
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

_ALL = [cls for cls in vars(builtins).values() if isinstance(cls, type) and issubclass(cls, BaseException)]
_OTHERWISE = (OSError, SyntaxError, UnicodeError, BaseExceptionGroup)

# Every built-in exception has its own `__new__` and `__init__` object; those that work differently are left out.
_PLAIN = [cls for cls in _ALL if not issubclass(cls, _OTHERWISE)]


def _instance(exception: Value) -> InstanceValue:
    if not isinstance(exception, InstanceValue):
        raise Break(UNKNOWN_OPERATION, "the contents of an exception of an unknown kind")
    return exception


def _made_here(exception: Value) -> InstanceValue:
    if exception.seen is not None:
        raise Break(UNKNOWN_OPERATION, "the contents of an exception that existed before the call")
    return _instance(exception)


def _part(m: Tracer, exception: InstanceValue, name: str) -> Value | None:
    """What every exception has: of one made in the call None until it is set."""
    if name not in exception.slots and exception.seen is not None:
        exception.slots[name] = m.lift(exception.seen.child("exception_part", EXCEPTION_PARTS.index(name)))
    return exception.slots.get(name)


def _arguments(m: Tracer, exception: Value) -> list[Value]:
    made = _instance(exception)
    if made.seen is None:
        return made.init_args
    args = _part(m, made, "args")
    return [] if args is None else m.unpack(args)


def _change(m: Tracer, exception: Value, slot: Any, name: str, value: Value) -> None:
    """Set what an exception keeps; a real one is told later."""
    made = _instance(exception)
    made.slots[slot] = value
    if made.seen is not None:
        m.effects.add(setattr, made, Known(name), value)


@model(*{id(cls.__new__): cls.__new__ for cls in _PLAIN}.values())
def new(m: Tracer, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    made = InstanceValue(cls.obj)
    made.init_args = list(args)
    return made


_NAMED: dict[type, tuple[str, ...]] = {
    AttributeError: ("name", "obj"),
    NameError: ("name",),
    ImportError: ("name", "path", "name_from"),
}


@model(*{id(cls.__init__): cls.__init__ for cls in _PLAIN}.values())
def init(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    made = _made_here(self)
    names = next((names for kind, names in _NAMED.items() if issubclass(made.cls, kind)), ())
    for name in kwargs:
        if name not in names:
            if not names:
                m.throw(TypeError, f"{made.cls.__name__}() takes no keyword arguments")
            raise Break(UNKNOWN_OPERATION, f"the argument {name!r} of an exception")
    made.init_args = list(args)
    for name, value in kwargs.items():
        made.slots[_descriptor(made.cls, name)] = value
    return NONE


def _descriptor(cls: type, name: str) -> Any:
    return next(base.__dict__[name] for base in cls.__mro__ if name in base.__dict__)


def _kept(kind: type, name: str, initial: Any) -> None:
    """An attribute that is None, or comes from `args`, until it is set."""
    descriptor = kind.__dict__.get(name)
    if descriptor is None:
        return

    @model(descriptor)
    def get(m: Tracer, self: Value, /) -> Value:
        made = _instance(self)
        found = made.slots.get(descriptor)
        if found is None and made.seen is not None:
            found = made.slots[descriptor] = _member(m, made, descriptor)
        result: Value = initial(made) if found is None else found
        return result

    @setter(descriptor)
    def put(m: Tracer, self: Value, value: Value) -> None:
        _change(m, self, descriptor, name, value)


def _member(m: Tracer, exception: InstanceValue, descriptor: Any) -> Value:
    """What an exception that existed before has in a field of its kind."""
    seen = exception.seen
    assert seen is not None
    if not isinstance(descriptor, MemberDescriptorType) or seen.convert(descriptor.__get__) is None:
        raise Break(UNKNOWN_OPERATION, f"the {descriptor.__name__} of an exception that existed before the call")
    return m.lift(seen.child("slot", descriptor))


for _kind, _names in _NAMED.items():
    for _name in _names:
        _kept(_kind, _name, lambda made: NONE)
_kept(ImportError, "msg", lambda made: made.init_args[0] if len(made.init_args) == 1 else NONE)
_kept(StopIteration, "value", lambda made: made.init_args[0] if made.init_args else NONE)
_kept(SystemExit, "code", lambda made: _exit_code(made.init_args))
for _name in ("errno", "strerror", "filename", "filename2"):
    _kept(OSError, _name, lambda made: NONE)


def _exit_code(args: list[Value]) -> Value:
    if len(args) > 1:
        return TupleValue(args, tuple)
    return args[0] if args else NONE


@model(OSError.__new__)
def new_os_error(m: Tracer, cls: Value, /, *args: Value) -> Value:
    """The class depends on the number: left to the real one."""
    if not isinstance(cls, Known):
        raise Break(UNKNOWN_OPERATION, "a class made during the call")
    if not all(isinstance(arg, Known) and arg.literal for arg in args):
        raise Break(UNKNOWN_OPERATION, "an OSError of what is not constant")
    real = cls.obj.__new__(cls.obj, *(arg.obj for arg in args if isinstance(arg, Known)))
    made = InstanceValue(type(real))
    made.init_args = [m.constant(arg) for arg in real.args]
    for name in ("errno", "strerror", "filename", "filename2"):
        value = getattr(real, name)
        if value is not None:
            made.slots[OSError.__dict__[name]] = m.constant(value)
    return made


@model(*{id(cls.__init__): cls.__init__ for cls in _ALL if issubclass(cls, OSError)}.values())
def init_os_error(m: Tracer, self: Value, /, *args: Value) -> Value:
    return NONE


@model(BaseException.__dict__["args"])
def get_args(m: Tracer, self: Value, /) -> Value:
    if self.seen is not None:
        return _part(m, _instance(self), "args") or TupleValue([], tuple)
    return _instance(self).args


@setter(BaseException.__dict__["args"])
def set_args(m: Tracer, self: Value, value: Value) -> None:
    args = m.unpack(value)
    if self.seen is not None:
        _change(m, self, "args", "args", TupleValue(args, tuple))
    else:
        made = _made_here(self)
        made.init_args = args
        if isinstance(value, TupleValue) and value.cls is tuple:
            made.args = value


_SPECIAL_TEXT = (KeyError, OSError, SyntaxError, ImportError, UnicodeDecodeError, UnicodeEncodeError)
_TEXTS = {
    id(cls.__dict__["__str__"]): cls.__dict__["__str__"]
    for cls in [*_ALL, UnicodeError]
    if "__str__" in cls.__dict__ and cls not in (*_SPECIAL_TEXT, UnicodeTranslateError, BaseExceptionGroup)
}


@polyfill(*_TEXTS.values())
def text(self: Any) -> str:
    args = self.args
    if not args:
        return ""
    return str(args[0]) if len(args) == 1 else str(args)


@model(UnicodeDecodeError.__str__, UnicodeEncodeError.__str__)
def unicode_error_text(m: Tracer, self: Value, /) -> Value:
    args = [arg.obj for arg in _arguments(m, self) if isinstance(arg, Known) and arg.literal]
    try:
        return Known(str(self.cls(*args)))
    except TypeError:
        raise Break(UNKNOWN_OPERATION, f"the text of a {self.cls.__name__} that is no constant") from None


@polyfill(KeyError.__str__)
def key_error_text(self: Any) -> str:
    args = self.args
    return repr(args[0]) if len(args) == 1 else BaseException.__str__(self)


@polyfill(ImportError.__str__)
def import_error_text(self: Any) -> Any:
    message = self.msg
    return message if isinstance(message, str) else BaseException.__str__(self)


@polyfill(OSError.__str__)
def os_error_text(self: Any) -> str:
    if self.filename is not None:
        if self.filename2 is not None:
            return f"[Errno {self.errno}] {self.strerror}: {self.filename!r} -> {self.filename2!r}"
        return f"[Errno {self.errno}] {self.strerror}: {self.filename!r}"
    if self.errno is not None and self.strerror is not None:
        return f"[Errno {self.errno}] {self.strerror}"
    return BaseException.__str__(self)


@polyfill(BaseException.__repr__)
def representation(self: Any) -> str:
    args = self.args
    name = type(self).__name__
    return f"{name}({args[0]!r})" if len(args) == 1 else f"{name}{args!r}"


@polyfill(BaseException.add_note)
def add_note(self: Any, note: str, /) -> None:
    if not isinstance(note, str):
        raise TypeError(f"note must be a str, not '{type(note).__name__}'")
    if not hasattr(self, "__notes__"):
        self.__notes__ = []
    self.__notes__.append(note)


def _linked(name: str) -> None:
    @model(BaseException.__dict__[name])
    def get(m: Tracer, self: Value, /) -> Value:
        return _part(m, _instance(self), name) or NONE

    @setter(BaseException.__dict__[name])
    def set_(m: Tracer, self: Value, value: Value) -> None:
        if not (isinstance(value, Known) and value.obj is None) and not issubclass(value.cls, BaseException):
            m.throw(TypeError, f"exception {name.strip('_')} must be None or derive from BaseException")
        _change(m, self, name, name, value)
        if name == "__cause__":
            _instance(self).slots["__suppress_context__"] = Known(True)


for _name in ("__cause__", "__context__"):
    _linked(_name)


@model(BaseException.__dict__["__traceback__"])
def traceback(m: Tracer, self: Value, /) -> Value:
    return _part(m, _instance(self), "__traceback__") or NONE


@setter(BaseException.__dict__["__traceback__"])
def set_traceback(m: Tracer, self: Value, value: Value) -> None:
    if not issubclass(value.cls, TracebackType | NoneType):
        m.throw(TypeError, "__traceback__ must be a traceback or None")
    _change(m, self, "__traceback__", "__traceback__", value)


@model(BaseException.__dict__["__suppress_context__"])
def suppresses_context(m: Tracer, self: Value, /) -> Value:
    return _part(m, _instance(self), "__suppress_context__") or Known(False)


@setter(BaseException.__dict__["__suppress_context__"])
def set_suppresses_context(m: Tracer, self: Value, value: Value) -> None:
    _change(m, self, "__suppress_context__", "__suppress_context__", value)


@model(BaseException.with_traceback)
def with_traceback(m: Tracer, self: Value, traceback: Value, /) -> Value:
    set_traceback(m, self, traceback)
    return self
