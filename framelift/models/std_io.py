"""Models of `io.StringIO`, for one that the call makes."""

from __future__ import annotations

import io
from typing import Any

from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import NONE, TRUE, Known, boolean
from framelift.values.reasons import UNKNOWN_CALL, Break
from framelift.values.sequence import TupleValue
from framelift.values.text_file import TextFileValue

_File: Any = io.StringIO
_Base: Any = io.StringIO.__mro__[2]
_BEGINNING, _CURRENT, _END = range(3)


@model(io.StringIO)
def make(m: Tracer, initial_value: Value | None = None, newline: Value | None = None) -> Value:
    if newline is not None and not (isinstance(newline, Known) and newline.obj == "\n"):
        raise Break(UNKNOWN_CALL, "io.StringIO that changes the ends of lines")
    initial = Known("") if initial_value is None or _is_none(initial_value) else initial_value
    if initial.cls is not str:
        raise Break(UNKNOWN_CALL, io.StringIO)
    made = TextFileValue([initial])
    made.position = 0
    return made


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def _open(m: Tracer, file: Value, method: Any) -> TextFileValue:
    if not isinstance(file, TextFileValue):
        raise Break(UNKNOWN_CALL, method)
    if file.closed:
        m.throw(ValueError, "I/O operation on closed file")
    return file


def _text(m: Tracer, file: TextFileValue) -> str:
    """All of it, where it is known."""
    whole = joined(m, file)
    if not isinstance(whole, Known):
        raise Break(UNKNOWN_CALL, "reading what a tensor was written as")
    return str(whole.obj)


def joined(m: Tracer, file: TextFileValue) -> Value:
    """All of it."""
    if len(file.parts) > 1:
        file.parts = [m.call(Known(_joined), [TupleValue(file.parts, tuple)])]
    return file.parts[0]


def _joined(parts: Any) -> Any:
    """(traced)"""
    text = parts[0]
    for part in parts[1:]:
        text = text + part
    return text


def _is_at_end(m: Tracer, file: TextFileValue) -> bool:
    return file.position is None or file.position == len(_text(m, file))


@model(_File.write)
def write(m: Tracer, self: Value, text: Value, /) -> Value:
    file = _open(m, self, _File.write)
    if text.cls is not str:
        raise Break(UNKNOWN_CALL, _File.write)
    if not _is_at_end(m, file):
        raise Break(UNKNOWN_CALL, "io.StringIO.write in the middle of a text")
    file.parts.append(text)
    file.position = None
    return m.call(Known(len), [text])


@model(_File.getvalue)
def get_value(m: Tracer, self: Value, /) -> Value:
    return joined(m, _open(m, self, _File.getvalue))


@model(_File.tell)
def tell(m: Tracer, self: Value, /) -> Value:
    file = _open(m, self, _File.tell)
    return Known(len(_text(m, file)) if file.position is None else file.position)


@model(_File.seek)
def seek(m: Tracer, self: Value, position: Value, whence: Value | None = None, /) -> Value:
    file = _open(m, self, _File.seek)
    known = [value.obj for value in (position, Known(0) if whence is None else whence) if isinstance(value, Known)]
    if known == [0, _END]:
        file.position = None
    elif len(known) == 2 and type(known[0]) is int and known[0] >= 0 and known[1] == _BEGINNING:
        file.position = known[0]
    else:
        raise Break(UNKNOWN_CALL, _File.seek)
    return tell(m, file)


def _reading(method: Any) -> None:
    @model(method)
    def apply(m: Tracer, self: Value, size: Value = NONE, /) -> Value:
        file = _open(m, self, method)
        if not isinstance(size, Known) or type(size.obj) not in (int, type(None)):
            raise Break(UNKNOWN_CALL, method)
        real = io.StringIO(_text(m, file), newline="\n")
        real.seek(0, _END) if file.position is None else real.seek(file.position)
        found = method(real, *([] if size.obj is None else [size.obj]))
        file.position = real.tell()
        return Known(found)


_reading(_File.read)
_reading(_File.readline)


@model(_File.__next__)
def next_line(m: Tracer, self: Value, /) -> Value:
    line = m.call(Known(_File.readline), [self])
    return m.raise_value(StopIteration, []) if isinstance(line, Known) and line.obj == "" else line


@model(_Base.__iter__, _Base.__enter__)
def same_file(m: Tracer, self: Value, /) -> Value:
    return _open(m, self, _Base.__iter__)


@model(_Base.__exit__)
def leave(m: Tracer, self: Value, /, *error: Value) -> Value:
    return m.call(m.getattr(self, "close"), [])


@model(_Base.flush)
def flush(m: Tracer, self: Value, /) -> Value:
    _open(m, self, _Base.flush)
    return NONE


@model(_Base.writelines)
def write_lines(m: Tracer, self: Value, lines: Value, /) -> Value:
    for line in m.unpack(lines):
        write(m, self, line)
    return NONE


@model(_Base.readlines)
def read_lines(m: Tracer, self: Value, hint: Value = NONE, /) -> Value:
    file = _open(m, self, _Base.readlines)
    if not _is_none(hint):
        raise Break(UNKNOWN_CALL, _Base.readlines)
    return m.call(Known(list), [file])


@model(_File.close)
def close(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, TextFileValue):
        raise Break(UNKNOWN_CALL, _File.close)
    self.closed = True
    return NONE


@model(_File.__dict__["closed"])
def is_closed(m: Tracer, self: Value, /) -> Value:
    if not isinstance(self, TextFileValue):
        raise Break(UNKNOWN_CALL, "whether an io.StringIO that existed before is closed")
    return boolean(self.closed)


@model(_File.readable, _File.writable, _File.seekable)
def able(m: Tracer, self: Value, /) -> Value:
    _open(m, self, _File.readable)
    return TRUE


# What the residual calls


def text_file(parts: tuple[str, ...], position: int | None, closed: bool) -> io.StringIO:
    made = io.StringIO(newline="\n")
    made.write("".join(parts))
    if position is not None:
        made.seek(position)
    if closed:
        made.close()
    return made
